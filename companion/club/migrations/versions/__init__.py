"""One module a version; a module that was ever published is not changed any more."""

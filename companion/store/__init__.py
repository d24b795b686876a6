"""The store: the journal of a table in one file, durable before anything is shown."""

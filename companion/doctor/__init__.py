"""The doctor: examines each part of the appliance, and says in plain words what to do about it."""

"""The table on an MQTT broker: it tells what it shows and what was played, and listens to nobody's wishes."""

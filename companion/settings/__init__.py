"""Settings: one TOML file becomes frozen values; every key stands once, with its meaning."""

"""The way from each version of the club's database to the next, as Alembic takes it."""

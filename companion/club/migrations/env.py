"""What Alembic runs to migrate: on the connection that it is given, in the caller's transaction."""

from __future__ import annotations

from alembic import context

from companion.club.schema import METADATA


def migrate() -> None:
    """Run the migrations that are asked for."""
    connection = context.config.attributes["connection"]
    context.configure(connection=connection, target_metadata=METADATA, render_as_batch=True)
    with context.begin_transaction():
        context.run_migrations()


# Alembic loads this file for this; whoever else imports it gets the function alone.
if hasattr(context, "config"):
    migrate()

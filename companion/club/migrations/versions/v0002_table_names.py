"""The name of its table beside each game; of older games it is the table's id."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision: str | None = "0001"
branch_labels: str | None = None
depends_on: str | None = None


def upgrade() -> None:
    """Add the column, filled."""
    op.add_column("games", sa.Column("table_name", sa.String(80), nullable=False, server_default=""))
    op.execute("UPDATE games SET table_name = table_id")


def downgrade() -> None:
    """Take it away."""
    op.drop_column("games", "table_name")

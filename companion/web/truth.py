"""The snapshot as bytes, written once for each revision however many phones ask for it."""

import json

from companion.table.conductor import Table
from companion.table.snapshot import Snapshot


class Truth:
    """Gives the newest snapshot of a table as JSON text in UTF-8."""

    def __init__(self, table: Table) -> None:
        self._table = table
        self._written: tuple[Snapshot, bytes] | None = None

    def newest(self) -> tuple[int, bytes]:
        """Return revision and text. Two threads may both write the same text; neither waits for the other."""
        snapshot = self._table.snapshot()
        written = self._written
        if written is None or written[0] is not snapshot:
            written = (
                snapshot,
                json.dumps(snapshot.to_json(), ensure_ascii=False, separators=(",", ":")).encode(),
            )
            self._written = written
        return snapshot.revision, written[1]

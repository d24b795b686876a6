"""The log tells a story: what happens at the table, a line each, with the priorities that journald knows."""

from __future__ import annotations

import logging
import sys
import threading
from collections.abc import Mapping

from companion.table.conductor import Table

LOG = logging.getLogger(__name__)
PRIORITIES = {logging.CRITICAL: 2, logging.ERROR: 3, logging.WARNING: 4, logging.INFO: 6, logging.DEBUG: 7}
"""syslog's, which journald reads from the beginning of each line (sd-daemon(3))."""


class ForJournal(logging.Formatter):
    """A line begins with its priority; journald adds the time itself."""

    def format(self, record: logging.LogRecord) -> str:
        """Return the record, each of its lines with the priority."""
        mark = f"<{PRIORITIES.get(record.levelno, 6)}>"
        return "\n".join(mark + line for line in super().format(record).splitlines())


def begin_log(environment: Mapping[str, str]) -> None:
    """Have everything logged to standard error, in the form that its reader understands."""
    handler = logging.StreamHandler(sys.stderr)
    if "JOURNAL_STREAM" in environment:
        handler.setFormatter(ForJournal("%(message)s"))
    else:
        handler.setFormatter(logging.Formatter("%(asctime)s %(levelname)s %(message)s", "%H:%M:%S"))
    root = logging.getLogger()
    root.handlers[:] = [handler]
    root.setLevel(logging.INFO)


def no_log() -> None:
    """Have nothing logged: the command itself tells what it finds."""
    logging.getLogger().handlers[:] = [logging.NullHandler()]


class Story:
    """Logs what the table tells, as it tells it, until the table is closed."""

    def __init__(self, table: Table) -> None:
        self._table = table
        self._ended = threading.Event()
        self._told = table.snapshot().revision
        self._thread = threading.Thread(target=self._tell, name="story", daemon=True)
        self._thread.start()

    def close(self) -> None:
        """Stop; may be called again."""
        self._ended.set()
        self._thread.join(3.0)

    def _tell(self) -> None:
        while not self._ended.is_set():
            snapshot = self._table.wait_newer(self._told, 1.0)
            if snapshot is None:
                continue
            for fact in snapshot.said:
                if fact.revision > self._told:
                    params = ", ".join(f"{name} {value}" for name, value in fact.params.items())
                    again = " (a correction)" if fact.correction else ""
                    LOG.info("%s: %s%s", str(fact.key).replace("_", " "), params, again)
            self._told = snapshot.revision

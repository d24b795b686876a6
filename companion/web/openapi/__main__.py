"""Writes the description: `python -m companion.web.openapi > docs/openapi.json`."""

import json
import sys

from companion.web.openapi import describe

if __name__ == "__main__":
    sys.stdout.write(json.dumps(describe(), ensure_ascii=False, indent=1) + "\n")

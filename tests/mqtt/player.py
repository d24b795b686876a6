"""A player for the kill test: `python -m tests.mqtt.player FILE PORT GAMES` prints the games' ids."""

import sys
from pathlib import Path

from companion.mqtt.link import Broker
from tests.mqtt.told_table import told_table


def main() -> None:
    file, port, games = Path(sys.argv[1]), int(sys.argv[2]), int(sys.argv[3])
    with told_table(file, Broker("127.0.0.1", port)) as table:
        for seed in range(games):
            print(table.wins(seed), flush=True)
        sys.stdin.read()  # until it is killed


if __name__ == "__main__":
    main()

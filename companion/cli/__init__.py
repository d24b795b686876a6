"""The command line: one module a command, each imported only when it is asked for.

A command `companion NAME` is the module `companion/cli/NAME.py` with

- `HELP`, its line in the table `COMMANDS` of `companion.cli.main`;
- `add_arguments(parser)`, which declares its arguments on an `argparse.ArgumentParser`;
- `run(args) -> int`, which returns the exit status; `companion.cli.faults.Fault(sentence)` ends it with 3.
"""

"""A file or device fault, said in one sentence and ending the command with status 3."""


class Fault(Exception):
    """What is wrong, where, and what to do next, in one sentence for a person.

    Commands raise it, or translate lower errors into it; `companion.cli.main` prints it and ends with
    exit status 3. Only the command line uses it: lower packages have errors of their own.
    """

    def __init__(self, sentence: str) -> None:
        super().__init__(sentence)
        self.sentence = sentence

"""`companion cards`: recognise the cards in the holders, learn them, and look after the deck file."""

from __future__ import annotations

import argparse
import json
import sys
from collections import Counter
from collections.abc import Callable, Sequence
from pathlib import Path

from companion.cli.faults import Fault
from companion.cli.pictures import load_picture, load_profile
from companion.game.cards import Card
from companion.game.deck import deck_to_text
from companion.game.fields import BadLine
from companion.game.record import card_from_json, card_to_json
from companion.store.deck_file import DeckFileFault, PicturedDeck, load_deck_file, save_deck_file
from companion.store.deck_sheet import card_told, deck_sheet, groups_told
from companion.vision.card_look import CardLookError
from companion.vision.card_reader import CardReader, HolderReading, HoldersError, HolderState
from companion.vision.frame_view import FrameError
from companion.vision.geometry import ZonesError

HELP = "recognise and learn the cards in the holders"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the command's arguments."""
    commands = parser.add_subparsers(dest="cards_command", required=True, metavar="WHAT")

    read = commands.add_parser("read", help="say which card lies in each holder", allow_abbrev=False)
    _profile(read)
    _deck(read, "the known cards; without it every card is new", required=False)
    read.add_argument("--json", action="store_true", help="print one JSON object per picture")
    read.add_argument("pictures", type=Path, nargs="+", metavar="PICTURE", help="JPEG or PNG files")

    learn = commands.add_parser("learn", help="add the card seen in a holder to the deck", allow_abbrev=False)
    _profile(learn)
    _deck(learn, "the deck file; made if absent")
    learn.add_argument("--holder", type=int, choices=(0, 1, 2), required=True, help="which holder: 0, 1 or 2")
    _card(learn, "--card", "what the card is")
    learn.add_argument("picture", type=Path, metavar="PICTURE", help="a JPEG or PNG file")

    shown = commands.add_parser("list", help="list the cards of a deck file", allow_abbrev=False)
    _deck(shown, "the deck file")
    shown.add_argument("--json", action="store_true", help="print one JSON object per card")

    change = commands.add_parser("change", help="put right what a learned card is", allow_abbrev=False)
    _deck(change, "the deck file")
    _card(change, "--card", "what it was taken for")
    _card(change, "--to", "what it is")

    forget = commands.add_parser("forget", help="take a card out of a deck file", allow_abbrev=False)
    _deck(forget, "the deck file")
    _card(forget, "--card", "which card")

    merge = commands.add_parser("merge", help="add another deck's cards and pictures", allow_abbrev=False)
    _deck(merge, "the deck file that grows; made if absent")
    merge.add_argument("other", type=Path, metavar="OTHER", help="the other deck file")

    sheet = commands.add_parser("sheet", help="make a page of the deck to print", allow_abbrev=False)
    _deck(sheet, "the deck file")
    sheet.add_argument("--out", type=Path, required=True, metavar="FILE", help="the HTML file to write")

    export = commands.add_parser("export", help="write the cards without pictures", allow_abbrev=False)
    _deck(export, "the deck file")
    export.add_argument("--out", type=Path, required=True, metavar="FILE", help="the JSON file to write")
    export.add_argument(
        "--pictures", type=Path, metavar="FOLDER", help="write each card's picture there, too"
    )


def run(args: argparse.Namespace) -> int:
    """Do what was asked."""
    doing: dict[str, Callable[[argparse.Namespace], int]] = {
        "read": _read,
        "learn": _learn,
        "list": _list,
        "change": _change,
        "forget": _forget,
        "merge": _merge,
        "sheet": _sheet,
        "export": _export,
    }
    made_if_absent = args.cards_command in ("learn", "merge")
    if not made_if_absent and args.deck is not None and not args.deck.exists():
        raise Fault(
            f"{args.deck}: there is no such deck; check the name. Play or `companion cards learn` makes one."
        )
    try:
        return doing[args.cards_command](args)
    except (DeckFileFault, HoldersError) as error:
        raise Fault(str(error)) from error
    except CardLookError as error:
        raise Fault(f"{args.deck}: {error}; learn that card again.") from error


def _profile(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--profile", type=Path, required=True, help="the profile that calibration made")


def _deck(parser: argparse.ArgumentParser, told: str, *, required: bool = True) -> None:
    parser.add_argument("--deck", type=Path, required=required, metavar="FILE", help=told)


def _card(parser: argparse.ArgumentParser, name: str, told: str) -> None:
    example = '{"groups": [[3, null], [2, "red"]], "points": 2, "action": null}'
    parser.add_argument(name, required=True, metavar="CARD", help=f"{told}, as JSON: {example}")


def _read(args: argparse.Namespace) -> int:
    reader = _reader(args, load_deck_file(args.deck) if args.deck is not None else PicturedDeck())
    status = 0
    for path in args.pictures:
        try:
            frame = load_picture(path)
            readings = reader.read(frame)
        except ZonesError as error:
            print(f"{path}: {error}", file=sys.stderr)
            status = 3
        except Fault as fault:
            print(fault, file=sys.stderr)
            status = 3
        else:
            if args.json:
                said = {"picture": str(path), "holders": [reading.to_dict() for reading in readings]}
                print(json.dumps(said, ensure_ascii=False), flush=True)
            else:
                lines = [f"  {holder}: {_told(reading)}" for holder, reading in enumerate(readings)]
                print("\n".join([f"{path}:", *lines]), flush=True)
    return status


def _learn(args: argparse.Namespace) -> int:
    deck = load_deck_file(args.deck) if args.deck.exists() else PicturedDeck()
    reader = _reader(args, deck)
    card = _card_of(args.card, reader.colours)
    deck = PicturedDeck(deck.cards, deck.colours if deck.cards else _six(reader.colours, deck.colours))
    frame = load_picture(args.picture)
    try:
        look = reader.look(frame, args.holder)
        guess = reader.read_some(frame, (args.holder,))[args.holder]
    except (ZonesError, HoldersError) as error:
        raise Fault(f"{args.picture}: {error}") from error
    known = reader.with_look(look, card)
    others = [one.card for one in reader.known if one.card != card and reader.alike(look, one)]
    save_deck_file(args.deck, deck.with_card(known))
    looks = "a look" if len(known.looks) == 1 else f"{len(known.looks)} looks"
    print(f"{card_told(known.card)}: now known by {looks} in {args.deck}")
    for sentence in _doubts(card, others, None if guess is None else guess.guess):
        print(f"companion cards: {sentence}", file=sys.stderr)
    return 0


def _doubts(card: Card, others: Sequence[Card], guess: Card | None) -> list[str]:
    """What speaks against the name that a card was given: others of the same look, or its own drawing."""
    mend = "if a name is wrong, `companion cards change` puts it right"
    said = [
        f"{card_told(other)} looks the same, so the companion will ask which of the two lies there; {mend}."
        for other in others
    ]
    if guess is not None and Counter(guess.groups) != Counter(card.groups):
        said.append(f"the drawing seems to show {groups_told(guess)}, not {groups_told(card)}; {mend}.")
    return said


def _list(args: argparse.Namespace) -> int:
    deck = load_deck_file(args.deck)
    for one in deck.cards:
        if args.json:
            print(json.dumps({"card": card_to_json(one.card), "looks": len(one.looks)}, ensure_ascii=False))
        else:
            pictures = "1 picture " if len(one.looks) == 1 else f"{len(one.looks)} pictures"
            print(f"{pictures}  {card_told(one.card)}")
    if not args.json:
        print(f"{len(deck.cards)} cards, {len(deck.known)} of them with pictures")
    return 0


def _change(args: argparse.Namespace) -> int:
    deck = load_deck_file(args.deck)
    card, to = _card_of(args.card, deck.colours), _card_of(args.to, deck.colours)
    _must_have(args.deck, deck, card)
    save_deck_file(args.deck, deck.changed(card, to))
    print(f"{card_told(card)} is now {card_told(to)}")
    return 0


def _forget(args: argparse.Namespace) -> int:
    deck = load_deck_file(args.deck)
    card = _card_of(args.card, deck.colours)
    _must_have(args.deck, deck, card)
    save_deck_file(args.deck, deck.without(card))
    print(f"{card_told(card)} is forgotten")
    return 0


def _merge(args: argparse.Namespace) -> int:
    other = load_deck_file(args.other)
    deck = load_deck_file(args.deck) if args.deck.exists() else PicturedDeck((), other.colours)
    if deck.colours != other.colours:
        raise Fault(f"{args.other}: its colours have other names than those of {args.deck}; they do not mix.")
    joined = deck.joined(other.cards)
    save_deck_file(args.deck, joined)
    print(f"{args.deck}: {len(joined.cards)} cards, {len(joined.known)} of them with pictures")
    return 0


def _sheet(args: argparse.Namespace) -> int:
    if args.out.suffix.lower() not in (".html", ".htm"):
        raise Fault(f"{args.out}: the sheet is a page for the browser; name a file that ends in .html.")
    _write(args.out, deck_sheet(load_deck_file(args.deck), args.deck.stem).encode("utf-8"))
    print(f"{args.out}: the sheet is written; open it in a browser, and print it there")
    return 0


def _export(args: argparse.Namespace) -> int:
    deck = load_deck_file(args.deck)
    _write(args.out, deck_to_text(deck.deck).encode("utf-8"))
    if args.pictures is not None:
        for number, one in enumerate(deck.cards, start=1):
            for which, look in enumerate(one.looks, start=1):
                _write(args.pictures / f"card{number:02d}_{which}.jpg", look.jpeg)
    print(args.out)
    return 0


def _reader(args: argparse.Namespace, deck: PicturedDeck) -> CardReader:
    profile = load_profile(args.profile)
    try:
        return CardReader(profile, deck.known)
    except (HoldersError, FrameError) as error:
        raise Fault(f"{args.profile}: {error}") from error


def _card_of(text: str, colours: tuple[str, ...]) -> Card:
    try:
        return card_from_json(json.loads(text), colours)
    except BadLine as error:
        raise SystemExit(_refused(error.sentence)) from error
    except (ValueError, RecursionError) as error:
        raise SystemExit(_refused(f"the card is no JSON ({error})")) from error


def _refused(why: str) -> int:
    """Say what is wrong with the command line; the status of such a refusal."""
    example = '{"groups": [[3, null], [2, "red"]], "points": 2, "action": null}'
    print(f"companion cards: {why}; give it like {example}", file=sys.stderr)
    return 2


def _must_have(path: Path, deck: PicturedDeck, card: Card) -> None:
    if deck.find(card) is None:
        raise Fault(
            f"{path}: it has no {card_told(card)}; `companion cards list --deck FILE` shows its cards."
        )


def _six(own: tuple[str, ...], usual: tuple[str, ...]) -> tuple[str, ...]:
    """The colours of a new deck: those of the table's dice, in the usual order where they are usual."""
    return usual if set(own) == set(usual) or len(own) != len(usual) else own


def _write(path: Path, data: bytes) -> None:
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)
    except OSError as error:
        raise Fault(f"{path}: cannot be written ({error.strerror}); choose another place.") from error


def _guessed(card: Card) -> str:
    """What is read off the drawing, and what is not."""
    usual = "1 point" if card.points == 1 else f"{card.points} points"
    return f"{groups_told(card)} (points and action are not read; usual is {usual})"


def _told(reading: HolderReading) -> str:
    sure = f"{reading.confidence:.0%}"
    guess = "" if reading.guess is None else f"; a guess from its drawing: {_guessed(reading.guess)}"
    match reading.state:
        case HolderState.EMPTY:
            return "empty"
        case HolderState.BLOCKED:
            return "something is in the way"
        case HolderState.NEW:
            return f"a new card ({sure}){guess}"
        case HolderState.KNOWN if reading.card is not None:
            return f"{card_told(reading.card)} ({sure})"
        case _:
            either = [card_told(card) for card in (reading.card, reading.runner_up) if card is not None]
            return f"unsure ({sure}): {' or '.join(either) or 'a card'}, or a new one{guess}"

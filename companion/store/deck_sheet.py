"""A deck as a sheet to print: every card's picture with its name, one HTML page that needs nothing else."""

from __future__ import annotations

import base64
import html

from companion.game.cards import Card
from companion.store.deck_file import PicturedDeck

_STYLE = """
@page{size:A4;margin:12mm}
body{font:10pt/1.35 system-ui,sans-serif;margin:0 auto;max-width:190mm;color:#111;background:#fff}
h1{font-size:14pt;font-weight:600;margin:0 0 4mm}
ul{display:grid;grid-template-columns:repeat(auto-fill,minmax(34mm,1fr));gap:4mm;padding:0;margin:0;list-style:none}
li{break-inside:avoid;border:.2mm solid #bbb;border-radius:2mm;padding:2mm}
img,.none{display:block;width:100%;aspect-ratio:63/88;border-radius:1mm}
.none{display:grid;place-items:center;background:#eee;color:#555}
p{margin:1.5mm 0 0}
"""
_ACTIONS = {
    "replay": "replay",
    "theft": "theft",
    "exchange": "exchange",
    "super_exchange": "super exchange",
}


def deck_sheet(deck: PicturedDeck, title: str) -> str:
    """The sheet as HTML text, pictures inside."""
    items = []
    for one in deck.cards:
        name = html.escape(card_told(one.card))
        picture = '<span class="none">no picture yet</span>'
        if one.looks:
            data = base64.b64encode(one.looks[0].jpeg).decode("ascii")
            picture = f'<img src="data:image/jpeg;base64,{data}" alt="{name}">'
        items.append(f"<li>{picture}<p>{name}</p></li>")
    return (
        "<!doctype html><html lang=en><meta charset=utf-8><meta name=viewport content='width=device-width'>"
        f"<title>{html.escape(title)}</title><style>{_STYLE}</style>"
        f"<h1>{html.escape(title)}: {len(deck.cards)} cards</h1><ul>" + "\n".join(items) + "</ul></html>\n"
    )


def card_told(card: Card) -> str:
    """A card in words: "3 any + 2 red, 4 points, theft"."""
    points = f"{card.points} point" if card.points == 1 else f"{card.points} points"
    action = "" if card.action is None else f", {_ACTIONS[card.action.value]}"
    return f"{groups_told(card)}, {points}{action}"


def groups_told(card: Card) -> str:
    """What a card asks for in words: "3 any + 2 red"."""
    return " + ".join(f"{group.size} {group.colour or 'any'}" for group in card.groups)

"""Cut the text of a rule set into tokens, and say by line and column where it cannot be read."""

from __future__ import annotations

import datetime
import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, NoReturn

from ooa.errors import FormatError

from .text import RESERVED, WORD

__all__ = ["Token", "Tokens"]

_ONE_FORM = {
    "≤": "<=",
    "≥": ">=",
    "≠": "!=",
    "<>": "!=",
    "==": "=",
    "→": "->",
    "∧": "and",
    "∨": "or",
    "∈": "in",
}
_UNESCAPED = {"n": "\n", "r": "\r", "t": "\t", "\\": "\\", "'": "'", '"': '"'}
_ESCAPE = re.compile(r"\\(u[0-9a-fA-F]{4}|U[0-9a-fA-F]{8}|.)")
_TOKEN = re.compile(
    rf"""(?P<time>[0-9]{{4}}-[0-9]{{2}}-[0-9]{{2}}(?:T[0-9:.]+)?Z?(?!\w))
    | (?P<number>[-+]?(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)(?:[eE][-+]?[0-9]+)?(?![\w.]))
    | (?P<word>{WORD.pattern})
    | (?P<text>'(?:[^'\\\n]|\\.)*'|"(?:[^"\\\n]|\\.)*")
    | (?P<sign><=|>=|!=|==|<>|->|[<>=(){{}},:≤≥≠→∧∨∈])
    | (?P<space>\s+)""",
    re.VERBOSE,
)


@dataclass(frozen=True)
class Token:
    """A piece of the text.

    Attributes
    ----------
    kind : {"time", "number", "text", "word", "sign", "end"}
        A plain word is "text", too; "word" and "sign" belong to the grammar.
    text : str
        As it is written.
    at : int
        Where it begins.
    value : str, int or float
        What it says: a time in microseconds since 1970, a text without its quotes, a word or sign in the one
        form that the grammar knows.
    """

    kind: str
    text: str
    at: int
    value: Any

    def __str__(self) -> str:
        return "the end" if self.kind == "end" else repr(self.text)


class Tokens:
    """The tokens of a text, taken one after the other."""

    def __init__(self, source: str) -> None:
        if not isinstance(source, str):
            raise FormatError(f"Rules are read from text, not from {type(source).__name__}")
        self.source = source
        self._tokens = list(self._cut())
        self._position = 0

    @property
    def next(self) -> Token:
        """The token that `take` will return."""
        return self._tokens[self._position]

    def look(self, ahead: int) -> Token:
        """The token so many places behind the next one, or the end."""
        return self._tokens[min(self._position + ahead, len(self._tokens) - 1)]

    def cut_off(self, beginning: int) -> Tokens:
        """Take away the tokens from a place on, and return them as tokens of their own."""
        rest = Tokens(self.source)
        rest._tokens = self._tokens[beginning:]
        end = self._tokens[beginning]
        self._tokens = [*self._tokens[:beginning], Token("end", "", end.at, "")]
        return rest

    def find(self, sign: str) -> int | None:
        """The place of the first token that is a sign, None if there is none."""
        places = (i for i, token in enumerate(self._tokens) if token.kind == "sign" and token.value == sign)
        return next(places, None)

    def take(self) -> Token:
        """Return the next token and move on."""
        token = self.next
        self._position += token.kind != "end"
        return token

    def sees(self, *wanted: str) -> bool:
        """Return whether the next token is one of these words or signs."""
        return self.next.kind in ("word", "sign") and self.next.value in wanted

    def accept(self, *wanted: str) -> bool:
        """Take the next token if it is one of these words or signs."""
        return self.sees(*wanted) and bool(self.take())

    def expect(self, wanted: str, *kinds_or_signs: str) -> Token:
        """Take the next token if it is of one of the kinds, or one of the words or signs; otherwise fail."""
        if self.next.kind in kinds_or_signs or self.sees(*kinds_or_signs):
            return self.take()
        reserved = self.next.kind == "word" and "text" in kinds_or_signs
        hint = "; put it in quotes if it is meant as text" if reserved else ""
        self.fail(self.next.at, f"expected {wanted}, found {self.next}{hint}")

    def fail(self, at: int, message: str) -> NoReturn:
        """Raise an error at a place of the text."""
        line = self.source.count("\n", 0, at) + 1
        column = at - self.source.rfind("\n", 0, at)
        raise FormatError(f"line {line}, column {column}: {message}")

    def _cut(self) -> Iterator[Token]:
        """Yield the tokens, the end last."""
        at = 0
        while at < len(self.source):
            match = _TOKEN.match(self.source, at)
            if match is None:
                self._fail_to_cut(at)
            kind, text = str(match.lastgroup), match.group()
            if kind == "text":
                yield Token("text", text, at, self._unquoted(text, at))
            elif kind in ("time", "number"):
                yield Token(kind, text, at, self._number(kind, text, at))
            elif kind == "word" and text.lower() not in RESERVED:
                yield Token("text", text, at, text)
            elif kind != "space":
                yield Token(kind, text, at, _ONE_FORM.get(text, text.lower()))
            at = match.end()
        yield Token("end", "", at, "")

    def _fail_to_cut(self, at: int) -> NoReturn:
        """Say why no token begins here."""
        character = self.source[at]
        if character in "'\"":
            self.fail(at, f"the text that begins with {character} is not closed on its line")
        if character.isdigit() or character in "+-.":
            word = re.split(r"[\s(){},]", self.source[at:], maxsplit=1)[0]
            self.fail(at, f"{word!r:.40} is not a number; put it in quotes if it is meant as text")
        self.fail(at, f"unexpected {character!r}; a name or value with such characters needs quotes")

    def _number(self, kind: str, text: str, at: int) -> int | float:
        """Return a number, or a time as microseconds since 1970."""
        try:
            if kind == "time":
                moment = datetime.datetime.fromisoformat(text.removesuffix("Z"))
                return (moment - datetime.datetime(1970, 1, 1)) // datetime.timedelta(microseconds=1)
            return int(text) if text.lstrip("+-").isdigit() else float(text)
        except ValueError:
            self.fail(at, f"{text!r:.40} is not a {kind}")

    def _unquoted(self, text: str, at: int) -> str:
        """Return what a quoted text says."""

        def character(match: re.Match[str]) -> str:
            code = match.group(1)
            if code in _UNESCAPED:
                return _UNESCAPED[code]
            if len(code) == 1 or int(code[1:], 16) > 0x10FFFF:
                self.fail(
                    at + 1 + match.start(),
                    f"{match.group()} is not an escape; to mean a backslash, write two",
                )
            return chr(int(code[1:], 16))

        return _ESCAPE.sub(character, text[1:-1])

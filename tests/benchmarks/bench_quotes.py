"""How often a tag of another program is put where it belongs, by quote, and how often elsewhere.

Run it as a program: `python -m tests.benchmarks.bench_quotes [--seed N] [--templates held-out]`.
The tags of fabricated patients are quoted as others would: with offsets that are wrong by a
distance, each on its own, or without offsets and with context as a language model quotes it, with
letters, signs, case and blanks changed. Each is put to its place in the record, or listed. Printed
is how many are right, listed, and wrong, which is to be none; of quotes of other patients, whose
text does not stand in the record at all, how many found a place nevertheless.
"""

import argparse
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from random import Random

from shared.model import Span
from shared.synthetic import fabricate
from shared.synthetic.patients import Templates
from shared.text.quotes import Quote, QuoteFinder

_CONTEXT = 30
_LETTERS = "abcdefghijklmnopqrstuvwxyz"


@dataclass(frozen=True, slots=True)
class Known:
    """A place of a record that is to be found again."""

    text: str
    span: Span


Spoil = Callable[[Known, Random], Quote]


def known_places(patients: int, seed: int, templates: Templates = "standard") -> list[Known]:
    return [
        Known(document.text, tag.span)
        for each in fabricate(patients, seed, templates=templates)
        for document in each.patient.documents
        for tag in each.gold[document.record_id].tags
    ]


def wrong_by(distance: int) -> Spoil:
    """Quotes whose offset is wrong by up to a distance, never by nothing.

    Nor does it lie where the same text stands, too: that fits, and nobody could tell.
    """

    def spoil(known: Known, rng: Random) -> Quote:
        text = known.span.text_in(known.text)
        start = known.span.start
        while known.text.startswith(text, start):
            start = max(0, known.span.start + rng.choice((-1, 1)) * rng.randint(1, distance))
        return Quote(text, start)

    return spoil


def anywhere(known: Known, rng: Random) -> Quote:
    """Quotes whose offset means nothing."""
    return Quote(known.span.text_in(known.text), rng.randrange(len(known.text)))


def unplaced(known: Known, rng: Random) -> Quote:
    return Quote(known.span.text_in(known.text))


def in_context(known: Known, rng: Random) -> Quote:
    """Quotes as a language model gives them: on one line, with some of what stands around."""
    before, after = _around(known)
    return Quote(_one_line(known.span.text_in(known.text)), None, before, after)


def retold(known: Known, rng: Random) -> Quote:
    """The same with a letter of quote or context wrong, signs left out, or another case."""
    quote = in_context(known, rng)
    before, after = _misspelt(quote.before, rng), _misspelt(quote.after, rng)
    return Quote(rng.choice(_RETELL)(quote.text, rng), None, before, after)


SPOILT: dict[str, Spoil] = {
    "offset wrong by up to 5": wrong_by(5),
    "offset wrong by up to 25": wrong_by(25),
    "offset wrong by up to 100": wrong_by(100),
    "offset wrong by up to 500": wrong_by(500),
    "offset of anywhere": anywhere,
    "no offset": unplaced,
    "context": in_context,
    "context, retold": retold,
}


def tried(known: list[Known], spoil: Spoil, seed: int) -> Counter[str]:
    """Count what is right, listed and wrong."""
    rng, counts = Random(seed), Counter[str]()
    for each in known:
        found = QuoteFinder(each.text).find(spoil(each, rng))
        if isinstance(found, Span):
            counts["right" if _is_same(found, each) else "wrong"] += 1
        else:
            counts["listed"] += 1
            counts[found] += 1
    return counts


def _is_same(found: Span, known: Known) -> bool:
    """Whether the words are those; signs at the edges, which a quote may lack, aside."""
    between = (min(found.start, known.span.start), max(found.start, known.span.start))
    behind = (min(found.end, known.span.end), max(found.end, known.span.end))
    return not any(char.isalnum() for a, b in (between, behind) for char in known.text[a:b])


def strangers(known: list[Known], spoil: Spoil, seed: int) -> Counter[str]:
    """Count quotes of one record that find a place in another, which does not hold their text."""
    rng, counts = Random(seed), Counter[str]()
    for each in known:
        other = rng.choice(known).text
        if each.span.text_in(each.text).casefold() not in other.casefold():
            found = QuoteFinder(other).find(spoil(each, rng))
            counts["found" if isinstance(found, Span) else "listed"] += 1
    return counts


def _around(known: Known) -> tuple[str, str]:
    text, span = known.text, known.span
    before = text[max(0, span.start - _CONTEXT) : span.start]
    return _one_line(before), _one_line(text[span.end : span.end + _CONTEXT])


def _one_line(text: str) -> str:
    return " ".join(text.split())


def _misspelt(text: str, rng: Random) -> str:
    """Return a text with a letter amid it wrong; at its edge it would quote another place."""
    letters = [at for at, char in enumerate(text) if char.isalpha() and 0 < at < len(text) - 1]
    if not letters:
        return text
    at = rng.choice(letters)
    return text[:at] + rng.choice(("", rng.choice(_LETTERS), text[at] * 2)) + text[at + 1 :]


def _without_signs(text: str, rng: Random) -> str:
    return _one_line("".join(char for char in text if char.isalnum() or char == " ")) or text


def _in_capitals(text: str, rng: Random) -> str:
    return text.upper()


_RETELL = (_misspelt, _without_signs, _in_capitals)


def _rows(known: list[Known], seed: int) -> Iterator[tuple[str, Counter[str]]]:
    for name, spoil in SPOILT.items():
        yield name, tried(known, spoil, seed)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--patients", type=int, default=40)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--templates", default="standard", choices=["standard", "held-out"])
    arguments = parser.parse_args()
    known = known_places(arguments.patients, arguments.seed, arguments.templates)
    print(f"{len(known)} tags of {arguments.patients} fabricated patients")
    for name, counts in _rows(known, arguments.seed):
        figures = ", ".join(f"{each} {counts[each]}" for each in ("right", "listed", "wrong"))
        print(f"{name:26} {figures}")
    for name in ("no offset", "offset of anywhere", "context", "context, retold"):
        counts = strangers(known, SPOILT[name], arguments.seed)
        print(f"of other patients, {name:20} found {counts['found']} of {counts.total()}")


if __name__ == "__main__":
    main()

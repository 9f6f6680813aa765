"""What the first lines of a record tell of it: its day, and which of them reads as its title.

Nothing is guessed: what the lines do not say is "", and a date that can be read in two ways stays
as it is written.
"""

import re
from collections.abc import Iterable, Iterator
from functools import cache
from itertools import islice

from shared.language.date_mentions import DateMention, day_order, find_dates
from shared.language.languages import Language, alternatives
from shared.text.scripts import is_unspaced

HEAD = 3000
"""So many characters of a record are looked at, however long it is."""
_LABEL = 60
"""A label stands within so many characters before its date."""
_TITLE_LINES = 12
_MOST_WORDS = 7
_LAST_LATIN = "\u024f"
_LINE = re.compile(r"[^\n]*\S[^\n]*")
_PLAIN = re.compile(r"[^\W\d_]+(?:[ /&'’().-]+[^\W\d_]+)*[.:]?")
_WORD = re.compile(r"[^\W\d_]+")
_BLANKS = re.compile(r"\s+")


def record_day(text: str, language: Language) -> str:
    """The day of a record as 2067-05-03: what is labelled as its date, else its first full date.

    A full date has day, month and a year of four digits; one of birth is none. Where it is open
    which of day and month stands first, it is returned as written.
    """
    head = text[:HEAD]
    every = sorted(find_dates(head, language), key=lambda each: (each.start, -each.end))
    full = [each for each in every if _is_full(each) and not _is_birth(head, each, language)]
    labelled = (each for each in full if _record_label(language).search(_before(head, each)))
    found = next(labelled, full[0] if full else None)
    if found is None:
        return ""
    day, *others = found.read(day_order(every))
    written = head[found.start : found.end]
    return written if others else f"{day.year:04}-{day.month:02}-{day.day:02}"


def record_title(text: str, language: Language, hidden: Iterable[tuple[int, int]] = ()) -> str:
    """The first line that reads as a title, without the `hidden` stretches; "" where none does.

    Such a line is short and of letters only. Where the language tells words of headings in the
    script of the record, it has one of them and none for a hospital, whose name it would be; else
    it is the very first line that is not hidden as a whole.
    """
    known = _headings(text[:HEAD], language)
    hospital = frozenset(language.classes.get("hospital", ()))
    lines = ((*at, _without(text, *at, hidden)) for at in _lines(text[:HEAD]))
    shown = lines if known else (each for each in lines if each[2])
    for start, end, line in islice(shown, _TITLE_LINES if known else 1):
        words = _WORD.findall(line.lower())
        is_title = _PLAIN.fullmatch(line) and len(words) <= _MOST_WORDS
        is_label = line.endswith(":") and not text[start:end].rstrip().endswith(":")
        is_title = is_title and not is_label and hospital.isdisjoint(words)
        if is_title and (not known or not known.isdisjoint(words)):
            return line.rstrip(".:")
    return ""


def _headings(text: str, language: Language) -> frozenset[str]:
    """The words of headings, if they are of the script of the text, Latin or not."""
    known = frozenset(language.clinical_classes.get("heading", ()))
    if text.isascii():
        return known
    letters = [char for char in text if char.isalpha()]
    is_latin = 2 * sum(char <= _LAST_LATIN for char in letters) >= len(letters)
    return frozenset(word for word in known if (max(word) <= _LAST_LATIN) is is_latin)


def _is_full(mention: DateMention) -> bool:
    return all(each.day and each.year and each.year > 99 for each in mention.readings)


def _is_birth(text: str, mention: DateMention, language: Language) -> bool:
    return bool(birth_label(language).search(_before(text, mention)))


def _before(text: str, mention: DateMention) -> str:
    return text[max(0, mention.start - _LABEL) : mention.start]


@cache
def birth_label(language: Language) -> re.Pattern[str]:
    """What finds, at the end of the words before a date, that it is one of birth."""
    unspaced = [label for label in language.birth_labels if is_unspaced(label[0])]
    spaced = alternatives(language.birth_labels.difference(unspaced))
    return re.compile(rf"(?i)(?:(?<!\w){spaced}|{alternatives(unspaced)})[^\n\d]{{0,20}}$")


@cache
def _record_label(language: Language) -> re.Pattern[str]:
    return re.compile(rf"(?i)(?<!\w){alternatives(language.dates.record_labels)}\W{{0,3}}$")


def _lines(text: str) -> Iterator[tuple[int, int]]:
    return (found.span() for found in _LINE.finditer(text))


def _without(text: str, start: int, end: int, hidden: Iterable[tuple[int, int]]) -> str:
    """A line as one reads it, its stretches that are hidden left out."""
    kept = list(text[start:end])
    for low, high in hidden:
        for at in range(max(low, start), min(high, end)):
            kept[at - start] = " "
    return _BLANKS.sub(" ", "".join(kept)).strip(" \ufeff")

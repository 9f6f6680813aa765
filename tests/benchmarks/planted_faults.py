"""A gold standard with one fault of a known kind in each patient, in English and in Spanish.

The kinds are those of faults that reviewers planted and a check had overlooked: 26 in 26 patients.
"""

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from random import Random

from shared.language.date_mentions import find_dates
from shared.language.languages import Language, language
from shared.language.name_lists import name_lists
from shared.model import Document, Layer, Span, Tag
from shared.synthetic import fabricate
from shared.synthetic.names import misspelt
from shared.synthetic.pools import Templates
from tests.benchmarks.spanish_notes import spanish_patients
from tests.builders import phi

Records = list[tuple[Document, Layer]]
_MONTH_NAMES = {"en": ("April", "May", "June", "August"), "es": ("Abril", "Julio")}
_PERSONS = ("PATIENT", "DOCTOR")
_OTHERS = {
    "HOSPITAL": "ORGANIZATION",
    "PATIENT": "DOCTOR",
    "DOCTOR": "PATIENT",
    "CITY": "LOCATION-OTHER",
    "DATE": "IDNUM",
}


@dataclass(frozen=True, slots=True)
class Fault:
    """A fault of a patient, and the text that it is about; `records` are those with the fault."""

    sort: str
    records: Records
    record_id: str
    span: Span
    about: str


class _NotHereError(Exception):
    """The patient has no place for a fault of this sort."""


@dataclass(slots=True)
class _Patient:
    """A patient's records, to be spoilt."""

    texts: dict[str, str]
    tags: dict[str, list[Tag]]
    language: Language
    rng: Random

    def all_tags(self, *names: str) -> list[tuple[str, Tag, str]]:
        """Record, tag and text of each tag of these types, in random order."""
        found = [
            (record, tag, tag.span.text_in(self.texts[record]))
            for record, tags in self.tags.items()
            for tag in tags
            if not names or tag.phi_type.name in names
        ]
        self.rng.shuffle(found)
        return found

    def times(self) -> Counter[str]:
        return Counter(text for _, _, text in self.all_tags())

    def remove(self, record: str, tag: Tag) -> None:
        self.tags[record].remove(tag)

    def add(self, record: str, start: int, end: int, name: str) -> None:
        self.tags[record].append(Tag(Span(start, end), phi(name)))

    def rewrite(self, record: str, tag: Tag, new: str) -> Span:
        """Put other text in place of a tag's, which goes; returns where it stands."""
        self.remove(record, tag)
        text, moved = self.texts[record], len(new) - len(tag.span)
        self.texts[record] = text[: tag.start] + new + text[tag.end :]
        self.tags[record] = [
            each if each.end <= tag.start else replace(each, span=each.span.shifted(moved))
            for each in self.tags[record]
        ]
        return Span(tag.start, tag.start + len(new))


_Place = tuple[str, Span, str]
"""Record and span of a fault, and the text that it is about."""


def faults(seed: int, spoken: str, templates: Templates = "standard") -> Iterator[Fault]:
    """Yield 26 faults, each in a patient of its own."""
    rng = Random(f"{seed} faults {spoken}")
    waiting = list(clean(60, seed, spoken, templates))
    for sort, planter in _SORTS:
        for at, records in enumerate(waiting):
            patient = _Patient(
                {each.record_id: each.text for each, _ in records},
                {layer.record_id: list(layer.tags) for _, layer in records},
                language(spoken),
                rng,
            )
            try:
                record, span, about = planter(patient)
            except _NotHereError:
                continue
            del waiting[at]
            yield Fault(sort, _records(records, patient), record, span, about)
            break
        else:
            raise ValueError(f"no patient has a place for {sort}")


def clean(count: int, seed: int, spoken: str, templates: Templates = "standard") -> list[Records]:
    """Return the records of so many patients without a fault."""
    if spoken == "es":
        return spanish_patients(count, seed)
    return [
        [(each, one.gold[each.record_id]) for each in one.patient.documents]
        for one in fabricate(count, seed, templates=templates)
    ]


def _records(records: Records, patient: _Patient) -> Records:
    return [
        (
            replace(document, text=patient.texts[document.record_id]),
            Layer.of(document.record_id, "gold", patient.tags[document.record_id]),
        )
        for document, _ in records
    ]


def _first(found: Iterable[tuple[str, Tag, str]]) -> tuple[str, Tag, str]:
    for each in found:
        return each
    raise _NotHereError


def _removed(patient: _Patient) -> _Place:
    times = patient.times()
    found = (each for each in patient.all_tags() if times[each[2]] > 1 and len(each[2]) > 4)
    record, tag, text = _first(found)
    patient.remove(record, tag)
    return record, tag.span, text


def _misspelt(patient: _Patient) -> _Place:
    times = patient.times()
    found = patient.all_tags(*_PERSONS)
    record, tag, text = _first(
        each for each in found if times[each[2]] > 1 and each[2].isalpha() and len(each[2]) > 5
    )
    return record, patient.rewrite(record, tag, misspelt(text, patient.rng)), text


def _reformatted(patient: _Patient) -> _Place:
    times = patient.times()
    for record, tag, text in patient.all_tags("DATE"):
        dates = [each for each in find_dates(text, patient.language) if each.end == len(text)]
        days = [day for each in dates for day in each.readings if each.start == 0]
        if times[text] > 1 and len(days) == 1 and days[0].day and (days[0].year or 0) > 99:
            day = days[0]
            new = f"{day.year}-{day.month:02}-{day.day:02}"
            if new != text:
                return record, patient.rewrite(record, tag, new), text
    raise _NotHereError


def _capitals(patient: _Patient) -> _Place:
    words = Counter(
        word for _, _, text in patient.all_tags(*_PERSONS) for word in re.findall(r"\w+", text)
    )
    for record, tag, text in patient.all_tags(*_PERSONS):
        family = text.rpartition(" ")[2]
        if "," not in text and family.isalpha() and len(family) > 2 and words[family] > 1:
            return record, patient.rewrite(record, tag, family.upper()), family
    raise _NotHereError


def _two_words(patient: _Patient) -> tuple[str, Tag, str]:
    some = (each for each in patient.all_tags(*_PERSONS) if re.fullmatch(r"\w+ \w{2,}", each[2]))
    return _first(some)


def _split(patient: _Patient) -> _Place:
    record, tag, text = _two_words(patient)
    patient.remove(record, tag)
    at = tag.start + text.index(" ")
    patient.add(record, tag.start, at, tag.phi_type.name)
    patient.add(record, at + 1, tag.end, tag.phi_type.name)
    return record, tag.span, text


def _half(patient: _Patient) -> _Place:
    record, tag, text = _two_words(patient)
    patient.remove(record, tag)
    at = tag.start + text.index(" ")
    kept = (tag.start, at) if patient.rng.random() < 0.5 else (at + 1, tag.end)
    patient.add(record, *kept, tag.phi_type.name)
    return record, tag.span, text


def _yearless(patient: _Patient) -> _Place:
    for record, tag, text in patient.all_tags("DATE"):
        found = re.search(r"(?:,? (?:del? )?\d{4}|(?<=\d/\d)/\d+|(?<=/\d\d)/\d+)$", text)
        if found and re.search(r"\d|[^\W\d]{3}", text[: found.start()]):
            patient.remove(record, tag)
            patient.add(record, tag.start, tag.start + found.start(), "DATE")
            return record, tag.span, text
    raise _NotHereError


def _month_name(patient: _Patient) -> _Place:
    names = [text.split() for _, _, text in patient.all_tags("PATIENT") if "," not in text]
    given = next((each[0] for each in names if len(each) > 1 and len(each[0]) > 2), "")
    if not given:
        raise _NotHereError
    month = patient.rng.choice(_MONTH_NAMES[patient.language.code])
    for written, new in ((given, month), (given.upper(), month.upper())):
        while found := [
            each for each in patient.all_tags("PATIENT") if re.search(rf"\b{written}\b", each[2])
        ]:
            record, tag, text = found[0]
            span = patient.rewrite(record, tag, re.sub(rf"\b{written}\b", new, text))
            patient.add(record, span.start, span.end, "PATIENT")
    some = [each for each in patient.all_tags("PATIENT") if month in each[2]]
    if len(some) < 2:
        raise _NotHereError
    record, tag, _ = some[0]
    return record, patient.rewrite(record, tag, month), month


def _tie(patient: _Patient) -> _Place:
    times = patient.times()
    some = (each for each in patient.all_tags("HOSPITAL") if times[each[2]] == 2)
    return _retyped(patient, *_first(some))


def _wrong_type(patient: _Patient) -> _Place:
    times = patient.times()
    some = (each for each in patient.all_tags(*_PERSONS, "HOSPITAL") if times[each[2]] > 2)
    return _retyped(patient, *_first(some))


def _retyped(patient: _Patient, record: str, tag: Tag, text: str) -> _Place:
    patient.remove(record, tag)
    patient.add(record, tag.start, tag.end, _OTHERS[tag.phi_type.name])
    return record, tag.span, text


def _two_types(patient: _Patient) -> _Place:
    record, tag, text = _first(patient.all_tags(*_OTHERS))
    patient.add(record, tag.start, tag.end, _OTHERS[tag.phi_type.name])
    return record, tag.span, text


def _doctor(patient: _Patient) -> _Place:
    lists = name_lists(patient.language)
    men, families = lists.men.every_common, lists.family.every_common
    name = f"{patient.rng.choice(men)} {patient.rng.choice(families)}"
    record, tag, text = _first(patient.all_tags("DOCTOR"))
    titled = patient.texts[record][: tag.start].endswith(("Dr. ", "Dra. ", "dr. ", "Dr "))
    new = name if titled else f"Dr. {name}"
    return record, patient.rewrite(record, tag, new), text


def _never(name: str) -> Callable[[_Patient], _Place]:
    def planter(patient: _Patient) -> _Place:
        record, tag, text = _first(patient.all_tags(name))
        for other, each, same in patient.all_tags(name):
            if same == text:
                patient.remove(other, each)
        return record, tag.span, text

    return planter


def _broken(patient: _Patient) -> _Place:
    found = patient.all_tags(*_PERSONS, "CITY")
    record, tag, text = _first(each for each in found if each[2].isalpha() and len(each[2]) > 4)
    span = patient.rewrite(record, tag, f"{text[:3]}-\n{text[3:]}")
    length = 4 if patient.rng.random() < 0.5 else 3
    patient.add(record, span.start, span.start + length, tag.phi_type.name)
    return record, span, text


def _nested(name: str | None) -> Callable[[_Patient], _Place]:
    def planter(patient: _Patient) -> _Place:
        types = ("HOSPITAL",) if name else (*_PERSONS, "HOSPITAL", "STREET")
        found = (each for each in patient.all_tags(*types) if re.match(r"\w{2,} \w", each[2]))
        record, tag, text = _first(found)
        end = tag.start + text.index(" ")
        patient.add(record, tag.start, end, name or tag.phi_type.name)
        return record, tag.span, text

    return planter


def _edge(patient: _Patient) -> _Place:
    for record, tag, text in patient.all_tags():
        if patient.texts[record][tag.end : tag.end + 2] in {", ", ",\n"}:
            patient.remove(record, tag)
            patient.add(record, tag.start, tag.end + 1, tag.phi_type.name)
            return record, tag.span, text
    raise _NotHereError


_SORTS: tuple[tuple[str, Callable[[_Patient], _Place]], ...] = (
    *[("capitals", _capitals), ("split", _split), ("half a name", _half)],
    *[("yearless", _yearless), ("month name", _month_name), ("tie", _tie)] * 2,
    *[("two types", _two_types), ("doctor", _doctor)] * 2,
    *[("street", _never("STREET")), ("city", _never("CITY"))] * 2,
    *[("capitals", _capitals), ("removed", _removed), ("misspelt", _misspelt)],
    *[("reformatted", _reformatted), ("broken", _broken), ("edge", _edge)],
    *[("nested twin", _nested(None)), ("inner", _nested("ORGANIZATION"))],
    *[("wrong type", _wrong_type)],
)

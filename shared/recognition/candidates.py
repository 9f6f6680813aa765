"""Everything in a patient's records that might be PHI, with what each CRF thinks of it."""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from statistics import fmean

from shared.recognition.crf.reading import Place, Reading
from shared.text.occurrences import occurrences

FLOOR = 0.02
"""Places that are less probable than this on average are no candidates."""
SURE = 0.9
"""What is at least this probable in one place is looked for in the others."""
SHORTEST_REPEAT = 4


@dataclass(frozen=True, slots=True)
class Candidate:
    """A place in document number `document`, the probability that each CRF gives it, and votes.

    `best_of` names the CRFs on whose best path it is, as a bit each.
    """

    document: int
    place: Place
    text: str
    probabilities: tuple[float, ...]
    best_of: int = 0

    @property
    def mean(self) -> float:
        return fmean(self.probabilities)

    def overlaps(self, other: "Candidate") -> bool:
        return self.place.start < other.place.end and other.place.start < self.place.end


def candidates(
    texts: Sequence[str],
    readings: Sequence[Sequence[Reading]],
    more: Sequence[Iterable[Place]] = (),
) -> list[Candidate]:
    """Return the candidates in the documents of one patient, in order.

    `readings` holds, for each document, the reading of each CRF; `more`, for each document, places
    that are candidates in any case.
    """
    found: dict[tuple[int, Place], Candidate] = {}
    for number, (text, of_document) in enumerate(zip(texts, readings, strict=True)):
        for place, best_of in _proposed(of_document).items():
            candidate = _candidate(number, text, place, of_document, best_of)
            if candidate.mean >= FLOOR or best_of:
                found[number, place] = candidate
    further = {(number, place) for number, places in enumerate(more) for place in places}
    for number, place in _repeats(texts, list(found.values())) | further:
        if (number, place) not in found:
            found[number, place] = _candidate(number, texts[number], place, readings[number], 0)
    return [found[key] for key in sorted(found)]


def _proposed(readings: Sequence[Reading]) -> dict[Place, int]:
    places: dict[Place, int] = {}
    for number, reading in enumerate(readings):
        for place in reading.tags():
            places[place] = places.get(place, 0) | 1 << number
        for place in reading.alternatives():
            places.setdefault(place, 0)
    return places


def _candidate(
    number: int, text: str, place: Place, readings: Sequence[Reading], best_of: int
) -> Candidate:
    probabilities = tuple(reading.probability(place) for reading in readings)
    return Candidate(number, place, text[place.start : place.end], probabilities, best_of)


def _repeats(texts: Sequence[str], found: Sequence[Candidate]) -> set[tuple[int, Place]]:
    """Where the text of a sure candidate stands elsewhere in the patient's records."""
    sure: defaultdict[tuple[str, str], int] = defaultdict(int)
    for candidate in found:
        if candidate.mean >= SURE and len(candidate.text) >= SHORTEST_REPEAT:
            sure[candidate.text, candidate.place.phi_type] += 1
    places: set[tuple[int, Place]] = set()
    for (phrase, phi_type), times in sure.items():
        if sum(text.count(phrase) for text in texts) > times:
            for number, text in enumerate(texts):
                for each in occurrences(phrase, text):
                    places.add((number, Place(each.span.start, each.span.end, phi_type)))
    return places

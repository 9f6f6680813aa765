"""Everything in a patient's records that might be PHI, with what each CRF thinks of it."""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from statistics import fmean

from shared.language.occurrences import occurrences
from shared.recognition.crf.marginals import CrfMarginals, LabelledSpan

FLOOR = 0.02
"""Places that are less probable than this on average are no candidates."""
SURE = 0.9
"""What is at least this probable in one place is looked for in the others."""
SHORTEST_REPEAT = 4


@dataclass(frozen=True, slots=True)
class PhiCandidate:
    """A place in document number `document`, the probability that each CRF gives it, and votes.

    `best_of` names the CRFs on whose best path it is, as a bit each.
    """

    document: int
    place: LabelledSpan
    text: str
    probabilities: tuple[float, ...]
    best_of: int = 0

    @property
    def mean(self) -> float:
        return fmean(self.probabilities)

    def overlaps(self, other: "PhiCandidate") -> bool:
        return self.place.start < other.place.end and other.place.start < self.place.end


def candidates(
    texts: Sequence[str],
    predictions: Sequence[Sequence[CrfMarginals]],
    more: Sequence[Iterable[LabelledSpan]] = (),
) -> list[PhiCandidate]:
    """Return the candidates in the documents of one patient, in order.

    `predictions` holds, for each document, what each CRF makes of it; `more`, for each document,
    places that are candidates in any case.
    """
    found: dict[tuple[int, LabelledSpan], PhiCandidate] = {}
    for number, (text, of_document) in enumerate(zip(texts, predictions, strict=True)):
        for place, best_of in _proposed(of_document).items():
            candidate = _candidate(number, text, place, of_document, best_of)
            if candidate.mean >= FLOOR or best_of:
                found[number, place] = candidate
    further = {(number, place) for number, places in enumerate(more) for place in places}
    for number, place in _repeats(texts, list(found.values())) | further:
        if (number, place) not in found:
            found[number, place] = _candidate(number, texts[number], place, predictions[number], 0)
    return [found[key] for key in sorted(found)]


def _proposed(predictions: Sequence[CrfMarginals]) -> dict[LabelledSpan, int]:
    places: dict[LabelledSpan, int] = {}
    for number, prediction in enumerate(predictions):
        for place in prediction.tags():
            places[place] = places.get(place, 0) | 1 << number
        for place in prediction.alternatives():
            places.setdefault(place, 0)
    return places


def _candidate(
    number: int, text: str, place: LabelledSpan, predictions: Sequence[CrfMarginals], best_of: int
) -> PhiCandidate:
    probabilities = tuple(prediction.probability(place) for prediction in predictions)
    return PhiCandidate(number, place, text[place.start : place.end], probabilities, best_of)


def _repeats(texts: Sequence[str], found: Sequence[PhiCandidate]) -> set[tuple[int, LabelledSpan]]:
    """Where the text of a sure candidate stands elsewhere in the patient's records."""
    sure: defaultdict[tuple[str, str], int] = defaultdict(int)
    for candidate in found:
        if candidate.mean >= SURE and len(candidate.text) >= SHORTEST_REPEAT:
            sure[candidate.text, candidate.place.phi_type] += 1
    places: set[tuple[int, LabelledSpan]] = set()
    for (phrase, phi_type), times in sure.items():
        if sum(text.count(phrase) for text in texts) > times:
            for number, text in enumerate(texts):
                for each in occurrences(phrase, text):
                    places.add((number, LabelledSpan(each.span.start, each.span.end, phi_type)))
    return places

"""Everything in a patient's records that might be PHI, with what each CRF thinks of it."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
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


Further = Sequence[Iterable[LabelledSpan]]
"""For each document, places that are candidates in any case."""


def candidates(
    texts: Sequence[str], predictions: Sequence[Sequence[CrfMarginals]], more: Further = ()
) -> list[PhiCandidate]:
    """Return the candidates in the documents of one patient, in order.

    `predictions` holds, for each document, what each CRF makes of it.
    """
    found: list[PhiCandidate] = []
    for number, of_document in enumerate(predictions):
        proposed = _judged(number, texts[number], _proposed(of_document), of_document)
        found += (each for each in proposed if each.best_of or each.mean >= FLOOR)
    repeats = _repeats(texts, found)
    further = [{*places, *repeats[number]} for number, places in enumerate(more)] or repeats
    return with_further(found, texts, predictions, further)


def with_further(
    found: Sequence[PhiCandidate],
    texts: Sequence[str],
    predictions: Sequence[Sequence[CrfMarginals]],
    more: Further,
) -> list[PhiCandidate]:
    """Return candidates of one patient and further ones, in order."""
    known = {(each.document, each.place) for each in found}
    whole = list(found)
    for number, places in enumerate(more):
        new = dict.fromkeys((each for each in places if (number, each) not in known), 0)
        whole += _judged(number, texts[number], new, predictions[number])
    return sorted(whole, key=lambda each: (each.document, each.place))


def _proposed(predictions: Sequence[CrfMarginals]) -> dict[LabelledSpan, int]:
    places: dict[LabelledSpan, int] = {}
    for number, prediction in enumerate(predictions):
        for place in prediction.tags():
            places[place] = places.get(place, 0) | 1 << number
        for place in prediction.alternatives():
            places.setdefault(place, 0)
    return places


def _judged(
    number: int,
    text: str,
    places: Mapping[LabelledSpan, int],
    predictions: Sequence[CrfMarginals],
) -> Iterator[PhiCandidate]:
    """Yield candidates in a document at `places`, with the CRFs on whose best path each is."""
    listed = list(places)
    of_crfs = [prediction.probabilities(listed) for prediction in predictions]
    for place, *probabilities in zip(listed, *of_crfs, strict=True):
        words = text[place.start : place.end]
        yield PhiCandidate(number, place, words, tuple(probabilities), places[place])


def _repeats(texts: Sequence[str], found: Sequence[PhiCandidate]) -> list[set[LabelledSpan]]:
    """Where the text of a sure candidate stands in each of the patient's records."""
    sure: defaultdict[tuple[str, str], int] = defaultdict(int)
    for candidate in found:
        if candidate.mean >= SURE and len(candidate.text) >= SHORTEST_REPEAT:
            sure[candidate.text, candidate.place.phi_type] += 1
    places: list[set[LabelledSpan]] = [set() for _ in texts]
    for (phrase, phi_type), times in sure.items():
        if sum(text.count(phrase) for text in texts) > times:
            for own, text in zip(places, texts, strict=True):
                for each in occurrences(phrase, text):
                    own.add(LabelledSpan(each.span.start, each.span.end, phi_type))
    return places

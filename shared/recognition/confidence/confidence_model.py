"""How sure to be of a candidate: a model of when it is right.

It is fitted to what CRFs made of patients that they had not seen (stacking), so that its
confidence is calibrated, and it knows what a CRF cannot: what the other CRFs think, what competes
for the same characters, which words tags begin and end with, and what became of candidates like
this one. So it chooses anew among all that is proposed, as a re-ranker does (Collins 2000).
"""

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from shared.recognition.confidence.boosted_trees import (
    BoostedTrees,
    fit_trees,
    trees_from,
    trees_table,
)
from shared.recognition.confidence.proposals import PartCandidates, Proposals
from shared.recognition.confidence.span_features import (
    candidate_keys,
    feature_count,
    span_features,
)
from shared.recognition.confidence.tagged_words import ROLES, LikeCandidates, TaggedWords
from shared.recognition.crf.marginals import CrfMarginals, LabelledSpan
from shared.recognition.features import TokenizedDocument

GROUPS = 5
"""What a patient of one group is asked about was counted in those of the others.

So it knows as little of the patient as of new ones. The fewer the groups, the less it knows than
it will in the end, which the trees cannot tell: with two groups half of what they gain was lost.
"""


@dataclass(frozen=True, slots=True)
class JudgedPatient:
    """Of a held-out patient: the candidates of each part, and the right places in it.

    `tagged` was counted in the patients of other groups than `group`, which is below `GROUPS`.
    """

    parts: Sequence[PartCandidates]
    gold: Sequence[set[LabelledSpan]]
    group: int
    tagged: TaggedWords

    def right(self) -> list[bool]:
        """Whether each candidate is, part by part."""
        pairs = zip(self.parts, self.gold, strict=True)
        return [each.place in gold for part, gold in pairs for each in part.found]


@dataclass(frozen=True, slots=True)
class ConfidenceModel:
    """Trees, and the counts that they ask about a candidate; types are numbered by their order."""

    types: tuple[str, ...]
    tagged: TaggedWords
    like: LikeCandidates
    trees: BoostedTrees
    _proposals: Proposals = field(init=False, compare=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "_proposals", Proposals(self.tagged))

    def candidates(
        self,
        tokenized: Sequence[TokenizedDocument],
        predictions: Sequence[Sequence[CrfMarginals]],
        more: Sequence[Iterable[LabelledSpan]] = (),
    ) -> list[PartCandidates]:
        """Return what there is to choose from in each part of a patient's records."""
        return self._proposals.candidates(tokenized, predictions, more)

    def confidences(self, parts: Sequence[PartCandidates]) -> list[float]:
        """Return how probable it is that each candidate of a patient is right, part by part."""
        rows = span_features(parts, self.types, self.tagged, self.like)
        return self.trees.probabilities(rows).tolist() if len(rows) else []


def fit_confidence_model(
    patients: Sequence[JudgedPatient], tagged: TaggedWords, seed: int
) -> ConfidenceModel | None:
    """Fit to held-out patients; None where all candidates are right or none is.

    `tagged` is what the model will know, counted in all patients that it may learn from.
    """
    types = tuple(sorted({kind for each in patients for kind in _types(each)}))
    right = [is_right for each in patients for is_right in each.right()]
    if len(set(right)) < 2:
        return None
    like = [_counted(each for each in patients if each.group != group) for group in range(GROUPS)]
    rows = [
        span_features(each.parts, types, each.tagged, like[each.group])
        for each in patients
        if any(part.found for part in each.parts)
    ]
    trees = fit_trees(np.concatenate(rows), right, seed)
    return ConfidenceModel(types, tagged, _counted(patients), trees)


def _types(patient: JudgedPatient) -> set[str]:
    return {each.place.phi_type for part in patient.parts for each in part.found}


def _counted(patients: Iterable[JudgedPatient]) -> LikeCandidates:
    """Count the candidates of patients by their keys."""
    like = LikeCandidates()
    for patient in patients:
        for part, gold in zip(patient.parts, patient.gold, strict=True):
            residuals = [(each.place in gold) - each.mean for each in part.found]
            like.add(candidate_keys(part), residuals)
    return like


def confidence_table(model: ConfidenceModel) -> dict[str, Any]:
    """Return what a file says of it; `confidence_model_from` reads that."""
    return {
        "types": list(model.types),
        "tagged": model.tagged.roles,
        "seen": model.tagged.seen,
        "like": {
            key: [count, round(model.like.residuals[key], 4)]
            for key, count in model.like.records.items()
        },
        "trees": trees_table(model.trees),
    }


def confidence_model_from(table: Mapping[str, Any], crfs: int) -> ConfidenceModel:
    """Read it for so many CRFs. Raises what a table of another shape ends in, `MALFORMED`."""
    roles = {
        role: {
            str(text): {str(kind): int(count) for kind, count in counts.items()}
            for text, counts in table["tagged"][role].items()
        }
        for role in ROLES
    }
    seen = {str(text): int(count) for text, count in table["seen"].items()}
    like = {str(key): (int(count), _finite(value)) for key, (count, value) in table["like"].items()}
    return ConfidenceModel(
        tuple(map(str, table["types"])),
        TaggedWords(roles, seen),
        LikeCandidates(
            {key: count for key, (count, _) in like.items()},
            {key: value for key, (_, value) in like.items()},
        ),
        trees_from(table["trees"], feature_count(crfs)),
    )


def _finite(value: object) -> float:
    number = float(value)  # pyright: ignore[reportArgumentType]  what is no number is malformed
    if not math.isfinite(number):
        raise ValueError
    return number

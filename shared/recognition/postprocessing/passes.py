"""What the records of a patient make of suggestions together."""

from collections.abc import Sequence
from dataclasses import replace

from shared.recognition.postprocessing.ages import find_ages
from shared.recognition.postprocessing.ambiguous_dates import classify_dates
from shared.recognition.postprocessing.extents import extend_to_known
from shared.recognition.postprocessing.initials import resolve_initials
from shared.recognition.postprocessing.listed_places import boost_listed_places
from shared.recognition.postprocessing.mention_propagation import propagate_mentions
from shared.recognition.postprocessing.name_completion import complete_names
from shared.recognition.postprocessing.name_roles import assign_name_roles
from shared.recognition.postprocessing.partial_name_extension import extend_partial_names
from shared.recognition.postprocessing.plausibility_filter import remove_implausible
from shared.recognition.postprocessing.record_numbers import classify_numbers
from shared.recognition.postprocessing.years import find_years
from shared.recognition.recognizer import Suggestion

CONFIDENCE_SHARPENING = 1.5
"""CRFs that learnt with attributes left out are less sure than they are right, their mean more so:
by so much the logit of a confidence is raised. Measured on fabricated notes of other templates
than those learnt from, where any factor from 1.25 to 2 lowers the calibration error."""
_LEAST = 1e-6


def apply_passes(
    texts: Sequence[str], suggested: Sequence[Sequence[Suggestion]]
) -> list[tuple[Suggestion, ...]]:
    """Return the suggestions of a patient's texts as all of them together want them.

    Names and roles are settled once more where names were found that had been overlooked.
    """
    can_be = extend_to_known(
        texts,
        [
            boost_listed_places(text, remove_implausible(text, found))
            for text, found in zip(texts, suggested, strict=True)
        ],
    )
    days = [classify_dates(text, found) for text, found in zip(texts, can_be, strict=True)]
    timed = find_ages(texts, find_years(texts, days))
    named = resolve_initials(
        texts, assign_name_roles(texts, complete_names(texts, extend_partial_names(texts, timed)))
    )
    heard = classify_numbers(
        texts, assign_name_roles(texts, complete_names(texts, propagate_mentions(texts, named)))
    )
    return [tuple(map(_sharpened, found)) for found in heard]


def _sharpened(one: Suggestion) -> Suggestion:
    sure = min(max(one.confidence, _LEAST), 1 - _LEAST)
    odds = (sure / (1 - sure)) ** CONFIDENCE_SHARPENING
    return replace(one, confidence=odds / (1 + odds))

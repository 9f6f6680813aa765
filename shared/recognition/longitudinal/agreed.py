"""What the records of a patient make of suggestions together."""

from collections.abc import Sequence

from shared.recognition.longitudinal.ages import with_ages
from shared.recognition.longitudinal.days import dated
from shared.recognition.longitudinal.echoes import echoed
from shared.recognition.longitudinal.initials import expanded
from shared.recognition.longitudinal.names import settled
from shared.recognition.longitudinal.numbers import numbered
from shared.recognition.longitudinal.sound import sound
from shared.recognition.longitudinal.years import with_years
from shared.recognition.suggestion import Suggestion


def agreed(
    texts: Sequence[str], suggested: Sequence[Sequence[Suggestion]]
) -> list[tuple[Suggestion, ...]]:
    """Return the suggestions of a patient's texts as all of them together want them.

    Names and roles are settled once more where names were found that had been overlooked.
    """
    can_be = [sound(text, found) for text, found in zip(texts, suggested, strict=True)]
    days = [dated(text, found) for text, found in zip(texts, can_be, strict=True)]
    timed = with_ages(texts, with_years(texts, days))
    whole = expanded(texts, settled(texts, timed))
    return numbered(texts, settled(texts, echoed(texts, whole)))

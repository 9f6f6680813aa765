"""What is written over the end of a line, and dates, as long as they are.

A model that is surer of `2070` than of `1 May 2070` cuts the date, and one that reads tokens takes
`Var-` for a name where the next line begins with `ga`.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace

from shared.language.ambiguity import is_common_word
from shared.language.dates_in_text import dates_in
from shared.language.languages import Language
from shared.model import Span
from shared.model.phi_traits import EntityKind
from shared.recognition.postprocessing.patient_suggestions import PatientSuggestions
from shared.recognition.recognizer import Suggestion, keep_most_confident

_PART = r"[^\W\d_]+(?:['’][^\W\d_]+)*"
_BROKEN_WORD = re.compile(
    rf"(?:{_PART}-)*(?P<before>{_PART})-\n[ \t]*(?P<after>{_PART})(?:-{_PART})*"
)


def join_broken_mentions(patient: PatientSuggestions) -> PatientSuggestions:
    """Make dates, and what is broken over two lines, whole; parts of one thing become one."""
    return patient.with_found(
        _joined(patient, text, found) if found else found for text, found in patient.records()
    )


def _joined(
    patient: PatientSuggestions, text: str, found: Sequence[Suggestion]
) -> tuple[Suggestion, ...]:
    is_date = [patient.kind(one) is EntityKind.DATE for one in found]
    dates = [one for one, each in zip(found, is_date, strict=True) if each]
    others = [one for one, each in zip(found, is_date, strict=True) if not each]
    if dates:
        dates = _made_whole(
            dates, (Span(each.start, each.end) for each in dates_in(text, patient.language))
        )
    named = [one for one in others if patient.is_person(one) or patient.kind(one).is_place]
    if named and "-\n" in text:
        rest = [one for one in others if one not in named]
        others = [*rest, *_made_whole(named, broken_words(text, patient.language))]
    return keep_most_confident([*dates, *others])


def broken_words(text: str, language: Language) -> Iterator[Span]:
    """Yield every word with a hyphen at the end of a line, and what goes on in the next.

    What goes on with a small word of notes begins something else: `Dr. Lee-` and `for now`.
    """
    for found in _BROKEN_WORD.finditer(text):
        after = found["after"]
        if not (after.islower() and is_common_word(after, language)):
            yield Span(*found.span())


def _made_whole(found: Sequence[Suggestion], wholes: Iterator[Span]) -> list[Suggestion]:
    """Return the suggestions, those that are within or across the edge of a whole as one."""
    made = list(found)
    for whole in wholes:
        parts = [one for one in made if one.span.overlaps(whole)]
        if parts and not (len(parts) == 1 and parts[0].span.contains(whole)):
            surest = max(parts, key=lambda one: one.confidence)
            start, end = min(whole.start, parts[0].start), max(whole.end, parts[-1].end)
            made = [one for one in made if one not in parts]
            made.append(replace(surest, span=Span(start, end)))
            made.sort(key=lambda one: one.start)
    return made

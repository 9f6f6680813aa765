"""Which numbers are record numbers and which are not, decided over all records of a patient.

A record number comes again and again; the number of a specimen or of a dictation is that of one
record, and stands beside a record number that is surer.
"""

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import replace

from shared.model import PhiType
from shared.model.phi_traits import EntityKind
from shared.recognition.postprocessing.patient_suggestions import PatientSuggestions
from shared.recognition.recognizer import Suggestion

MIN_CONFIDENCE = 0.5
"""Suggestions of at least this confidence have a vote."""
_CALLED, _REPEATED, _SECOND, _UNLIKE = 0.8, 0.4, 0.8, 0.4
"""What a label, each further record, a surer record number beside it, and not to be of the shape of
those that come again weigh against confidence."""
_FEWEST_DIGITS = 6
_MOST_RECORDS = 3
_LABEL = 24
_RECORD_LABEL = r"(?i)\b{record_number_before}[^;]{0,12}$"
_OTHER_LABEL = r"(?i)\b{other_number_before}[^;]{0,12}$"
_FAX_LABEL = r"(?i)\b{fax_before}[^\d\n]{0,20}\s?$"


def classify_numbers(patient: PatientSuggestions) -> PatientSuggestions:
    """Make every number what it is: a record number or another, a telephone or a fax."""
    record, other = patient.type_of(EntityKind.RECORD_NUMBER), patient.type_of(EntityKind.NUMBER)
    numbers = None
    if record is not None and other is not None and record != other:
        numbers = RecordNumbers(patient, record, other)
    fax = patient.type_of(EntityKind.FAX)
    fax_label = patient.language.expression(_FAX_LABEL)
    return patient.with_found(
        [
            numbers.classified(text, one, found)
            if numbers and one.phi_type in numbers.types
            else replace(one, phi_type=fax)
            if fax
            and patient.kind(one) is EntityKind.PHONE
            and fax_label.search(text, max(0, one.start - _LABEL), one.start)
            else one
            for one in found
        ]
        for text, found in patient.records()
    )


class RecordNumbers:
    """In which of a patient's texts each number stands that is a record number or of no kind."""

    def __init__(self, patient: PatientSuggestions, record: PhiType, other: PhiType) -> None:
        self._record, self._other = record, other
        self._language = patient.language
        self._texts: defaultdict[str, set[int]] = defaultdict(set)
        for number, (text, found) in enumerate(patient.records()):
            for digits, _ in self._numbers(text, found):
                self._texts[digits].add(number)
        self._shapes = {_shape(each) for each, texts in self._texts.items() if len(texts) > 1}

    @property
    def types(self) -> set[PhiType]:
        return {self._record, self._other}

    def classified(self, text: str, one: Suggestion, found: Sequence[Suggestion]) -> Suggestion:
        """Return the number of a text as what labels, repeats and the others of the text say."""
        digits = _digits(one.span.text_in(text))
        score = one.confidence if one.phi_type == self._record else -one.confidence
        score += self._by_label(text, one, found)
        if len(digits) >= _FEWEST_DIGITS:
            score += _REPEATED * (min(_MOST_RECORDS, len(self._texts.get(digits, ()))) - 1)
        if self._shapes and _shape(digits) not in self._shapes:
            score -= _UNLIKE
        if not score:
            return one
        return replace(one, phi_type=self._record if score > 0 else self._other)

    def _by_label(self, text: str, one: Suggestion, found: Sequence[Suggestion]) -> float:
        before = text[max(0, one.start - _LABEL) : one.start].rpartition("\n")[2]
        if self._language.expression(_RECORD_LABEL).search(before):
            return _CALLED
        if self._language.expression(_OTHER_LABEL).search(before):
            return -_CALLED
        digits = _digits(one.span.text_in(text))
        is_second = any(
            each.phi_type == self._record and other != digits and each.confidence > one.confidence
            for other, each in self._numbers(text, found)
        )
        return -_SECOND if is_second else 0.0

    def _numbers(self, text: str, found: Sequence[Suggestion]) -> Iterator[tuple[str, Suggestion]]:
        for one in found:
            if one.phi_type in self.types and one.confidence >= MIN_CONFIDENCE:
                yield _digits(one.span.text_in(text)), one


def _shape(digits: str) -> str:
    return "".join("0" if char.isdigit() else "A" for char in digits)


def _digits(text: str) -> str:
    return "".join(char for char in text if char.isalnum())

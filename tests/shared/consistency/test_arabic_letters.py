"""A text in Arabic is the same with letters that are written for each other."""

import pytest

from shared.consistency.check import check_patient
from shared.consistency.findings import EXACT_KINDS, FindingKind
from tests.builders import document, layer, tagged_records

SOURCES = {
    "[أحمد|PATIENT] جاء. خرج احمد.": "احمد",
    "[احمد|PATIENT] جاء. خرج أحمد.": "أحمد",
    "[فاطمة سالم|PATIENT] جاءت. خرجت فاطمه سالم.": "فاطمه سالم",
    "[الجامعي|DOCTOR] جاء. خرج الجامعى.": "الجامعى",
    "[أحمد|PATIENT] جاء. شرح لأحمد.": "أحمد",
    "[أحمد|PATIENT] جاء. شرح لاحمد.": "احمد",
    "[أحمد|PATIENT] جاء. شرح وأَحْمَد.": "أَحْمَد",
    "[00391245|MEDICALRECORD] رقم الملف: ٠٠٣٩١٢٤٥": "٠٠٣٩١٢٤٥",
}


@pytest.mark.parametrize(("source", "text"), SOURCES.items())
@pytest.mark.parametrize("kinds", [FindingKind, EXACT_KINDS], ids=["all", "exact"])
def test_the_check_finds_it(source, text, kinds):
    records = tagged_records([document(source)], [layer(source)])
    (found,) = check_patient(records, kinds=kinds)
    assert (found.kind, found.text) == (FindingKind.REPEAT, text)
    assert found.certainty >= 0.5

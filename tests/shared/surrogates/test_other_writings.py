"""Authentic names, numbers and days as no tag has them, and what only looks so."""

import pytest

from shared.language.languages import language
from shared.surrogates.leak_check import DAY, DIGITS, INITIALS, PART, LeakRules, find_leaks
from tests.shared.surrogates.conftest import Replace, gold_of


def found(
    replaced: Replace, code: str, source: str, ordinary: tuple[str, ...] = ()
) -> list[tuple[str, str]]:
    new = replaced(source, spoken=code)
    leaks = find_leaks(new, gold_of(source), LeakRules(language(code), frozenset(ordinary)))
    text = new.documents[0].text
    return [(each.what, each.span.text_in(text)) for each in leaks if each.span]


@pytest.mark.parametrize(
    ("code", "source", "what", "left"),
    [
        ("en", "[Ann Hawkins|PATIENT] (H A W K I N S)", PART, "H A W K I N S"),
        ("en", "[Ann Hawkins|PATIENT] H.A.W.K.I.N.S", PART, "H.A.W.K.I.N.S"),
        ("es", "[Eva Mendizábal|PATIENT] (M E N D I Z Á B A L)", PART, "M E N D I Z Á B A L"),
        ("en", "[Ann Hawkins|PATIENT] (A. H.)", INITIALS, "A. H."),
        ("en", "[Ann M. Hawkins|PATIENT], A.M.H. said", INITIALS, "A.M.H."),
        ("de", "[Lina Weber-Kunz|PATIENT] (L. K.)", INITIALS, "L. K."),
        ("en", "MRN [9033856|MEDICALRECORD], again 9O33856.", DIGITS, "9O33856"),
        ("en", "MRN [80335165|MEDICALRECORD], again 8O335l65.", DIGITS, "8O335l65"),
        ("en", "MRN [J090605|MEDICALRECORD], again JO9O6O5.", DIGITS, "O9O6O5"),
        ("de", "Tel. [09419 685802|PHONE], noch (O94l9 6858O2)", DIGITS, "O94l9 6858O2"),
        ("en", "pager [44428|PHONE], again 444-\n28.", DIGITS, "444-\n28"),
        ("es", "CP [27028|ZIP], repito 270\n28.", DIGITS, "270\n28"),
        ("en", "seen [March 5, 2071|DATE], home on the 5th.", DAY, "on the 5th"),
        ("en", "seen [March 5, 2071|DATE], on the 5th she fell", DAY, "on the 5th"),
        ("es", "ingreso el [5/3/2071|DATE], alta el día 5.", DAY, "el día 5"),
        ("de", "Aufnahme [5.3.2071|DATE], am 5. wurde sie entlassen", DAY, "am 5."),
        ("en", "[Mary Ames|PATIENT] came (M. A.)", INITIALS, "M. A."),
        ("es", "el [14/5/2008|DATE] (14-V-08)", DAY, "14-V-08"),
        ("de", "am [14.5.2008|DATE], 14. V. 08", DAY, "14. V. 08"),
        ("en", "seen [May 14, 2008|DATE] (05 - 14 - 08)", DAY, "05 - 14 - 08"),
        ("de", "Tel. [+49(0)520156699|PHONE], noch +49(O)52Ol56699", DIGITS, "49(O)52Ol56699"),
        ("en", "[Ann Hawkins|PATIENT], login ahawkins2", PART, "ahawkins2"),
        ("en", "[William Chill|PATIENT] (WILLIAMCHILL)", PART, "WILLIAMCHILL"),
        ("es", "[Adela Jara|PATIENT] (ajara)", PART, "ajara"),
        ("de", "[Ida Bähr|PATIENT] (Baehr)", PART, "Baehr"),
        ("de", "[Ida Mueller|PATIENT] (Müller)", PART, "Müller"),
    ],
)
def test_an_authentic_text_in_another_writing_is_found(
    replaced: Replace, code: str, source: str, what: str, left: str
) -> None:
    assert (what, left) in found(replaced, code, source)


@pytest.mark.parametrize(
    ("code", "source"),
    [
        ("en", "[Ann Hawkins|PATIENT] A B C D E F"),
        ("en", "[Ann Hawkins|PATIENT] (J. H.), a. h., AH"),
        ("en", "[Mary Davis|DOCTOR], M.D., here"),
        ("en", "[Mary Ames|DOCTOR]\nEva Winter M.A."),
        ("en", "seen [May 14, 2008|DATE]; 14-IV-08, 14 v 08"),
        ("en", "MRN [9033856|MEDICALRECORD], 5 mol, 10 l O2"),
        ("en", "pager [44428|PHONE]\n1. 444\n2. 28"),
        ("en", "seen [May 14, 2008|DATE]; 5 - 14 - 20 mg, 1 - 0 - 1"),
        ("en", "seen [March 5, 2071|DATE], pain on the 5th toe, on the 6th."),
        ("en", "seen [March 5, 2071|DATE], on the 5th and 6th days"),
        ("es", "el [5/3/2071|DATE]; el día 5 de ingreso, el día 5 postoperatorio"),
        ("de", "am [5.3.2071|DATE]; am 5. Tag, am 5. postoperativen Tag, am 5. und 6. Tag"),
        ("en", "[Sam Tone|PATIENT] has a stone"),
    ],
)
def test_what_only_looks_like_another_writing(replaced: Replace, code: str, source: str) -> None:
    assert found(replaced, code, source, ordinary=("stone",)) == []


@pytest.mark.parametrize(
    ("source", "left"),
    [
        ("[Ann Norton|PATIENT]. Norton's disease is worse.", ["Norton"]),
        ("[Ann Norton|DOCTOR]. Norton's disease is worse.", []),
        ("[Ann Bell|PATIENT]. Bell's palsy is worse.", ["Bell"]),
        ("[Ann Foley|PATIENT]. A Foley catheter was placed.", []),
    ],
)
def test_a_patient_s_name_is_told_where_a_doctor_s_would_be_an_eponym(
    replaced: Replace, source: str, left: list[str]
) -> None:
    assert [text for _, text in found(replaced, "en", source)] == left


@pytest.mark.parametrize(
    ("source", "left"),
    [
        ("[Ann Marsh|PATIENT]; gait trouble (MARSH's disease)", ["MARSH"]),
        ("[Ann Marsh|PATIENT]; near the marsh's end", []),
        ("[Ann Marsh|DOCTOR]; gait trouble (MARSH's disease)", []),
    ],
)
def test_a_patient_s_name_that_is_a_word_is_told_in_the_genitive(
    replaced: Replace, source: str, left: list[str]
) -> None:
    assert [text for _, text in found(replaced, "en", source, ordinary=("marsh",))] == left


def test_a_word_with_a_sign_that_nobody_sees_is_told_though_it_is_a_word(
    replaced: Replace,
) -> None:
    source = "[Ann Marsh|PATIENT]; MAR\u200bSH"
    assert found(replaced, "en", source, ordinary=("marsh",)) == [(PART, "MAR\u200bSH")]


@pytest.mark.parametrize(
    ("source", "left"),
    [
        ("[Ann Marsh|PATIENT]\nMARSH was seen", ["MARSH"]),
        ("[Ann Marsh|PATIENT]\nMARSH: none", ["MARSH"]),
        ("[Ann Marsh|DOCTOR]\nMARSH was seen", ["MARSH"]),
        ("[Ann Marsh|DOCTOR]\nMARSH: none", []),
        ("[Ann Marsh|DOCTOR]\nMARSH FINDINGS of today", []),
    ],
)
def test_a_name_that_is_a_word_is_told_in_capitals_before_small_letters(
    replaced: Replace, source: str, left: list[str]
) -> None:
    assert [text for _, text in found(replaced, "en", source, ordinary=("marsh",))] == left


@pytest.mark.parametrize(
    ("code", "source", "left"),
    [
        ("es", "[Ana Flores|PATIENT]. AVISADA FLORES HOY", "FLORES"),
        ("es", "[Ana Flores|PATIENT]. Se avisa a FLORES hoy", "FLORES"),
        ("de", "[Rosa Stein|PATIENT]. STEIN ANGERUFEN", "STEIN"),
        ("de", "[Rosa Stein|PATIENT]. Heute STEIN angerufen", "STEIN"),
    ],
)
def test_the_patients_name_is_told_in_capitals_though_it_is_a_word(
    replaced: Replace, code: str, source: str, left: str
) -> None:
    assert found(replaced, code, source, ordinary=("flores", "stein")) == [(PART, left)]


@pytest.mark.parametrize(
    ("code", "source", "left"),
    [
        ("de", "[Anna Graf|DOCTOR] (HEUTE FRAU GRAF ANGERUFEN)", "GRAF"),
        ("en", "[Ann Stone|DOCTOR]. CALLED MRS. STONE TODAY", "STONE"),
        ("es", "[Ana Flores|DOCTOR]. AVISADA LA SRA. FLORES HOY", "FLORES"),
    ],
)
def test_a_clinicians_name_that_is_a_word_is_told_behind_a_title_in_capitals(
    replaced: Replace, code: str, source: str, left: str
) -> None:
    assert found(replaced, code, source, ordinary=("graf", "stone", "flores")) == [(PART, left)]

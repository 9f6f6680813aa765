"""German records from rules to surrogates."""

from random import Random

import pytest

from shared.consistency.check import check_patient
from shared.consistency.findings import Finding
from shared.consistency.patient_records import PatientRecords
from shared.language.languages import language
from shared.model.i2b2_2014 import I2B2_2014
from shared.recognition.rules import Rules, shipped_patterns
from shared.surrogates.leak_check import LeakRules, find_leaks
from shared.surrogates.replacement import replace_patient
from shared.surrogates.surrogate_kinds import SurrogateSettings, kinds_of
from tests.builders import document, layer, patient

GERMAN = language("de")
LETTER = """
[Universitätsklinikum Birkenau|HOSPITAL]
Klinik für Kardiologie, Chefarzt Prof. Dr. med. [Lutz Sieger|DOCTOR]
[Ahornweg 4|STREET], [79098|ZIP] [Freiburg im Breisgau|CITY], Tel.: [0761/270-4431|PHONE]
Arztbrief vom [03.03.2071|DATE]
Sehr geehrte Frau Kollegin Dr. [von Hagen|DOCTOR],
wir berichten über Frau [Ilse Sommer|PATIENT], geb. [12.04.1995|DATE], Fallnummer: \
[20714711|MEDICALRECORD], die sich vom [27.02.|DATE] bis [3. März 2071|DATE] hier befand.
Diagnosen: Morbus Parkinson, Vorhofflimmern. RR 130/80, Kalium 4,5 mmol/l, Metoprolol 47,5 mg 1-0-1.
Die [76|AGE]-jährige Patientin wurde von ihrer Schwägerin begleitet.
OA Dr. [B. Herbst|DOCTOR]
"""


def test_rules_find_what_a_letter_holds_and_nothing_else() -> None:
    text, wanted = document(LETTER).text, layer(LETTER).tags
    (found,) = Rules(shipped_patterns(("de",)), I2B2_2014).suggest([document(LETTER)])
    assert [(text[each.start : each.end], each.phi_type) for each in found] == [
        (each.span.text_in(text), each.phi_type) for each in wanted
    ]


HEADED = """
[Zschopau|CITY], den [12.3.2024|DATE]

Patientin wohnhaft in [Bad Muskau|CITY], [Försterring 2|STREET]; Ihr Sohn [Jan Lutz|PATIENT] wohnt
in Betreutem Wohnen. Reha in Planung, Verlegung nach Rücksprache; arbeitet als [Köchin|PROFESSION].
Beck, Anästhesie. Ihre Mutter Mamma Karzinom. Er stammt aus [Polen|COUNTRY].
Labor, [12.03.2024|DATE]
Operation, den [3.4.2024|DATE]
Wohnort: unbekannt
[Görlitz|CITY], [4. Mai 2024|DATE]
"""


def test_rules_find_where_a_letter_was_written_and_no_other_noun_before_a_day() -> None:
    text, wanted = document(HEADED).text, layer(HEADED).tags
    (found,) = Rules(shipped_patterns(("de",)), I2B2_2014).suggest([document(HEADED)])
    assert [(text[each.start : each.end], each.phi_type) for each in found] == [
        (each.span.text_in(text), each.phi_type) for each in wanted
    ]


def test_surrogates_read_as_german_and_leave_nothing() -> None:
    gold = {"110-01": layer(LETTER, "110-01", "gold")}
    settings = SurrogateSettings(kinds_of(I2B2_2014), GERMAN)
    new = replace_patient(patient(LETTER), gold, settings, Random(4))
    assert find_leaks(new, gold, LeakRules(GERMAN)) == ()
    by_text = {each.original: each.surrogate for each in new.replacements}
    assert by_text["von Hagen"].startswith("von ")
    assert by_text["3. März 2071"].split()[1] in GERMAN.dates.months
    assert by_text["27.02."].endswith(".")
    assert by_text["Universitätsklinikum Birkenau"].startswith("Universitätsklinikum ")
    assert by_text["Ahornweg 4"].split()[0] in GERMAN.places.streets
    cities = {city: each for each in GERMAN.regions.values() for city in each.cities}
    assert cities[by_text["Freiburg im Breisgau"]].country == "DE"


def findings(source: str) -> dict[str, Finding]:
    records = PatientRecords([document(source)], [layer(source)], I2B2_2014, "de")
    return {each.text: each for each in check_patient(records, certainty=0.0)}


@pytest.mark.parametrize("written", ["3.3.71", "03.03.2071", "3. Mrz 2071"])
def test_the_same_day_is_found_however_it_is_written(written: str) -> None:
    assert findings(f"am [3. März 2071|DATE], Kontrolle {written} hier")[written].certainty > 0.8


def test_a_day_keeps_its_full_stop() -> None:
    assert not findings("bis [27.02.|DATE] hier")


def test_a_family_name_that_is_a_season_is_sure_behind_a_title_only() -> None:
    found = check_patient(
        PatientRecords(
            [document("Frau [Sommer|PATIENT]. Frau Sommer kam im Sommer wieder.")],
            [layer("Frau [Sommer|PATIENT]. Frau Sommer kam im Sommer wieder.")],
            I2B2_2014,
            "de",
        ),
        certainty=0.0,
    )
    titled, season = (each.certainty for each in found)
    assert titled > season


def test_a_noun_is_seldom_a_misspelt_name() -> None:
    source = "Herr [Kanter|PATIENT] sah den Kantor."
    records = [document(source)], [layer(source)], I2B2_2014
    german, english = (
        check_patient(PatientRecords(*records, code), certainty=0.0)[0].certainty
        for code in ("de", "en")
    )
    assert german < english

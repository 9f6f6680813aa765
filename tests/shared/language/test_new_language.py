"""A language is a folder: an invented one goes through rules, variants, check and surrogates."""

from collections.abc import Iterator
from pathlib import Path
from random import Random

import pytest

from shared.consistency.check import check_patient
from shared.consistency.findings import FindingKind
from shared.consistency.patient_records import PatientRecords
from shared.formats.schema_auto import guessed_types, schema_of_types
from shared.formats.schema_toml import schema_from_table
from shared.language.detection import detect
from shared.language.languages import Language, language, languages_in
from shared.language.variants import find_variants, variants
from shared.model import EntityKind, PersonRole, PhiType
from shared.model.i2b2_2014 import I2B2_2014
from shared.recognition.rules import Rules, shipped_patterns
from shared.surrogates.leak_check import LeakRules, find_leaks
from shared.surrogates.mentions import SurrogatePatient
from shared.surrogates.replacement import replace_patient
from shared.surrogates.surrogate_kinds import SurrogateSettings, kinds_of
from tests.builders import document, layer, patient, traits

LANGUAGE = """
name = "Ulunian"
stopwords = "ulu mo ka siru tano"

[names]
honorifics_men = "gor"
honorifics_women = "gara"
clinician_titles = "tov"
degrees = "kmd"
particles = "zha"
kinship_women = "mirra"

[dates]
day_first = true
months = "Unel Duel Trel Kvel Pentel Sestel Septel Oktel Novel Dekel Onzel Duzel"
weekdays = "Lunto Marto Merko Jovto Vento Sabto Domto"
seasons = "frosto floro sunno falo"
between = "zo"
forms = ["{day} zo {month} {year}"]
holiday = [{ name = "Lumofesto", rule = "6-21" }, { name = "Novjaro", rule = "1-1" }]

[places]
small_words = "zo"
hospital_words = "sanejo"
generic_words = "sanejo urba"
stems = ["Abeto", "Beriko", "Cedro"]
streets = ["Abiovoj", "Betulvoj"]
generic_departments = ["korfako"]

[cues]
title_before = ['\\b(?:tov|gor|gara)\\W{1,3}']
"""
PATTERNS = """
[[pattern]]
kinds = ["staff"]
find = '\\bTov\\. (?P<phi>\\w+ (?:zha )?\\w+)'
confidence = 0.95
finds = ["Tov. [Ilvo zha Merun]"]
"""
NAMES = """
women = "Ilva Sanda Terna Vira"
men = "Ilvo Sando Terno Viro"
family = "Merun Tagor Belik Zorin"
"""
TYPE_NAMES = """
[categories]
date = "tagejo*"

[kinds]
hospital = "sanej*"

[roles]
staff = "kurac*"
"""
REGIONS = '[Q]\nname = "Quara"\npostal = "10000-19999"\ncities = ["Umo 10001", "Varo 10002"]\n'
REGIONS += '[R]\nname = "Rilia"\npostal = "20000-29999"\ncities = ["Sivo 20001"]\n'


@pytest.fixture
def invented(tmp_path: Path) -> Iterator[Language]:
    folder = tmp_path / "qx"
    folder.mkdir()
    files = {"language": LANGUAGE, "patterns": PATTERNS, "names": NAMES, "regions": REGIONS}
    files["type_names"] = TYPE_NAMES
    for name, text in files.items():
        (folder / f"{name}.toml").write_text(text, "utf-8")
    (folder / "common_words.txt").write_text("tagor\n", "utf-8")
    with languages_in(tmp_path):
        yield language("qx")


SOURCE = (
    "Tov. [Ilvo zha Merun|DOCTOR] mo [Sanda Belik|PATIENT] ka [3 zo Trel 2071|DATE].\n"
    "Ulu siru tano [Umo|CITY] mo Belik, S. ka 03/03/2071.\n"
)


def replaced(invented: Language, source: str = SOURCE) -> SurrogatePatient:
    gold = {"110-01": layer(source, "110-01", "gold")}
    settings = SurrogateSettings(kinds_of(I2B2_2014), invented)
    return replace_patient(patient(source), gold, settings, Random(1))


def test_its_small_words_tell_it(invented: Language) -> None:
    assert detect([document(SOURCE).text]) is invented


@pytest.mark.parametrize(
    ("name", "kind", "role"),
    [
        ("LOCATION:SANEJO", EntityKind.HOSPITAL, None),
        ("TAGEJOJ:IU", EntityKind.DATE, None),
        ("NAME:KURACISTO", EntityKind.PERSON, PersonRole.STAFF),
    ],
)
def test_its_words_tell_what_a_type_is(
    invented: Language, name: str, kind: EntityKind, role: PersonRole | None
) -> None:
    category, _, own = name.partition(":")
    phi_type = PhiType(category, own)
    read = schema_from_table(
        {"name": "own", "categories": [{"name": category, "types": [{"name": own}]}]}
    )
    for schema in (read, schema_of_types([phi_type], "own")):
        found = schema.traits_of(phi_type)
        assert (found.kind, found.role) == (kind, role)
        assert guessed_types(schema) == [phi_type]


def test_rules_find_what_its_patterns_say(invented: Language) -> None:
    rules = Rules(shipped_patterns((invented.code,)), I2B2_2014)
    text = document(SOURCE).text
    (found,) = rules.suggest([document(SOURCE)])
    assert [(text[each.start : each.end], each.phi_type.name) for each in found] == [
        ("Ilvo zha Merun", "DOCTOR"),
        ("3 zo Trel 2071", "DATE"),
        ("03/03/2071", "DATE"),
    ]


def test_its_names_and_dates_are_written_otherwise(invented: Language) -> None:
    names = {each.text for each in variants("Tov. Ilvo zha Merun, KMD", traits("DOCTOR"), invented)}
    assert {"zha Merun, Ilvo", "I. zha Merun"} <= names
    assert not any("kmd" in each.lower() or "tov" in each.lower() for each in names)
    (found,) = find_variants("3 zo Trel 2071", traits("DATE"), ["ka 03/03/2071"], invented)
    assert found.span.text_in("ka 03/03/2071") == "03/03/2071"


def test_the_check_reads_its_records(invented: Language) -> None:
    records = PatientRecords([document(SOURCE)], [layer(SOURCE)], I2B2_2014, invented.code)
    assert records.language is invented
    kinds = {each.kind: each.text for each in check_patient(records, certainty=0.0)}
    assert kinds[FindingKind.OTHER_FORMAT] == "03/03/2071"
    assert "Belik, S" in (kinds.get(FindingKind.INITIALS), kinds.get(FindingKind.NAME_PART))


def test_a_common_word_of_it_is_doubtful(invented: Language) -> None:
    source = "[Tagor|PATIENT] mo ka Tagor"
    sure = PatientRecords([document(source)], [layer(source)], I2B2_2014, "en")
    doubtful = PatientRecords([document(source)], [layer(source)], I2B2_2014, invented.code)
    assert check_patient(sure)[0].certainty > check_patient(doubtful, certainty=0.0)[0].certainty


def test_surrogates_are_of_it(invented: Language) -> None:
    new = replaced(invented)
    by_type = {each.tag.phi_type.name: each.surrogate for each in new.replacements}
    given, family = by_type["PATIENT"].split()
    assert given in invented.women
    assert family in invented.family
    assert " zha " in by_type["DOCTOR"]
    assert " zo " in by_type["DATE"]
    assert any(month in by_type["DATE"] for month in invented.dates.months)
    assert by_type["CITY"] in {city for each in invented.regions.values() for city in each.cities}


def test_what_is_left_of_a_name_is_a_leak(invented: Language) -> None:
    new = replaced(invented)
    gold = {"110-01": layer(SOURCE, "110-01", "gold")}
    leaks = find_leaks(new, gold, LeakRules(invented))
    assert {each.phi_type.name for each in leaks} >= {"PATIENT"}
    clean = "[Sanda Belik|PATIENT] mo ka ulu"
    gold = {"110-01": layer(clean, "110-01", "gold")}
    assert not find_leaks(replaced(invented, clean), gold, LeakRules(invented))

"""A type that only a schema file knows, wherever a program asks what a type is."""

import tomllib

import pytest

from adjudicator.disagreements import find_disagreements
from shared.consistency.check import check_patient
from shared.consistency.findings import FindingKind
from shared.formats.schema_toml import schema_from_table
from shared.language.languages import language
from shared.model import Layer, MergedView, Patient
from shared.surrogates.drawing import KeyedRandom
from shared.surrogates.replacement import replace_patient
from shared.surrogates.surrogate_kinds import SurrogateKind, SurrogateSettings, kinds_of
from tests.builders import marked_records, marked_up, phi

SCHEMA = schema_from_table(
    tomllib.loads("""
name = "own"
[[categories]]
name = "NAME"
types = [{ name = "PATIENT" }, { name = "RELATIVE" }]
[[categories]]
name = "OTHER"
types = [{ name = "ALLY", kind = "person", role = "relative" }, { name = "PET" }]
""")
)
SOURCE = "Mrs. [Ines Okafor|{0}] came. Okafor left. Yesterday Okafir rang."
NAMES = ("RELATIVE", "ALLY")


@pytest.mark.parametrize("name", NAMES)
def test_findings_take_it_for_the_name_of_a_person(name):
    found = check_patient(marked_records(SCHEMA, SOURCE.format(name)))
    assert [(each.text, each.kind, each.type_name) for each in found] == [
        ("Okafor", FindingKind.NAME_PART, name),
        ("Okafir", FindingKind.NEAR_SPELLING, name),
    ]


@pytest.mark.parametrize("name", NAMES)
def test_guidelines_hold_for_it(name):
    found = check_patient(marked_records(SCHEMA, f"[Mrs. Okafor|{name}]"), {FindingKind.GUIDELINE})
    assert [each.why for each in found] == ["a title is not part of the name"]


@pytest.mark.parametrize("name", NAMES)
def test_its_surrogates_are_names(name):
    kinds = kinds_of(SCHEMA)
    assert kinds.kind(phi(name, SCHEMA)) is SurrogateKind.PERSON
    text, tags = marked_up(SOURCE.format(name), SCHEMA)
    (document,) = [each.document for each in marked_records(SCHEMA, SOURCE.format(name)).records]
    gold = {"110-01": Layer.of("110-01", "gold", tags)}
    settings = SurrogateSettings(kinds, language("en"))
    new = replace_patient(Patient("110", (document,)), gold, settings, KeyedRandom(b"seed", "110"))
    (replaced,) = new.replacements
    assert len(replaced.surrogate.split()) == 2
    assert replaced.surrogate.istitle()
    assert replaced.surrogate not in text


@pytest.mark.parametrize("name", NAMES)
def test_disagreements_about_it_come_before_others(name):
    marked = f"[Rex|PET] and [Ines|{name}]"
    (record,) = marked_records(SCHEMA, marked).records
    layers = [Layer.of("110-01", who, tags) for who, tags in (("ana", record.tags), ("ben", ()))]
    view = MergedView(Patient("110", (record.document,)))
    found = find_disagreements(view, [layers], SCHEMA)
    assert [each.types[0].name for each in found] == [name, "PET"]


@pytest.mark.parametrize(
    ("said", "kind"),
    [
        ('kind = "profession", may_stay = true', SurrogateKind.KEEP),
        ('kind = "sex"', SurrogateKind.KEEP),
        ('kind = "sex", may_stay = false', SurrogateKind.OTHER),
        ('kind = "age"', SurrogateKind.AGE),
        ('kind = "fax"', SurrogateKind.PHONE),
    ],
)
def test_what_may_stay_stays_in_a_release(said, kind):
    types = f'types = [{{ name = "TYPE", {said} }}]'
    schema = schema_from_table(
        tomllib.loads(f'name = "own"\n[[categories]]\nname = "OTHER"\n{types}')
    )
    assert kinds_of(schema).kind(phi("TYPE", schema)) is kind

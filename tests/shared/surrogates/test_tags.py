"""Placeholders in place of PHI: one for everything that is tagged, the same for the same."""

import re
from random import Random

import pytest

from shared.formats.schema_auto import schema_of
from shared.language.languages import language
from shared.model import Document, Layer, Patient, PhiType, Span, Tag
from shared.model.i2b2_2014 import I2B2_2014
from shared.surrogates.leak_check import LeakRules
from shared.surrogates.replacement import replace_patient, replace_without_collisions
from shared.surrogates.surrogate_kinds import (
    ManualSurrogate,
    ReleaseMode,
    SurrogateSettings,
    kinds_of,
)
from tests.builders import patient
from tests.shared.surrogates.conftest import gold_of

TAGS = {"mode": ReleaseMode.TAGS}
SPANISH = (
    "Nombre: [[Ana|NOMBRE_SUJETO_ASISTENCIA]]. Edad: [[47|EDAD_SUJETO_ASISTENCIA]] Sexo: "
    "[[M|SEXO_SUJETO_ASISTENCIA]]. Ingreso: [[03/04/2010|FECHAS]]. País: [[España|PAIS]]. "
    "Mujer de [[47 años|EDAD_SUJETO_ASISTENCIA]], vista el [[3 de abril de 2010|FECHAS]] en "
    "[[Madrid|TERRITORIO]] por la Dra. [[Eva Ruiz|NOMBRE_PERSONAL_SANITARIO]]."
)


def meddocan(source: str) -> tuple[Patient, dict[str, Layer]]:
    """A record and its gold standard in MEDDOCAN's types, from a text marked with two brackets."""
    text, tags = "", []
    for piece in re.split(r"(\[\[[^\]]+\]\])", source):
        words, _, name = piece.strip("[]").partition("|")
        if piece.startswith("[["):
            tags.append(Tag(Span(len(text), len(text) + len(words)), PhiType("PHI", name)))
        text += words if piece.startswith("[[") else piece
    return Patient("1", (Document("1-01", "1", text),)), {"1-01": Layer.of("1-01", "g", tags)}


def test_every_phi_becomes_a_placeholder_and_the_rest_stays(replaced):
    new = replaced(
        "Seen [March 3, 2010|DATE] by Dr. [Lee|DOCTOR], a [53|AGE]-year-old [nurse|PROFESSION] of "
        "[Boston|CITY]; an [80|AGE] year old [choir singer|OTHER].",
        **TAGS,
    )
    assert new.documents[0].text == (
        "Seen [DATE-1] by Dr. [DOCTOR-1], a [AGE-1]-year-old [PROFESSION-1] of [CITY-1]; "
        "an [AGE-2] year old [OTHER-1]."
    )
    layer = new.layers["110-01"]
    for tag in layer.tags:
        assert tag.span.text_in(new.documents[0].text).startswith(f"[{tag.phi_type.name}-")


@pytest.mark.parametrize(
    ("spoken", "first", "other"),
    [
        ("en", "[March 3, 2010|DATE]", "[3/3/2010|DATE]"),
        ("en", "[Dennis Holcomb|PATIENT]", "Mr. [Holcomb|PATIENT]"),
        ("en", "Dr. [Dennis Holcomb|DOCTOR]", "[DH|DOCTOR]"),
        ("en", "[53|AGE]-year-old", "[fifty-three|AGE] years"),
        ("en", "[Massachusetts General Hospital|HOSPITAL]", "[MGH|HOSPITAL]"),
        ("en", "[453-39-84|MEDICALRECORD]", "[4533984|MEDICALRECORD]"),
        ("es", "[3 de abril de 2010|DATE]", "[03/04/2010|DATE]"),
        ("es", "[Ana Ruiz Gil|PATIENT]", "Sra. [Ruiz|PATIENT]"),
        ("de", "[3. April 2010|DATE]", "[03.04.2010|DATE]"),
        ("de", "[Vincenzo Rohleder|DOCTOR]", "gez. [VR|DOCTOR]"),
        ("es", "[1 mes y medio|AGE]", "[un mes y medio|AGE]"),
        ("en", "[Susan Black|DOCTOR]", "[SSB|DOCTOR]"),
    ],
)
def test_the_same_has_the_same_placeholder_in_all_records(surrogates, spoken, first, other):
    one, two = surrogates(f"{first} here.", f"And {other} there.", spoken=spoken, **TAGS)
    assert one == two


@pytest.mark.parametrize(
    ("first", "other"),
    [
        ("[March 3, 2010|DATE]", "[March 4, 2010|DATE]"),
        ("[July 1, 2010|DATE]", "[2010|DATE]"),
        ("[July 15, 2010|DATE]", "[July 2010|DATE]"),
        ("[Ann Lee|PATIENT]", "[Bob Moss|PATIENT]"),
        ("[Boston|CITY]", "[Worcester|CITY]"),
        ("[nurse|PROFESSION]", "[engineer|PROFESSION]"),
        ("[53|AGE]", "[54|AGE]"),
    ],
)
def test_what_is_not_the_same_has_another(surrogates, first, other):
    one, two = surrogates(f"{first} here and {other} there.", **TAGS)
    assert one != two


@pytest.mark.parametrize(
    ("spoken", "source", "shown"),
    [
        (
            "es",
            "[Noa Gil Vals|PATIENT], Dña. [Noa Gil|PATIENT], [Noa|PATIENT], Sra. [Gil|PATIENT]",
            [1, 1, 1, 1],
        ),
        ("en", "[Ann Lee|PATIENT], [A. Lee|PATIENT], husband [Bob Lee|PATIENT]", [1, 1, 2]),
        ("en", "[Ann Lee|PATIENT], husband [Bob Lee|PATIENT]; Mr. [Lee|PATIENT]", [1, 2, 3]),
        ("es", "[Noa Gil|PATIENT], [Noa Gil Vals|PATIENT], [Noa Gil Mas|PATIENT]", [1, 2, 3]),
    ],
)
def test_a_person_has_one_number_however_much_of_the_name_stands_there(
    surrogates, spoken, source, shown
):
    assert surrogates(source, spoken=spoken, **TAGS) == [f"[PATIENT-{each}]" for each in shown]


def test_initials_of_two_people_are_nobodys(surrogates):
    found = surrogates("[Dan Hill|DOCTOR], [Dora Hart|DOCTOR], [DH|DOCTOR]", **TAGS)
    assert found == ["[DOCTOR-1]", "[DOCTOR-2]", "[DOCTOR-3]"]


def test_records_with_types_of_meddocan_have_them_in_their_placeholders():
    one, gold = meddocan(SPANISH)
    settings = SurrogateSettings(
        kinds_of(schema_of(gold["1-01"].tags)), language("es"), mode=ReleaseMode.TAGS
    )
    assert replace_patient(one, gold, settings, Random(1)).documents[0].text == (
        "Nombre: [NOMBRE_SUJETO_ASISTENCIA-1]. Edad: [EDAD_SUJETO_ASISTENCIA-1] Sexo: "
        "[SEXO_SUJETO_ASISTENCIA-1]. Ingreso: [FECHAS-1]. País: [PAIS-1]. "
        "Mujer de [EDAD_SUJETO_ASISTENCIA-1], vista el [FECHAS-1] en "
        "[TERRITORIO-1] por la Dra. [NOMBRE_PERSONAL_SANITARIO-1]."
    )


def leaks(*sources: str, spoken: str = "en") -> list[str]:
    own = language(spoken)
    settings = SurrogateSettings(kinds_of(I2B2_2014), own, mode=ReleaseMode.TAGS)
    one, gold = patient(*sources), gold_of(*sources)
    new, found = replace_without_collisions(one, gold, settings, LeakRules(own), Random)
    texts = {each.record_id: each.text for each in new.documents}
    return [each.span.text_in(texts[each.record_id]) for each in found if each.span]


@pytest.mark.parametrize(
    ("spoken", "source", "left"),
    [
        ("en", "[Dennis Holcomb|PATIENT] and Holcomb.", "Holcomb"),
        ("en", "Seen [March 3, 2010|DATE]. Again in 2010.", "2010"),
        ("en", "Chandran [Powell|PATIENT] came.", "Chandran"),
        ("en", "[March|DATE] 3, 2010 and on.", "3"),
        ("es", "[Ana Ruiz Gil|PATIENT], hija de Ruiz.", "Ruiz"),
        ("de", "[Ilse Sommerfeld|PATIENT], Frau Sommerfeld.", "Sommerfeld"),
    ],
)
def test_what_is_left_of_a_spoilt_gold_standard_is_a_leak(spoken, source, left):
    assert left in leaks(source, spoken=spoken)


def test_the_name_of_a_type_in_a_placeholder_is_no_leak():
    assert not leaks("At the [Hospital|HOSPITAL] of [City Point|CITY], [Hospital|HOSPITAL].")


def test_what_a_person_writes_in_place_of_a_placeholder_is_searched():
    source = "[Dennis Holcomb|PATIENT] and [Petty|DOCTOR]."
    one, gold = patient(source), gold_of(source)
    choice = ManualSurrogate("110-01", Span(19, 24), "Holcomb")
    settings = SurrogateSettings(kinds_of(I2B2_2014), language("en"), choices=(choice,), **TAGS)
    rules = LeakRules(language("en"))
    _, found = replace_without_collisions(one, gold, settings, rules, Random)
    assert found

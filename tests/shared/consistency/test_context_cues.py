"""What stands around a doubtful text speaks for it or against it."""

import pytest

from shared.consistency.context_cues import (
    CONTRADICTED,
    DOUBTFUL,
    NEUTRAL,
    SUPPORTED,
    context_certainty,
    is_titled,
)
from shared.language.languages import default_language, language, languages_in
from shared.model import EntityKind, Span
from shared.model.i2b2_2014 import I2B2_2014
from tests.builders import marked_up


def here(source: str) -> float:
    text, (tag,) = marked_up(source)
    return context_certainty(
        text, tag.span, I2B2_2014.traits_of(tag.phi_type).kind, default_language()
    )


@pytest.mark.parametrize(
    "source",
    [
        "a [53|AGE] y.o. man",
        "A [53|AGE]-year-old",
        "Age: [53|AGE]",
        "two brothers, 47 and [60|AGE], are well",
        "his father died at\n[74|AGE]. He",
        "seen on [5/9|DATE]",
        "since [2007|DATE] well",
        "Dr. [Graves|DOCTOR] saw",
        "Drs. Voss and [Graves|DOCTOR] saw",
        "[Long|DOCTOR], M.D.",
        "[Rich|PATIENT] tells us",
        "[Mark|PATIENT], a painter",
        "- [Lane|DOCTOR] adds that",
        "\n[Rich|PATIENT] slept well",
        "[Day|DOCTOR] brought the films",
        "per [Long|DOCTOR] today",
        "Arden, [VT|STATE] and",
        "Arden [VT|STATE] 05999",
        "pager [31415|PHONE]",
        "moved to room [2|ROOM] today",
    ],
)
def test_what_speaks_for_it(source: str) -> None:
    assert here(source) == SUPPORTED


@pytest.mark.parametrize(
    ("source", "spoken"),
    [
        ("- [Bueno|DOCTOR] opina que", "es"),
        ("Ayer bien. [Rosa|PATIENT] durmió mal", "es"),
        ("- [Lang|DOCTOR] meint, dass", "de"),
        ("Besuch. [Sommer|PATIENT] brachte Blumen", "de"),
    ],
)
def test_what_people_do_speaks_for_a_name(source: str, spoken: str) -> None:
    text, (tag,) = marked_up(source)
    kind = I2B2_2014.traits_of(tag.phi_type).kind
    assert context_certainty(text, tag.span, kind, language(spoken)) == SUPPORTED


@pytest.mark.parametrize(
    "source",
    [
        "sat [53|AGE]% on air",
        "HR [53|AGE] and",
        "sinus rhythm at [53|AGE], normal",
        "4.[53|AGE] and",
        "\n[3|AGE]. Aspirin",
        "[53|AGE] mg daily",
        "anemia [2/2|DATE] blood loss",
        "motor [5/5|DATE] throughout",
        "[2/6|DATE] systolic murmur",
        "[2007|DATE] mg",
        "in [fall|DATE] precautions",
        "[Graves|DOCTOR]' disease",
        "a [Foley|DOCTOR] was placed",
        "with [long|DOCTOR] pauses",
        "[CA|DOCTOR]   10.1(H)",
        "[SH|HOSPITAL]: smokes",
        "at [us|HOSPITAL] today",
        "acute [MI|STATE] today",
        "Kai R. Voss, [MD|STATE]\n",
        "[12345|IDNUM] ml",
        "wound of [2|ROOM] x 3 cm",
        "CRP [12|ROOM], normal",
    ],
)
def test_what_speaks_against_it(source: str) -> None:
    assert here(source) == CONTRADICTED


@pytest.mark.parametrize(
    ("source", "certainty"),
    [
        ("Hematocrit was [41|AGE] then", DOUBTFUL),
        ("well. [Long|DOCTOR] waiting", DOUBTFUL),
        ("with Romberg and [Graves|DOCTOR] then", DOUBTFUL),
        ("home with [53|AGE], well", NEUTRAL),
        ("with Voss, [Long|DOCTOR] then", NEUTRAL),
        ("back to [SH|HOSPITAL] today", NEUTRAL),
        ("again ([2007|DATE])", NEUTRAL),
        ("it was [Monday|DATE]", NEUTRAL),
        ("see [12345|IDNUM], then", NEUTRAL),
    ],
)
def test_in_between(source: str, certainty: float) -> None:
    assert here(source) == certainty


def test_the_words_are_those_of_the_language(tmp_path):
    (tmp_path / "xx").mkdir()
    (tmp_path / "xx" / "language.toml").write_text(
        'name = "Invented"\n[cues]\nage_after = ["zatri"]\ntitle_before = ["hurr"]\n', "utf-8"
    )
    text = "hurr Long ok 53 zatri"
    with languages_in(tmp_path):
        invented = language("xx")
    assert context_certainty(text, Span(5, 9), EntityKind.PERSON, invented) == SUPPORTED
    assert context_certainty(text, Span(13, 15), EntityKind.AGE, invented) == SUPPORTED
    assert context_certainty(text, Span(13, 15), EntityKind.AGE, language("en")) == NEUTRAL
    assert is_titled(text, Span(5, 9), invented)
    assert not is_titled(text, Span(5, 9), language("de"))


def test_a_language_of_which_nothing_is_known_leaves_all_open():
    unknown = language("und")
    for kind in EntityKind:
        assert context_certainty("uvw Xyz uvw", Span(4, 7), kind, unknown) <= NEUTRAL


@pytest.mark.parametrize(
    ("code", "before", "text", "after", "kind", "certainty"),
    [
        ("de", "Ein ", "53", "-jähriger Patient", EntityKind.AGE, SUPPORTED),
        ("de", "Vater mit ", "61", " Jahren", EntityKind.AGE, SUPPORTED),
        ("de", "täglich ", "53", " mg", EntityKind.AGE, CONTRADICTED),
        ("de", "Aufnahme am ", "3/4", ", Visite", EntityKind.DATE, SUPPORTED),
        ("de", "durch Frau ", "Lang", " gestern", EntityKind.PERSON, SUPPORTED),
        ("de", "Zustand bei Morbus ", "Crohn", " seit Jahren", EntityKind.PERSON, CONTRADICTED),
        ("de", "Fall Nr. ", "12345", " neu", EntityKind.NUMBER, SUPPORTED),
        ("de", "jetzt in Zimmer ", "12", " verlegt", EntityKind.ROOM, SUPPORTED),
        ("de", "PCT ", "2", ",3", EntityKind.ROOM, CONTRADICTED),
        ("es", "con síndrome de ", "Marfan", " previo", EntityKind.PERSON, CONTRADICTED),
        ("es", "atendido por ", "Rubio", " ayer", EntityKind.PERSON, SUPPORTED),
        ("es", "madre fallecida a los ", "61", "", EntityKind.AGE, SUPPORTED),
    ],
)
def test_words_of_other_languages(code, before, text, after, kind, certainty):
    span = Span(len(before), len(before) + len(text))
    assert context_certainty(before + text + after, span, kind, language(code)) == certainty

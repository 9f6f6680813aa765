"""Names taken apart into words that know what they are."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from shared.language.languages import language
from shared.language.name_parts import KnownNames, NamePartRole, parse_name_parts


@pytest.mark.parametrize(
    ("text", "roles"),
    [
        ("HOLCOMB,DENNIS M.", ["family", "given", "initial"]),
        ("Dennis Michael Holcomb", ["given", "given", "family"]),
        ("O'Brien, Mary-Ann", ["family", "given", "given"]),
        ("de la Cruz", ["particle", "particle", "single"]),
        ("J.K. Rowling", ["initial", "initial", "family"]),
        ("Dr. Ann Lee, RN", ["kept", "given", "family", "kept"]),
        ("Dennis H.", ["given", "initial"]),
        ("John Smith Jr.", ["given", "family", "kept"]),
    ],
)
def test_what_the_words_of_a_name_are(text: str, roles: list[str]) -> None:
    known = KnownNames(
        frozenset({"dennis", "ann", "john"}), frozenset({"holcomb", "lee", "smith"}), language("en")
    )
    assert [each.role.value for each in parse_name_parts(text, known).words] == roles


@given(st.text(max_size=40))
def test_no_name_is_too_odd(text: str) -> None:
    parsed = parse_name_parts(text, KnownNames(frozenset(), frozenset(), language("en")))
    for each in parsed.words:
        assert text[each.start : each.end] == each.text
        assert each.role in NamePartRole


@pytest.mark.parametrize(
    ("text", "code", "roles"),
    [
        ("Ann Do", "en", ["given", "family"]),
        ("Ann Lee, M.D.", "en", ["given", "family", "kept", "kept"]),
        ("Ann Lee, PhD", "en", ["given", "family", "kept"]),
        ("Dra. Ana Ruiz y Gil", "es", ["kept", "given", "family", "particle", "family"]),
        ("M.ª Ana Ruiz", "es", ["kept", "given", "family"]),
        ("Heide, Ana von der", "de", ["family", "given", "particle", "particle"]),
        ("Nguyen, Do Van", "en", ["family", "given", "given"]),
        ("Ana Ruiz Gil", "es", ["given", "family", "family"]),
        ("Ana Ruiz Gil", "und", ["given", "given", "family"]),
    ],
)
def test_titles_degrees_and_particles_are_those_of_the_language(
    text: str, code: str, roles: list[str]
) -> None:
    known = KnownNames(frozenset({"ana", "ann"}), frozenset(), language(code))
    assert [each.role.value for each in parse_name_parts(text, known).words] == roles


@pytest.mark.parametrize(
    ("text", "given", "key"),
    [
        ("María del Carmen García López", ["María del Carmen"], "carmen"),
        ("GARCÍA LÓPEZ, MARÍA DE LOS ÁNGELES", ["MARÍA DE LOS ÁNGELES"], "angeles"),
        ("M.ª del Carmen García", ["M.ª del Carmen"], "carmen"),
        ("M. del Carmen García", ["M. del Carmen"], "carmen"),
        ("María y Carmen", ["María", "Carmen"], "maria"),
        ("Carmen del Río", ["Carmen"], "carmen"),
    ],
)
def test_a_compound_given_name_is_one(text: str, given: list[str], key: str) -> None:
    known = KnownNames(frozenset({"maria", "carmen", "angeles"}), frozenset(), language("es"))
    found = parse_name_parts(text, known).of(NamePartRole.GIVEN)
    assert [each.text for each in found] == given
    assert found[0].key == key

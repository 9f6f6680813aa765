"""Words that patterns may ask for: names in parts, towns with what they lie at."""

import pytest

from shared.language.known_words import known_words
from shared.language.languages import language
from shared.language.patterns import patterns_in


@pytest.mark.parametrize(
    ("kind", "text", "known"),
    [
        ("given", "Ingeborg", True),
        ("given", "Jürgen", True),
        ("given", "Juergen", True),
        ("given", "Hans-Jürgen", True),
        ("given", "Hans-Test", False),
        ("given", "Allen-Test", False),
        ("given", "Juni", False),
        ("given", "Klinik", False),
        ("family", "Schmidt", True),
        ("family", "Kozłowski", True),
        ("family", "Kozlowski", True),
        ("family", "Sørensen", True),
        ("family", "Befund", False),
        ("town", "Bad\nTölz", True),
        ("town", "Marburg an der Lahn", True),
        ("town", "Marburg", True),
        ("town", "St. Wendel", True),
        ("town", "Prien a. Chiemsee", True),
        ("town", "Spittal/Drau", True),
        ("only_town", "Altensteig", True),
        ("only_town", "Winter", False),
        ("town", "Lichtenstein", False),
        ("town", "Remission", False),
    ],
)
def test_words_of_a_kind_are_known_however_they_are_written(kind, text, known):
    assert (text in known_words(language("de"), kind)) is known


def test_a_pattern_goes_on_at_the_next_word_where_one_is_not_known():
    table = {
        "pattern": [
            {
                "kinds": ["patient"],
                "find": r"\b(?P<given>[A-Z]\w+) [A-Z]\w+",
                "known": {"given": "given"},
            }
        ]
    }
    (pattern,) = patterns_in(table, None, language("de"))
    text = "Geriatrisches Assessment Ingeborg Moos"
    assert [text[start:end] for start, end in pattern.spans(text)] == ["Ingeborg Moos"]


@pytest.mark.parametrize("code", ["de", "en"])
def test_every_kind_of_known_words_in_patterns_is_one_that_is_read(code):
    for pattern in language(code).patterns:
        for kind in pattern.get("known", {}).values():
            assert "x" not in known_words(language(code), kind)


def test_the_list_of_towns_says_whence_it_is_and_has_no_comment_as_a_town():
    assert not any(town.startswith("#") for town in language("de").towns)
    assert len(language("de").towns) > 10_000

import pytest

from shared.recognition.dictionaries import PhraseTable

KNOWN = PhraseTable(["new york", "new york city", "new", "la", "san juan de dios"])


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("new york city", ["new york city", "new york", "new"]),
        ("new york", ["new york", "new"]),
        ("new hope", ["new"]),
        ("new", ["new"]),
        ("la san", ["la"]),
        ("san juan de", []),
        ("york new", []),
    ],
)
def test_what_may_be_a_phrase_comes_longest_first(text, found):
    words = text.split()

    assert [phrase for _, phrase in KNOWN.at(words, 0, len(words))] == found
    assert [end for end, _ in KNOWN.at(words, 0, len(words))] == [len(p.split()) for p in found]


def test_a_phrase_ends_with_the_line():
    words = "in new york city".split()

    assert [phrase for _, phrase in KNOWN.at(words, 1, 3)] == ["new york", "new"]
    assert [phrase for _, phrase in KNOWN.at(words, 1, 2)] == ["new"]
    assert KNOWN.begun(words) == [1]


@pytest.mark.parametrize(
    ("text", "begun"), [("san juan", [0]), ("san new", [1]), ("old san", []), ("york la", [1])]
)
def test_a_phrase_begins_where_the_next_word_goes_on_with_it(text, begun):
    assert KNOWN.begun(text.split()) == begun


def test_without_phrases_nothing_begins_one():
    assert PhraseTable().begun(["a"]) == []
    assert KNOWN.begun([]) == []
    assert list(PhraseTable().at(["a"], 0, 1)) == []

import json

import pytest

from shared.outside import MALFORMED
from shared.recognition.dictionaries import (
    LOCALES,
    dictionaries_from,
    dictionaries_of,
    dictionaries_table,
)


@pytest.mark.parametrize("locales", [LOCALES, ("en",), (*LOCALES, "clinic"), ("de", "en")])
def test_dictionaries_in_a_file_are_the_same(locales):
    known = dictionaries_of(locales)
    again = dictionaries_from(json.loads(json.dumps(dictionaries_table(known))))

    assert again.words == known.words
    assert again.phrases == known.phrases
    assert again.heads == known.heads
    assert again.known.begun("in new york city".split()) == [1]


def test_what_is_listed_is_cut_into_tokens():
    known = dictionaries_of(("en",))

    assert "first_name" in known.words["maria"]
    assert "country" in known.phrases["united states of america"]


def test_words_end_compounds_in_languages_alone_that_have_such():
    german, clinics, english = (
        dictionaries_of(each).heads for each in (("de",), ("de", "clinic"), ("en", "clinic"))
    )

    assert "ingenieur" in german
    assert german < clinics
    assert not english
    assert dictionaries_of(("en", "de")).heads == german
    assert dictionaries_of(("en", "de", "clinic")).heads == clinics


def test_what_stands_before_a_profession_is_none():
    known = dictionaries_of(("en",)).words

    assert "job" in known["bricklayer"]
    assert "former" not in known


def test_heads_that_are_no_words_are_refused():
    table = dictionaries_table(dictionaries_of(("de",)))
    with pytest.raises(MALFORMED):
        dictionaries_from({**table, "heads": {"": "no-such-word"}})

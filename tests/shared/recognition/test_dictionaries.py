import json

import pytest

from shared.recognition.dictionaries import (
    LOCALES,
    dictionaries_from,
    dictionaries_of,
    dictionaries_table,
)


@pytest.mark.parametrize("locales", [LOCALES, ("en",), (*LOCALES, "clinic")])
def test_dictionaries_in_a_file_are_the_same(locales):
    known = dictionaries_of(locales)
    again = dictionaries_from(json.loads(json.dumps(dictionaries_table(known))))

    assert again.words == known.words
    assert again.phrases == known.phrases
    assert again.known.begun("in new york city".split()) == [1]


def test_what_is_listed_is_cut_into_tokens():
    known = dictionaries_of(("en",))

    assert "first_name" in known.words["maria"]
    assert "country" in known.phrases["united states of america"]

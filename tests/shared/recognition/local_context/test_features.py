import pytest

from shared.errors import RequestError
from shared.language.languages import language
from shared.recognition.dictionaries import Dictionaries, PhraseTable
from shared.recognition.features.sets import FeatureSet
from shared.recognition.local_context.features import LOCAL_GROUPS, SNOW, STAT_DEID, local_features
from shared.recognition.local_context.links import WALL, links, noun_phrases, parts_of_speech
from shared.recognition.local_context.words import WordsOfText

KNOWN = Dictionaries(
    {"salem": ("city",), "pneumonia": ("disease", "medical"), "new": ("everyday",)},
    {"new salem": ("city",)},
    PhraseTable(["new salem"]),
)


def features_of(text, word, *groups):
    words = WordsOfText(text).words
    columns = local_features(text, groups, KNOWN)
    assert len(columns) == len(words)
    return set(columns[words.index(word)])


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("on 12/02/99.", ["on", "12/02/99", "."]),
        ("(617) 555-0123, x", ["(", "617", ")", "555-0123", ",", "x"]),
        ("BP:120/80", ["BP", ":", "120/80"]),
        ("at 10:30", ["at", "10:30"]),
        ("Lee's ann.lee@example.org O'Neil", ["Lee", "'", "s", "ann.lee@example.org", "O'Neil"]),
        ("left.Seen 1,200.50", ["left", ".", "Seen", "1,200.50"]),
        ("", []),
    ],
)
def test_words_are_what_is_between_blanks_without_punctuation_around(text, words):
    assert WordsOfText(text).words == words


def test_sentences_end_with_a_full_stop_or_the_line_but_not_with_a_title():
    words = WordsOfText("Seen by Dr. Lee today. Went home\nCough")
    assert [words.words[first:last][-1] for first, last in words.sentences] == [
        ".",
        "home",
        "Cough",
    ]
    assert [*words.sentence_numbers] == [0] * 7 + [1, 1, 2]


def test_a_word_stands_under_the_last_heading_or_label():
    words = WordsOfText("CHIEF COMPLAINT\ncough\nAttending: Lee\nmore")
    assert words.headings[2:] == ["chief complaint", *["attending"] * 4]


def test_every_group_has_prefixes_of_its_own():
    text = "Mr. Lee of New Salem has pneumonia and lives alone in Salem since 3/4.\n"
    of_groups = {
        group: {name[0] for column in local_features(text, [group], KNOWN) for name in column}
        for group in LOCAL_GROUPS
    }
    assert all(of_groups.values())
    prefixes = [each for found in of_groups.values() for each in found]
    assert len(prefixes) == len(set(prefixes))
    assert {*STAT_DEID, *SNOW} == LOCAL_GROUPS.keys()


def test_the_features_are_those_of_the_paper():
    text = "He was admitted to Salem Hospital with fevers"
    assert features_of(text, "Salem", "lexical-bigrams") == {"b<admitted to", "b>hospital with"}
    assert features_of(text, "fevers", "target") == {"t=fever"}
    assert features_of(text, "Salem", "orthographic") == {"o=5", "o=capital"}
    assert features_of("on 3/4", "3/4", "orthographic") == {"o=3", "o=-/", "o=digit"}
    assert features_of(text, "to", "dictionaries") == {"d1=city"}
    assert "p-1=preposition" in features_of(text, "Salem", "parts-of-speech")


def test_dictionaries_hold_phrases_and_clinical_terms_are_those_of_the_noun_phrase():
    assert "d0=city" in features_of("in New Salem", "New", "dictionaries")
    assert features_of("severe pneumonia", "severe", "clinical-terms") == {"m=disease", "m=medical"}


@pytest.mark.parametrize(
    "text",
    ["She lives in Hatfield", "She lives alone in Hatfield", "She lives by herself in Hatfield"],
)
def test_links_stay_where_words_come_between(text):
    assert features_of(text, "Hatfield", "syntactic-bigrams") >= {"l<1=J in", "l<2=MV lives"}


def test_a_passive_has_its_subject():
    seen = features_of("John was recently admitted to Salem", "John", "syntactic-bigrams")
    assert {"l>1=S admitted", "l>2=MV to", "l<1=W #"} <= seen


def test_a_word_without_links_has_its_neighbours():
    seen = features_of("cough ; fever", ";", "syntactic-bigrams")
    assert seen == {"l<1=NONE cough", "l<2=NONE #", "l>1=NONE fever", "l>2=NONE #"}


def test_the_tagger_looks_up_goes_by_endings_and_corrects():
    spoken = language("en")
    tagged = parts_of_speech("The swelling of John slowly resolved".split(), spoken)
    assert tagged == ["determiner", "noun", "preposition", "proper", "adverb", "verb"]
    assert noun_phrases(tagged) == [(0, 2), (3, 4)]
    assert [each for each in links(tagged) if each.left == WALL] == [(WALL, 1, "W")]


def test_parts_of_speech_of_other_languages_are_known():
    spanish = parts_of_speech("paciente que acude al centro".split(), language("es"))
    german = parts_of_speech("die Entlassung erfolgte nach Hause".split(), language("de"))
    assert spanish == ["noun", "conjunction", "verb", "preposition", "noun"]
    assert german == ["determiner", "noun", "verb", "preposition", "noun"]


def test_groups_of_words_and_of_tokens_do_not_go_together():
    with pytest.raises(RequestError, match="are groups of words"):
        FeatureSet(("target", "affixes"))

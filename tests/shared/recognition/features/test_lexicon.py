from shared.recognition.dictionaries import dictionaries_of
from shared.recognition.features import FEATURE_SETS, Extractor, TokenizedDocument
from shared.recognition.features.lexicon import dictionary_names, heads, place_and_date_lists


def test_lists_of_places_and_dates_are_told_and_no_others():
    known = dictionaries_of()

    assert "lx=last_name" in dictionary_names(known, "Jackson")
    assert place_and_date_lists(known, "Jackson") == []
    assert place_and_date_lists(known, "March") == ["lx=month"]
    assert "lx=country" in place_and_date_lists(known, "SPAIN")


def test_the_features_of_he_look_up_the_words_within_two_tokens():
    tokenized = TokenizedDocument("came from Spain in a hurry")

    columns = Extractor(FEATURE_SETS["he"]).attributes(tokenized)
    told = [[name for name in column if "lx=country" in name] for column in columns]
    assert told == [
        ["2|lx=country"],
        ["1|lx=country"],
        ["0|lx=country"],
        ["-1|lx=country"],
        ["-2|lx=country"],
        [],
    ]


def test_a_compound_is_of_the_kinds_of_what_it_ends_in_where_a_language_has_such():
    read = TokenizedDocument("Tiefbauingenieur, Ingenieur, enfermedad")
    (german,) = heads(read, dictionaries_of(("de",)))

    assert "hd=job" in german.of_tokens[0]
    assert german.of_tokens[2] == ()  # has a kind of its own
    assert not list(heads(read, dictionaries_of(("en", "es"))))

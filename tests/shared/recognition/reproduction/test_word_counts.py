from shared.metrics.counts import MatchCounts
from shared.recognition.recognizer import Example, Suggestion
from shared.recognition.reproduction.placing import PlacedExample
from shared.recognition.reproduction.word_counts import (
    is_classed,
    is_named,
    judged_words,
    word_counts,
)
from tests.builders import document, layer

GOLD = "Seen by Dr. [Ann Lee|DOCTOR], on [3/4|DATE] for [77|AGE] pains."
FOUND = "Seen by [Dr|DOCTOR]. [Ann|PATIENT] Lee, on [3/4|DATE] for [77|AGE] [pains|PROFESSION]."


def judged(gold, found, keep=is_classed):
    record = PlacedExample(Example(document(gold), layer(gold).tags), ())
    suggestions = tuple(
        Suggestion(tag.span, tag.phi_type, 1.0, "test") for tag in layer(found).tags
    )
    return list(judged_words([record], [suggestions], keep))


def test_words_between_blanks_are_counted_by_what_touches_them():
    counts = word_counts(judged(GOLD, FOUND))
    assert counts.phi == MatchCounts(tp=2, fp=1, fn=1)  # Ann and 3/4; Dr.; Lee,
    assert counts.rest == MatchCounts(tp=6, fp=1, fn=1)


def test_only_people_places_and_organizations_count_where_asked():
    counts = word_counts(judged(GOLD, FOUND, is_named))
    assert counts.phi == MatchCounts(tp=1, fp=1, fn=1)


def test_what_finds_all_has_all_and_what_finds_nothing_nothing():
    whole = word_counts(judged(GOLD, GOLD))
    assert whole.phi.f1 == whole.rest.f1 == 1
    bare = word_counts(judged(GOLD, GOLD.replace("[", "").replace("]", "").replace("|", "")[:0]))
    assert bare.phi.recall == 0
    assert bare.phi.references == whole.phi.references


def test_a_word_is_told_by_its_letters_and_digits():
    assert [word.text for word in judged(GOLD, "")][3:6] == ["ann", "lee", "on"]

"""How good suggestions are: each figure on records small enough to count by hand."""

import random

import pytest

from shared.metrics.counts import MatchCounts
from shared.model import Document, Span, Tag
from shared.recognition.evaluation import above, calibration, counts_row, coverage, strict_scores
from shared.recognition.recognizer import Example, Suggestion
from tests.builders import document, layer, phi

DATE, CITY = phi("DATE"), phi("CITY")


def judged(*groups):
    """A record and its suggestions, by groups of (confidence, how many are right, how many not)."""
    sure = [
        (confidence, is_right)
        for confidence, right, wrong in groups
        for is_right in [True] * right + [False] * wrong
    ]
    tags = [
        Tag(Span(2 * at, 2 * at + 1), DATE) for at, (_, is_right) in enumerate(sure) if is_right
    ]
    found = [
        Suggestion(Span(2 * at, 2 * at + 1), DATE, confidence, "crf")
        for at, (confidence, _) in enumerate(sure)
    ]
    return [Example(Document("1-1", "1", "x " * len(sure)), tuple(tags))], [tuple(found)]


def test_the_calibration_error_weighs_each_bin_by_how_many_it_holds():
    found = calibration(*judged((0.95, 9, 1), (0.55, 3, 3), (0.15, 1, 3)))

    assert found.rows == (
        (4, pytest.approx(0.15), 0.25),
        (6, pytest.approx(0.55), 0.5),
        (10, pytest.approx(0.95), 0.9),
    )
    assert found.error == pytest.approx((4 * 0.10 + 6 * 0.05 + 10 * 0.05) / 20)


def test_who_is_never_wrong_and_always_sure_has_no_calibration_error():
    assert calibration(*judged((1.0, 7, 0))).error == 0.0
    assert calibration(*judged((1.0, 0, 7))).error == 1.0


def test_bins_begin_with_their_lower_end():
    rows = calibration(*judged((0.5, 1, 0), (0.59, 1, 0), (0.6, 1, 0))).rows

    assert [count for count, _, _ in rows] == [2, 1]


def test_of_the_wrong_ones_the_least_sure_twentieth_holds_a_share():
    surest, middle, least = (0.95, 24, 1), (0.55, 10, 3), (0.1, 1, 1)
    for groups in ((surest, middle, least), (least, middle, surest)):
        assert calibration(*judged(*groups)).wrong_among_least_sure == pytest.approx(1 / 5)
    assert calibration(*judged((0.9, 38, 0), (0.2, 0, 2))).wrong_among_least_sure == 1.0
    assert calibration(*judged((0.9, 0, 38), (0.2, 2, 0))).wrong_among_least_sure == 0.0


def test_where_nothing_is_wrong_the_least_sure_hold_nothing():
    assert calibration(*judged((0.9, 40, 0))).wrong_among_least_sure == 0.0


def test_without_suggestions_there_is_nothing_to_calibrate():
    found = calibration(*judged())
    assert (found.error, found.error_by_chance) == (0.0, 0.0)
    assert (found.wrong_among_least_sure, found.rows) == (0.0, ())


def test_what_true_probabilities_would_err_on_so_few_is_what_drawing_by_them_comes_to():
    groups = ((0.97, 400), (0.8, 60), (0.45, 30), (0.12, 30))
    rng = random.Random(5)

    def drawn():
        right = [(sure, sum(rng.random() < sure for _ in range(many))) for sure, many in groups]
        return calibration(*judged(*((sure, of, many - of) for (sure, many), (_, of)
                                     in zip(groups, right, strict=True))))  # fmt: skip

    samples = [drawn() for _ in range(300)]
    mean = sum(each.error for each in samples) / len(samples)
    assert samples[0].error_by_chance == pytest.approx(mean, rel=0.08)
    assert len({each.error_by_chance for each in samples}) == 1  # of confidences alone
    assert calibration(*judged((1.0, 7, 0), (0.0, 0, 3))).error_by_chance == 0.0


def test_coverage_counts_tags_with_a_bare_character_and_tokens_of_whatever_type():
    source = "[Ann Lee|PATIENT] was in [Rome|CITY] on [3/4|DATE]."
    text = document(source).text
    places = [(text.index(phrase), len(phrase)) for phrase in ("Ann", "Lee", "in", "3/4")]
    found = [Suggestion(Span(at, at + size), CITY, 0.9, "crf") for at, size in places]
    covered = coverage([Example(document(source), layer(source).tags)], [found])

    assert covered.uncovered == pytest.approx(1 / 3)
    assert covered.token_precision == pytest.approx(5 / 6)
    assert covered.token_recall == pytest.approx(5 / 6)


def test_strict_scores_come_all_together_first_and_then_by_type():
    source = "On [3/4|DATE] in [Rome|CITY], [5/6|DATE], [Oslo|CITY]."
    example = Example(document(source), layer(source).tags)
    first, second, third, _ = example.tags
    found = [
        Suggestion(first.span, CITY, 0.9, "crf"),
        Suggestion(second.span, CITY, 0.9, "crf"),
        Suggestion(third.span, DATE, 0.2, "crf"),
    ]
    scores = strict_scores([example], above([found], 0.5))

    assert list(scores.items()) == [
        ("all", MatchCounts(1, 1, 3)),
        ("DATE:DATE", MatchCounts(0, 0, 2)),
        ("LOCATION:CITY", MatchCounts(1, 1, 1)),
    ]


def suggestions(source, *phrases):
    """A record, and suggestions of a city, nine tenths sure, at the first place of each phrase."""
    example = Example(document(source), layer(source).tags)
    places = [(example.document.text.index(phrase), len(phrase)) for phrase in phrases]
    return example, [Suggestion(Span(at, at + size), CITY, 0.9, "crf") for at, size in places]


def test_coverage_goes_over_all_records_and_leaves_blanks_aside():
    records = [
        suggestions("Dr. [Ann Lee|PATIENT] in [Rome|CITY].", "Ann", "Lee", "Rome"),
        suggestions("[Oslo|CITY] or [Rome|CITY].", "Oslo", "or"),
        suggestions(""),
    ]
    covered = coverage(*zip(*records, strict=True))

    assert covered.uncovered == pytest.approx(1 / 4)
    assert covered.token_precision == pytest.approx(4 / 5)
    assert covered.token_recall == pytest.approx(4 / 5)


def test_where_nothing_is_tagged_nothing_is_left_uncovered():
    example, found = suggestions("Seen in Rome.", "Rome")
    assert coverage([example], [found]).uncovered == 0.0


def test_the_two_surest_tenths_are_two_bins():
    rows = calibration(*judged((0.85, 1, 0), (0.95, 2, 0))).rows
    assert [count for count, _, _ in rows] == [1, 2]


def test_of_equally_sure_ones_the_first_count_as_the_least_sure():
    mixed = [(0.5 + at % 2 / 4, 0, 1) if at == 2 else (0.5 + at % 2 / 4, 1, 0) for at in range(60)]
    assert calibration(*judged(*mixed)).wrong_among_least_sure == 1.0
    late = [*mixed[:2], (0.5, 1, 0), *mixed[3:58], (0.5, 0, 1), (0.75, 1, 0)]
    assert calibration(*judged(*late)).wrong_among_least_sure == 0.0


@pytest.mark.parametrize("measure", [strict_scores, calibration, coverage])
def test_each_record_needs_its_suggestions(measure):
    example, found = suggestions("Seen in [Rome|CITY].", "Rome")
    with pytest.raises(ValueError, match="longer"):
        measure([example], [found, found])


def test_who_is_as_sure_as_asked_for_is_sure_enough():
    _, found = suggestions("Seen in [Rome|CITY].", "Rome")
    assert above([found], 0.9) == [tuple(found)]
    assert above([found], 0.91) == [()]


def test_a_row_has_rounded_figures_and_how_many_are_tagged():
    assert counts_row(MatchCounts(tp=2, fp=1, fn=5)) == {
        "precision": 0.6667,
        "recall": 0.2857,
        "f1": 0.4,
        "count": 7,
    }
    assert counts_row(MatchCounts(tp=7, fp=2, fn=4))["f1"] == 0.7
    assert counts_row(MatchCounts(tp=2, fp=2, fn=3))["f1"] == 0.4444


def test_blanks_alone_leave_no_tag_uncovered_and_letters_do():
    for source, share in (("[Rome|CITY] and [Oslo|CITY]", 1.0), ("[San Marino|CITY]", 0.0)):
        example, found = suggestions(source, *(["San", "Marino"] if share == 0.0 else []))
        assert coverage([example], [found]).uncovered == share

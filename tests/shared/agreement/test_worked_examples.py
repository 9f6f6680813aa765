"""The examples of guidelines/agreement_measures.md are what is computed."""

import re

import pytest

from guidelines import guideline_text
from shared.agreement.comparison import Comparison
from shared.agreement.measures import MEASURES, Granularity, MeasureKey, count, count_matches, total
from shared.metrics.counts import MatchCounts, Ratios, Scores
from shared.model import Document, Span, Tag
from tests.builders import phi

GUIDELINE = guideline_text("agreement_measures")
EXAMPLES = re.findall(r"^```example\n(.*?)^```", GUIDELINE, re.MULTILINE | re.DOTALL)
MEASURE_NAMED = {each.name: each for each in MEASURES}
GRAINS = {"binary": Granularity.BINARY, "category": Granularity.CATEGORY}


def parsed(marked: str) -> tuple[str, tuple[Tag, ...]]:
    """Return text and tags of `[text|TYPE]`, which may stand within one another."""
    text, opened, tags = "", [], []
    for piece in re.split(r"(\[|\|[A-Z-]+\])", marked):
        if piece == "[":
            opened.append(len(text))
        elif piece.startswith("|"):
            tags.append(Tag(Span(opened.pop(), len(text)), phi(piece[1:-1])))
        else:
            text += piece
    return text, tuple(tags)


@pytest.mark.parametrize("example", EXAMPLES)
def test_example(example: str) -> None:
    (_, ours), (_, theirs), *expected = (
        re.split("  +", line, maxsplit=1) for line in example.splitlines()
    )
    (text, candidate), (same_text, reference) = parsed(ours), parsed(theirs)
    assert text == same_text
    comparison = Comparison(Document("110-01", "110", text), candidate, reference)
    for words, numbers in expected:
        *granularity, name = words.split()
        key = MeasureKey(
            MEASURE_NAMED[name], GRAINS[granularity[0]] if granularity else Granularity.TYPE
        )
        wanted = MatchCounts(*map(int, re.findall(r"\d+", numbers)))
        assert total(count(comparison, key.measure, key.granularity)) == wanted
        reported = count_matches(comparison, lambda _: True)
        assert reported.get(key, wanted) == wanted


def test_there_is_an_example_of_every_measure_that_the_guideline_names() -> None:
    assert len(EXAMPLES) == 8
    for name in ("strict", "relaxed", "overlap", "token"):
        assert re.search(rf"^{name}\b", "".join(EXAMPLES), re.MULTILINE)


def table_after(heading: str) -> list[list[str]]:
    part = GUIDELINE[GUIDELINE.index(heading) :]
    rows = re.search(r"(?:^\|.*\n)+", part, re.MULTILINE)
    assert rows is not None
    return [[cell.strip() for cell in line.split("|")[1:-1]] for line in rows[0].splitlines()[2:]]


def test_the_table_of_averages() -> None:
    *records, micro, macro = table_after("## Averages")
    counts = [MatchCounts(*map(int, row[1:4])) for row in records]
    assert [ratios(row) for row in records] == [each.ratios for each in counts]
    scores = Scores.of(counts)
    assert [int(each) for each in micro[1:4]] == [scores.micro.tp, scores.micro.fp, scores.micro.fn]
    assert ratios(micro).f1 == pytest.approx(scores.micro.f1, abs=5e-5)
    assert ratios(macro) == scores.macro


def test_the_table_of_nothing() -> None:
    number = {"nothing": 0, "something": 3}
    for row in table_after("### Nothing on a side"):
        assert ratios(row) == MatchCounts(0, number[row[0]], number[row[1]]).ratios


def ratios(row: list[str]) -> Ratios:
    return Ratios(*map(float, row[-3:]))

"""The MEDDOCAN evaluator: its rules the slow way, known values, its text."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from shared.agreement.official.meddocan import (
    MeddocanEvaluation,
    count_merged_spans,
    count_ner,
    count_spans,
    evaluate,
    merged_places,
)
from shared.agreement.official.meddocan_report import as_json, as_text
from shared.agreement.official.raw_file import RawFile, RawTag
from shared.metrics.counts import MatchCounts

TEXT = "Ana Gil, Lugo-Vigo. Tel 98 1"


def file(*places: tuple[int, int], kind: str = "PAIS") -> RawFile:
    return RawFile(TEXT, tuple(RawTag("LOCATION", str(s), str(e), kind, s, e) for s, e in places))


places = st.lists(st.tuples(st.integers(0, 20), st.integers(0, 28)), max_size=8)


def slow_merged(file: RawFile) -> set[tuple[int, int]]:
    spans: list[tuple[int, int]] = []
    for span in sorted((tag.start, tag.end) for tag in file.tags):
        last = spans.pop() if spans else None
        if last is None:
            spans.append(span)
        elif all(not char.isalnum() for char in TEXT[last[1] : span[0]]):
            spans.append((last[0], span[1]))
        else:
            spans += [last, span]
    return set(spans)


@given(places, places)
def test_merged_spans_as_the_rules_say(
    ours: list[tuple[int, int]], theirs: list[tuple[int, int]]
) -> None:
    system, gold = file(*ours), file(*theirs)
    hits = (set(ours) & set(theirs)) | (slow_merged(system) & slow_merged(gold))
    inside = [
        {p for p in s if any(h[0] <= p[0] and p[1] <= h[1] for h in hits)} for s in (ours, theirs)
    ]
    expected = MatchCounts(
        len(hits),
        len(set(ours) - set(theirs) - inside[0]),
        len(set(theirs) - set(ours) - inside[1]),
    )
    assert count_merged_spans(system, gold) == expected


@pytest.mark.parametrize(
    ("spans", "expected"),
    [
        ([(0, 3), (4, 7)], {(0, 7)}),
        ([(0, 3), (9, 13)], {(0, 3), (9, 13)}),
        ([(9, 13), (14, 18)], {(9, 18)}),
        ([(0, 7), (0, 3)], {(0, 7)}),
        ([(0, 7), (1, 3)], {(0, 3)}),
    ],
)
def test_what_is_merged(spans: list[tuple[int, int]], expected: set[tuple[int, int]]) -> None:
    assert merged_places(file(*spans)) == expected


def test_a_merged_hit_and_its_parts_all_count() -> None:
    both = file((0, 3), (4, 7))
    assert count_merged_spans(both, both) == MatchCounts(3, 0, 0)


def test_a_split_name_is_no_miss_when_merged() -> None:
    assert count_merged_spans(file((0, 3), (4, 7)), file((0, 7))) == MatchCounts(1, 0, 0)


def test_ner_looks_at_the_type_as_it_is_written() -> None:
    system, gold = file((0, 3), kind="pais"), file((0, 3), kind="PAIS")
    assert count_ner(system, gold) == MatchCounts(0, 1, 1)
    assert count_spans(system, gold) == MatchCounts(1, 0, 0)


def write(folder: Path, name: str, *elements: str) -> None:
    folder.mkdir(exist_ok=True)
    text = f"<MEDDOCAN><TEXT>{TEXT}</TEXT><TAGS>{''.join(elements)}</TAGS></MEDDOCAN>"
    (folder / name).write_text(text, encoding="utf-8")


LUGO = '<LOCATION id="T1" start="9" end="13" text="Lugo" TYPE="TERRITORIO"/>'
ANA = '<NAME id="T2" start="0" end="7" text="Ana Gil" TYPE="NOMBRE_SUJETO_ASISTENCIA"/>'


@pytest.fixture
def evaluation(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> MeddocanEvaluation:
    monkeypatch.chdir(tmp_path)
    for name in ("a.xml", "b.xml"):
        write(tmp_path / "gold", name, LUGO, ANA)
    write(tmp_path / "run1", "a.xml", LUGO, ANA)
    write(tmp_path / "run1", "c.xml", LUGO)
    found = evaluate(tmp_path / "run1", tmp_path / "gold")
    assert found is not None
    return found


def test_figures(evaluation: MeddocanEvaluation) -> None:
    assert as_json(evaluation) == {
        "documents": 1,
        "left_out": {"system": ["c"], "gold": ["b"]},
        "ner": {"tp": 2, "fp": 0, "fn": 0, "precision": 1.0, "recall": 1.0, "f1": 1.0},
        "spans_strict": {"tp": 2, "fp": 0, "fn": 0, "precision": 1.0, "recall": 1.0, "f1": 1.0},
        "spans_merged": {"tp": 3, "fp": 0, "fn": 0, "precision": 1.0, "recall": 1.0, "f1": 1.0},
    }


def test_the_text_of_ner(evaluation: MeddocanEvaluation) -> None:
    assert list(as_text(evaluation, "ner")) == [
        "File 'freeling/sentence_splitted/a.ann' not found.",
        " " * 70,
        "Report (SYSTEM: run1):",
        "-" * 60,
        "SubTrack 1 [NER]                   Measure        Micro               ",
        "-" * 60,
        "Total (1 docs)                     Leak           NA                  ",
        "                                   Precision      1.0                 ",
        "                                   Recall         1.0                 ",
        "                                   F1             1.0                 ",
        "-" * 60,
        "\n",
    ]


def test_the_text_of_spans_with_documents(evaluation: MeddocanEvaluation) -> None:
    lines = list(as_text(evaluation, "spans", verbose=True))
    assert lines[:9] == [
        "\n",
        "Report (SYSTEM: run1):",
        "-" * 60,
        "Document ID                        Measure        Micro               ",
        "-" * 60,
        "a                                  Precision      1.0                 ",
        "                                   Recall         1.0                 ",
        "                                   F1             1.0                 ",
        "-" * 60,
    ]
    assert len([line for line in lines if line.startswith("SubTrack 2")]) == 2


def test_the_leak_where_sentences_are_known(
    evaluation: MeddocanEvaluation, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    write(tmp_path / "run1", "a.xml", LUGO)
    folder = tmp_path / "annotated_corpora" / "sentence_splitted"
    folder.mkdir(parents=True)
    (folder / "a.ann").write_text("T1\nT2\nT3\nT4\n")
    again = evaluate(tmp_path / "run1", tmp_path / "gold")
    assert again is not None
    assert "Total (1 docs)                     Leak           0.25                " in (
        as_text(again, "ner")
    )


def test_a_system_without_files_prints_nothing(tmp_path: Path) -> None:
    write(tmp_path / "gold", "a.xml", LUGO)
    (tmp_path / "run1").mkdir()
    assert evaluate(tmp_path / "run1", tmp_path / "gold") is None


def test_an_odd_type_is_warned_of_once_for_the_tag_and_twice_for_its_span(tmp_path: Path) -> None:
    write(tmp_path / "gold", "a.xml", LUGO.replace("TERRITORIO", "CITY"))
    found = evaluate(tmp_path / "gold", tmp_path / "gold")
    assert found is not None
    line = "WARNING: Expected attribute 'TYPE' for xml element <LOCATION (T1)>  was not valid"
    assert found.warnings == 6 * (f"{line} ('CITY')",)

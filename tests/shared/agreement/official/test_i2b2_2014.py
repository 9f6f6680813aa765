"""The 2014 i2b2 evaluator: its rules written out the slow way, known values, its text."""

import re
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from shared.agreement.official.i2b2_2014 import LABELS, evaluate
from shared.agreement.official.i2b2_2014_counts import CATEGORIES, Counts, count_document
from shared.agreement.official.i2b2_2014_report import as_json, as_text
from shared.agreement.official.raw_file import NAMES, RawFile, RawTag
from shared.errors import FileFormatError, RequestError, StorageError

TEXT = "Dr. Núñez-Lee, 12/03/2061 (x) o'Shea's 555-0143."


def tag(name: str, kind: str, start: int | str, end: int | str) -> RawTag:
    return RawTag(name, str(start), str(end), kind, int(start), int(end))


def counted(system: list[RawTag], gold: list[RawTag]) -> dict[str, Counts]:
    return count_document(RawFile(TEXT, tuple(system)), RawFile(TEXT, tuple(gold)))


# ---------------------------------------------------------------- the rules, the slow way

Same = Callable[[object, object], bool]


def slow_counts(system: list[RawTag], gold: list[RawTag]) -> dict[str, Counts]:
    """Every label on its own, comparing everything with everything."""
    found: dict[str, Counts] = {}
    for prefix, keep in (("", lambda _: True), ("HIPAA ", slow_hipaa)):
        ours, theirs = [t for t in system if keep(t)], [t for t in gold if keep(t)]
        found[f"{prefix}Strict"] = slow_compare(ours, theirs, same_strict)
        found[f"{prefix}Relaxed"] = slow_compare(ours, theirs, same_relaxed)
        found[f"Binary {prefix}Strict"] = slow_compare(ours, theirs, same_binary)
        token = prefix.replace("HIPAA", "HIPPA") + "Token"
        found[token] = slow_compare(slow_tokens(ours), slow_tokens(theirs), lambda a, b: a == b)
        found[f"Binary {token}"] = slow_compare(
            slow_tokens(ours), slow_tokens(theirs), lambda a, b: a[2:] == b[2:]
        )
    for name in CATEGORIES:
        ours, theirs = [t for t in system if t.name == name], [t for t in gold if t.name == name]
        both = [t for t in ours if slow_hipaa(t)], [t for t in theirs if slow_hipaa(t)]
        found[f"{name} Strict"] = slow_compare(ours, theirs, same_strict)
        found[f"{name} Binary HIPAA Strict"] = slow_compare(*both, same_strict)
        found[f"{name} Token"] = slow_compare(
            slow_tokens(ours), slow_tokens(theirs), lambda a, b: a == b
        )
        found[f"{name} HIPPA Token"] = slow_compare(*map(slow_tokens, both), lambda a, b: a == b)
    return found


def slow_compare(system: list, gold: list, same: Same) -> Counts:
    ours, theirs = slow_set(system, same), slow_set(gold, same)
    few, many = (ours, theirs) if len(ours) <= len(theirs) else (theirs, ours)
    tp = [one for one in few if any(same(one, other) for other in many)]
    fp = [one for one in ours if not any(same(one, other) for other in theirs)]
    fn = [one for one in theirs if not any(same(one, other) for other in ours)]
    return len(tp), len(fp), len(fn)


def slow_set(items: list, same: Same) -> list:
    kept: list = []
    for item in items:
        if not any(same(item, other) for other in kept):
            kept.append(item)
    return kept


def same_strict(one: RawTag, other: RawTag) -> bool:
    return (one.name, one.start_text, one.end_text, one.type.upper()) == (
        other.name,
        other.start_text,
        other.end_text,
        other.type.upper(),
    )


def same_relaxed(one: RawTag, other: RawTag) -> bool:
    near = abs(int(one.end_text) - int(other.end_text)) <= 2
    return near and same_strict(one._replace(end_text=""), other._replace(end_text=""))


def same_binary(one: RawTag, other: RawTag) -> bool:
    if "PHI" in (one.name, other.name):
        return same_strict(one, other)
    return (one.start_text, one.end_text) == (other.start_text, other.end_text)


def slow_tokens(tags: list[RawTag]) -> list[tuple[str, str, int, int]]:
    found = []
    for each in tags:
        at = int(each.start_text)
        pieces = re.split("([a-zA-Z0-9]+)", TEXT[at : int(each.end_text)])
        if len(pieces) == 1:
            pieces += ["", ""]
        for between, word in zip(pieces[::2], pieces[1::2], strict=False):
            found.append((each.name, each.type, at + len(between), at + len(between + word)))
            at += len(between + word)
    return found


def slow_hipaa(each: RawTag) -> bool:
    patterns = {
        "NAME": "PATIENT",
        "LOCATION": "CITY|STREET|ZIP|ORGANIZATION",
        "DATE": "",
        "AGE": "",
        "CONTACT": "PHONE|FAX|EMAIL",
        "ID": "SSN|MEDICALRECORD|HEALTHPLAN|ACCOUNT|LICENSE|VEHICLE|DEVICE|BIOID|IDNUM ",
    }
    return each.name in patterns and re.match(patterns[each.name], each.type) is not None


types = st.sampled_from(
    ["PATIENT", "patient", "CITY", "PHONE2", "SSN", "IDNUM", "IDNUM ", "DATE", ""]
)
tags = st.lists(
    st.builds(
        lambda name, kind, start, length, padding: tag(
            name, kind, padding + str(start), start + length
        ),
        st.sampled_from(NAMES),
        types,
        st.integers(0, 8),
        st.integers(-1, 12),
        st.sampled_from(["", "", "", "0"]),
    ),
    max_size=12,
)
near_tags = st.lists(
    st.builds(lambda end: tag("DATE", "DATE", 3, end), st.integers(4, 16)), max_size=10
)


@given(tags, tags)
def test_the_quick_way_counts_what_the_slow_way_counts(
    system: list[RawTag], gold: list[RawTag]
) -> None:
    assert counted(system, gold) == slow_counts(system, gold)


@given(near_tags, near_tags)
def test_near_ends_count_the_same_too(system: list[RawTag], gold: list[RawTag]) -> None:
    assert counted(system, gold) == slow_counts(system, gold)


@given(tags)
def test_every_label_has_counts(some: list[RawTag]) -> None:
    assert counted(some, some).keys() == set(LABELS)


# ---------------------------------------------------------------- known values


@pytest.mark.parametrize(
    ("label", "system", "gold", "expected"),
    [
        ("Strict", [tag("ID", "ssn", 3, 9)], [tag("ID", "SSN", 3, 9)], (1, 0, 0)),
        ("Token", [tag("ID", "ssn", 3, 9)], [tag("ID", "SSN", 3, 9)], (0, 2, 2)),
        ("Strict", [tag("ID", "SSN", "03", 9)], [tag("ID", "SSN", 3, 9)], (0, 1, 1)),
        ("HIPAA Strict", [], [tag("ID", "IDNUM", 3, 9)], (0, 0, 0)),
        ("HIPAA Strict", [], [tag("ID", "SSN", 3, 9)], (0, 0, 1)),
        ("Binary Strict", [tag("AGE", "AGE", 3, 9)], [tag("ID", "SSN", 3, 9)], (1, 0, 0)),
        ("Binary Strict", [tag("PHI", "AGE", 3, 9)], [tag("ID", "SSN", 3, 9)], (0, 1, 1)),
        ("Relaxed", [tag("AGE", "AGE", 3, 11)], [tag("AGE", "AGE", 3, 9)], (1, 0, 0)),
        ("Relaxed", [tag("AGE", "AGE", 3, 12)], [tag("AGE", "AGE", 3, 9)], (0, 1, 1)),
        ("Token", [], [tag("DATE", "DATE", 15, 25)], (0, 0, 3)),
        ("Token", [], [tag("NAME", "DOCTOR", 4, 9)], (0, 0, 2)),
        ("Token", [], [tag("NAME", "DOCTOR", 3, 4)], (0, 0, 1)),
    ],
)
def test_known_counts(
    label: str, system: list[RawTag], gold: list[RawTag], expected: Counts
) -> None:
    assert counted(system, gold)[label] == expected


def test_relaxed_lets_one_tag_match_two() -> None:
    both = [tag("AGE", "AGE", 3, 8), tag("AGE", "AGE", 3, 12)]
    assert counted(both, [tag("AGE", "AGE", 3, 10)])["Relaxed"] == (1, 0, 0)


# ---------------------------------------------------------------- files


def write(folder: Path, name: str, *elements: str, text: str = "Seen Lee 3/4.") -> Path:
    folder.mkdir(exist_ok=True)
    path = folder / name
    path.write_text(f"<r><TEXT>{text}</TEXT><TAGS>{''.join(elements)}</TAGS></r>", encoding="utf-8")
    return path


LEE = '<NAME id="P0" start="5" end="8" text="Lee" TYPE="DOCTOR"/>'
DATE = '<DATE id="P1" start="9" end="12" text="3/4" TYPE="DATE"/>'


def test_the_text_of_two_folders(tmp_path: Path) -> None:
    write(tmp_path / "gold", "110-01.xml", LEE, DATE)
    write(tmp_path / "system", "110-01.xml", LEE)
    lines = list(as_text(evaluate(tmp_path / "system", tmp_path / "gold"), verbose=True))
    assert lines[:13] == [
        "Report for Token:",
        "                         Measure                       Micro (Primary)     ",
        "-" * 75,
        "110-01                   Precision                     1.0                 ",
        "[3(1)1]                  Recall                        0.3333              ",
        "                         F1                            0.5                 ",
        "-" * 75,
        "Token (1)                Measure        Macro (SD)     Micro (Primary)     ",
        "-" * 75,
        "Total                    Precision      1.0 (0.0)      1.0                 ",
        "                         Recall         0.3333 (0.0)   0.3333              ",
        "                         F1             0.5            0.5                 ",
        "\n",
    ]
    assert len(lines) == 42 * 13


def test_two_files_have_no_summary(tmp_path: Path) -> None:
    path = write(tmp_path, "110-01.xml", LEE)
    lines = list(as_text(evaluate(path, path)))
    assert not [line for line in lines if line.startswith("Total")]


def test_documents_are_averaged_with_nothing_as_zero(tmp_path: Path) -> None:
    for side in ("gold", "system"):
        write(tmp_path / side, "110-01.xml", LEE)
        write(tmp_path / side, "110-02.xml")
    (evaluation,) = evaluate(tmp_path / "system", tmp_path / "gold").evaluations
    strict = as_json(evaluation)["blocks"]["Strict"]
    assert strict["micro"] == {"precision": 1.0, "recall": 1.0, "f1": 1.0}
    assert strict["macro"] == {
        "precision": 0.5,
        "recall": 0.5,
        "f1": 0.5,
        "precision_sd": 0.5,
        "recall_sd": 0.5,
    }


def test_nothing_right_has_no_macro_f1(tmp_path: Path) -> None:
    write(tmp_path / "gold", "110-01.xml", LEE)
    write(tmp_path / "system", "110-01.xml", DATE)
    outcome = evaluate(tmp_path / "system", tmp_path / "gold")
    block = as_json(outcome.evaluations[0])["blocks"]["Strict"]
    assert (block["micro"]["f1"], block["macro"]["f1"]) == (0.0, None)
    assert "                         F1             nan            0.0                 " in (
        as_text(outcome)
    )


def test_what_is_on_one_side_enters_no_number_and_is_listed(tmp_path: Path) -> None:
    write(tmp_path / "gold", "110-01.xml", LEE)
    write(tmp_path / "gold", "110-02.xml", LEE)
    write(tmp_path / "system", "110-01.xml", LEE)
    write(tmp_path / "system", "110-03.xml", LEE)
    (evaluation,) = evaluate(tmp_path / "system", tmp_path / "gold").evaluations
    found = as_json(evaluation)
    assert found["documents"] == 1
    assert found["left_out"] == {"system": ["110-03"], "gold": ["110-02"]}


def test_what_follows_the_number_names_the_system(tmp_path: Path) -> None:
    write(tmp_path / "gold", "110-01.xml", LEE)
    write(tmp_path / "system", "110-01run2.xml", LEE)
    outcome = evaluate(tmp_path / "system", tmp_path / "gold")
    assert outcome.evaluations[0].system == "run2"
    assert next(as_text(outcome)).startswith("run2 Token (1)           Measure")


def test_an_odd_type_is_warned_of_and_scored(tmp_path: Path) -> None:
    path = write(tmp_path, "110-01.xml", LEE.replace("DOCTOR", "NURSE"), '<AGE start="1" end="2"/>')
    outcome = evaluate(path, path)
    assert outcome.evaluations[0].counts["Strict"] == [(2, 0, 0)]
    assert outcome.warnings[:2] == (
        "WARNING: Expected attribute 'TYPE' for xml element <NAME (P0)>  was not valid ('NURSE')",
        "WARNING: Expected attribute 'TYPE' for xml element <AGE ('')>, setting to ''",
    )


def test_texts_that_differ_are_refused(tmp_path: Path) -> None:
    write(tmp_path / "gold", "110-01.xml", LEE)
    write(tmp_path / "system", "110-01.xml", LEE, text="Another text.")
    with pytest.raises(RequestError, match="110-01"):
        evaluate(tmp_path / "system", tmp_path / "gold")


@pytest.mark.parametrize("start", ["", "one", "1_0", "1.5"])
def test_offsets_that_are_no_numbers_are_refused(tmp_path: Path, start: str) -> None:
    path = write(tmp_path, "110-01.xml", LEE.replace('"5"', f'"{start}"'))
    with pytest.raises(FileFormatError, match="P0"):
        evaluate(path, path)


def test_a_file_without_tags_element_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "110-01.xml"
    path.write_text("<r><TEXT>a</TEXT></r>")
    with pytest.raises(FileFormatError, match="no TAGS"):
        evaluate(path, path)


def test_a_folder_and_a_file_do_not_compare(tmp_path: Path) -> None:
    path = write(tmp_path, "110-01.xml", LEE)
    with pytest.raises(RequestError, match="two folders or two files"):
        evaluate(tmp_path, path)


def test_a_missing_folder(tmp_path: Path) -> None:
    with pytest.raises(StorageError, match="does not exist"):
        evaluate(tmp_path / "none", tmp_path)

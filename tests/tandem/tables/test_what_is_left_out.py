"""What cannot be done is left out and listed with its reason, and nothing goes out untold."""

from collections.abc import Iterable
from pathlib import Path

import pandas as pd
import pytest

from tandem.tag_rows import Row
from tests.tandem.tables.conftest import Archive

NOTES = {
    ("110", "110-01"): "Seen by Dr. Okafor at noon.",
    ("110", "110-02"): "Dr. Okafor called.",
    ("120", "120-01"): "Fever.",
    ("130", "130-01"): "Seen by Dr. Ruiz.",
}
TAGS = [("110", "110-01", 12, 18), ("110", "110-02", 4, 10), ("130", "130-01", 12, 16)]


@pytest.fixture
def archive(tmp_path: Path) -> Archive:
    notes = pd.DataFrame([(*key, text) for key, text in NOTES.items()],
                         columns=["patient", "record", "text"])  # fmt: skip
    tags = pd.DataFrame(TAGS, columns=["patient", "record", "start", "end"]).assign(type="DOCTOR")
    notes.to_parquet(tmp_path / "notes.parquet", index=False)
    tags.to_parquet(tmp_path / "tags.parquet", index=False)
    return Archive(tmp_path, notes, tags)


def with_notes(archive: Archive, notes: pd.DataFrame) -> None:
    notes.to_parquet(archive / "notes.parquet", index=False)


def left_out(archive: Archive, name: str) -> dict[str, str]:
    frame = archive.frame(f"{name}.left-out.parquet")
    return dict(zip(frame["record"], frame["reason"], strict=True))


def suggest(archive: Archive, *options: object) -> int:
    return archive.run("suggest", "notes.parquet", "--model", "rules", "--out", "out.parquet",
                       *options)  # fmt: skip


def surrogate(archive: Archive) -> int:
    return archive.run(
        "surrogate", "notes.parquet", "--tags", "tags.parquet", "--out", "new.parquet",
        "--doubtful", "hold-back", "--mode", "tags",
    )  # fmt: skip


def read_by_a_recognizer(archive: Archive) -> None:
    """Let the table of read records be there, as suggest writes it."""
    suggest(archive)
    (archive / "out.read.parquet").rename(archive / "tags.read.parquet")


@pytest.mark.parametrize(
    ("column", "value", "reason"),
    [
        ("text", None, "has no name or no text"),
        ("record", None, "has no name or no text"),
        ("patient", None, "has no patient"),
        ("record", "110-02", "the record 110-02 is there twice"),
    ],
)
def test_a_faulty_row_costs_its_patient_only(
    archive: Archive, column: str, value: str | None, reason: str
) -> None:
    notes = archive.notes.copy()
    notes.loc[0, column] = value
    with_notes(archive, notes)
    assert suggest(archive) == 1
    found = left_out(archive, "out")
    assert all(reason in each for each in found.values())
    assert {"120-01", "130-01"} == set(archive.frame("out.read.parquet")["record"]) - {"110-02"}
    assert len(archive.frame("out.read.parquet")) + len(found) >= len(NOTES) - (value == "110-02")


def test_a_fault_of_the_program_costs_its_patient_only(
    archive: Archive, monkeypatch: pytest.MonkeyPatch
) -> None:
    from tandem.tables import jobs

    original = jobs.documents_of_rows

    def broken(rows: Iterable[Row]) -> object:
        read = list(rows)
        if any(patient_id == "130" for patient_id, *_ in read):
            raise ZeroDivisionError("Ruiz")
        return original(read)

    monkeypatch.setattr(jobs, "documents_of_rows", broken)
    assert suggest(archive) == 1
    assert left_out(archive, "out") == {
        "130-01": "the program failed (ZeroDivisionError); tell those who made it"
    }


def test_a_patient_with_too_much_text_is_left_out(archive: Archive) -> None:
    assert suggest(archive, "--largest-patient", 0.00003) == 1
    assert set(left_out(archive, "out")) == {"110-01", "110-02"}


def test_a_patient_that_would_take_minutes_is_left_out_of_a_release(archive: Archive) -> None:
    read_by_a_recognizer(archive)
    notes = archive.notes.copy()
    notes.loc[3, "text"] = "Seen by Dr. Ruiz." + " well" * 220_000
    with_notes(archive, notes)
    assert surrogate(archive) == 1
    assert left_out(archive, "new") == {
        "130-01": "the patient has 1.1 million characters, more than --largest-patient lets be "
        "(1.0)"
    }


def test_a_record_that_nobody_read_is_not_released(archive: Archive) -> None:
    assert surrogate(archive) == 1
    assert left_out(archive, "new") == {"120-01": "has no tag, and no table says that it was read"}
    assert set(archive.frame("new.parquet")["record"]) == {"110-01", "110-02", "130-01"}


def test_one_without_phi_that_was_read_is(archive: Archive) -> None:
    read_by_a_recognizer(archive)
    assert surrogate(archive) == 0
    assert len(archive.frame("new.parquet")) == len(NOTES)
    assert "Okafor" not in " ".join(archive.frame("new.parquet")["text"])


def test_tags_of_another_text_release_nothing_of_it(archive: Archive) -> None:
    read_by_a_recognizer(archive)
    notes = archive.notes.copy()
    notes.loc[3, "text"] = "Seen by Dr. Solo."
    with_notes(archive, notes)
    assert surrogate(archive) == 1
    assert left_out(archive, "new") == {
        "130-01": "its tags are of another text, or it was not read"
    }
    assert "130-01" not in set(archive.frame("new.parquet")["record"])


def test_tags_that_went_astray_are_told(
    archive: Archive, capsys: pytest.CaptureFixture[str]
) -> None:
    read_by_a_recognizer(archive)
    archive.gold.assign(patient=archive.gold["patient"].replace("130", "13O")).to_parquet(
        archive / "tags.parquet", index=False
    )
    assert surrogate(archive) == 1
    assert "1 row about patients without records" in capsys.readouterr().err


def test_untagged_phi_holds_a_record_back(archive: Archive) -> None:
    read_by_a_recognizer(archive)
    archive.gold.drop(index=1).to_parquet(archive / "tags.parquet", index=False)
    assert surrogate(archive) == 1
    assert "110-02" in left_out(archive, "new")
    assert "Okafor" not in " ".join(archive.frame("new.parquet")["text"])


def test_returns_of_the_carriage_leave_offsets_as_they_are(archive: Archive) -> None:
    notes = archive.notes.copy()
    notes["text"] = "a\r\nb\r" + notes["text"]
    with_notes(archive, notes)
    assert suggest(archive) == 0
    texts = dict(zip(notes["record"], notes["text"], strict=True))
    found = archive.frame("out.parquet")
    assert len(found)
    for row in found.itertuples():
        assert texts[str(row.record)][row.start : row.end] == row.text


IN, BY, TO = ("suggest", "notes.parquet"), ("--model", "rules"), ("--out", "o.parquet")
CHECK = ("check", "notes.parquet", "--tags")
SURROGATE = ("surrogate", "notes.parquet", "--tags", "tags.parquet", *TO)


@pytest.mark.parametrize(
    ("command", "said"),
    [
        (("suggest", "nowhere.parquet", *BY, *TO), "does not exist"),
        (("suggest", "notes.txt", *BY, *TO), "is no table"),
        (("suggest", "broken.parquet", *BY, *TO), "is no PARQUET"),
        (("suggest", "tags.parquet", *BY, *TO), "no column of texts"),
        ((*IN, "--model", "rulez", *TO), "rulez is not a recognizer"),
        ((*IN, *BY, *TO, "--engine", "ray"), "there is no ray"),
        ((*CHECK, "notes.parquet", *TO), "has no column start"),
        ((*CHECK, "tags.parquet"), "give --out"),
        ((*CHECK, "tags.parquet", "--out", "o.xml"), "as .parquet"),
        (SURROGATE, "mask or hold-back"),
        ((*SURROGATE, "--doubtful", "mask", "--test", "20"), "--test is not for tables"),
        ((*IN, *BY, *TO, "--bare"), "--bare is not for tables"),
        ((*CHECK, "tags.parquet", *TO, "--csv", "c"), "--csv is not for tables"),
        (("check", "notes.parquet", *TO), "--out goes with --tags only"),
        (("score", "tags.parquet", "tags.parquet", *TO), "--out goes with --notes only"),
        (("surrogate", "notes.parquet", *TO, "--engine", "dask"), "--engine goes with --tags only"),
    ],
)
def test_a_wrong_request_is_told_in_a_sentence(
    archive: Archive, command: tuple[str, ...], said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    (archive / "notes.txt").write_text("text")
    (archive / "broken.parquet").write_bytes(b"PAR1 and no more")
    assert archive.run(*command) == 2
    told = capsys.readouterr().err
    assert said in told
    assert len(told) < 300 + len(str(archive.folder))
    assert not (archive / "o.parquet").exists()


def test_without_pyarrow_it_says_what_to_install(
    archive: Archive, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("shared.commands.tables.find_spec", lambda _name: None)
    assert suggest(archive) == 2
    assert "pip install 'tandem-phi[parquet]'" in capsys.readouterr().err

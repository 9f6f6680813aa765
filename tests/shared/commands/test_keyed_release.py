"""`tandem surrogate --mode keyed`: pseudonyms, the map that leads back, and whose key it was."""

from pathlib import Path

import pytest

from tests.shared.commands.test_surrogate import SOURCES, make, surrogate


@pytest.fixture
def project(tmp_path: Path) -> Path:
    return make(tmp_path / "project", SOURCES)


def passphrase(tmp_path: Path) -> list[str]:
    path = tmp_path / "passphrase"
    path.write_text("a long passphrase\n")
    return ["--passphrase-file", str(path)]


@pytest.mark.parametrize("how", [(), ("--new-ids", "--test", "40"), ("--unmark", "ROOM,DATE")])
def test_keyed_records_come_back_byte_for_byte(
    project: Path, tmp_path: Path, how: tuple[str, ...]
) -> None:
    out, kept, back = tmp_path / "out", str(tmp_path / "map"), tmp_path / "back"
    words = ["--mode", "keyed", "--keep-map", kept, *passphrase(tmp_path)]
    assert surrogate(project, "--out", str(out), *words, *how) == 0
    released = "".join(each.read_text() for each in out.rglob("*.txt"))
    assert "Holcomb" not in released
    assert "[PATIENT-" in released
    opened = ["--open-map", kept, "--restore", str(out), str(back), *passphrase(tmp_path)]
    assert surrogate(project, *opened) == 0
    sources = {each.name: each.read_bytes() for each in (project / "records").rglob("*.txt")}
    assert {each.name: each.read_bytes() for each in back.iterdir()} == sources
    assert back.stat().st_mode & 0o77 == 0


def test_pseudonyms_are_not_released_without_their_map(
    project: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "out"
    assert surrogate(project, "--out", str(out), "--mode", "keyed") == 2
    assert "give --keep-map FILE" in capsys.readouterr().err
    assert not out.exists()


def test_a_map_does_not_lead_back_from_records_that_were_changed(
    project: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out, kept, back = tmp_path / "out", str(tmp_path / "map"), tmp_path / "back"
    words = ["--mode", "keyed", "--keep-map", kept, *passphrase(tmp_path)]
    assert surrogate(project, "--out", str(out), *words) == 0
    path = out / "text" / "110-01.txt"
    path.write_text(path.read_text().replace("seen by", "seen  by"))
    opened = ["--open-map", kept, "--restore", str(out), str(back), *passphrase(tmp_path)]
    assert surrogate(project, *opened) == 2
    assert "110-01 is not as it was released" in capsys.readouterr().err
    assert not back.exists()


def test_the_card_says_whose_key_it_was(project: Path, tmp_path: Path) -> None:
    key = tmp_path / "key"
    key.write_bytes(b"k" * 32)
    for name, words in (("a", []), ("b", ["--key", str(key)])):
        kept = ["--keep-map", str(tmp_path / f"map {name}"), *passphrase(tmp_path)]
        released = ["--out", str(tmp_path / name), "--mode", "keyed", *kept, *words]
        assert surrogate(project, *released) == 0
    a, b = ((tmp_path / name / "data_card.md").read_text() for name in "ab")
    assert "key of its own" in a
    assert "made with one key" in b


@pytest.mark.parametrize(
    ("words", "why"),
    [
        (["--out", "o", "--key", "k"], "give --mode keyed"),
        (["--out", "o", "--restore", "a", "b"], "give --open-map"),
        (["--out", "o", "--mode", "keyed", "--key", "k"], "is no key"),
    ],
)
def test_options_of_keyed_releases_that_go_together(
    project: Path, tmp_path: Path, words: list[str], why: str,
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str],
) -> None:  # fmt: skip
    monkeypatch.chdir(tmp_path)
    Path("k").write_bytes(b"short")
    kept = ["--keep-map", "m", *passphrase(tmp_path)]
    assert surrogate(project, *words, *kept) == 2
    assert why in capsys.readouterr().err


def test_a_key_from_the_environment_is_the_key_from_a_file(
    project: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    words_of_key = "schlüssel, den niemand errät, 1234"
    (tmp_path / "key").write_bytes(words_of_key.encode())
    monkeypatch.setenv("TANDEM_KEY", words_of_key)
    monkeypatch.setenv("OTHER_KEY", words_of_key[::-1])
    texts: list[str] = []
    for number, key in enumerate((str(tmp_path / "key"), "env:TANDEM_KEY", "env:OTHER_KEY")):
        kept = ["--keep-map", str(tmp_path / f"map {number}"), *passphrase(tmp_path)]
        out = tmp_path / str(number)
        words = ["--out", str(out), "--mode", "keyed", "--key", key, *kept]
        assert surrogate(project, *words) == 0
        texts.append((out / "text" / "110-01.txt").read_text())
    assert texts[0] == texts[1] != texts[2]


@pytest.mark.parametrize("value", [None, "", "k" * 31])
def test_a_variable_without_a_key_is_refused(
    project: Path, tmp_path: Path, value: str | None,
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str],
) -> None:  # fmt: skip
    monkeypatch.delenv("TANDEM_KEY", raising=False)
    if value is not None:
        monkeypatch.setenv("TANDEM_KEY", value)
    kept = ["--keep-map", str(tmp_path / "m"), *passphrase(tmp_path)]
    words = ["--out", str(tmp_path / "o"), "--mode", "keyed", "--key", "env:TANDEM_KEY", *kept]
    assert surrogate(project, *words) == 2
    error = capsys.readouterr().err
    assert "env:TANDEM_KEY" in error
    assert "is no key" in error
    assert value is None or not value or value not in error
    assert not (tmp_path / "o").exists()

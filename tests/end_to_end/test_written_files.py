"""Which files a whole session writes, anywhere, and what of the records is in them."""

import os
import re
import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

PLANTED = "Zuberoa Quintavalle"
NOTES = f"patient,record,text\n1,1-01,Mrs. {PLANTED} was seen by Dr. Lee on 5/9/2071.\n"
SESSION = """
import os
import re
import sys
from pathlib import Path

from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

from adjudicator.ui.main_window import AdjudicationWindow
from annotator.ui.main_window import AnnotationWindow
from shared.commands.main import main
from shared.model import Span
from shared.project.project import Project
from shared.widgets.window.application import create_application

PLANTED = "Zuberoa Quintavalle"


def run(*words):
    assert main(words) in (0, 1), words


def show(window):
    window.show()
    wait_for(window.isActiveWindow)
    window.open_patient("1")
    wait_for(window.view.hasFocus)


def tag(view, words, key):
    for start in [each.start() for each in re.finditer(words, view.merged_view.text)]:
        view.set_caret(start)
        while len(view.selected_span() or ()) < len(words):
            QTest.keyClick(view, Qt.Key.Key_Right, Qt.KeyboardModifier.ShiftModifier)
        QTest.keyClick(view, key)


def wait_for(something):
    for _ in range(600):
        if something():
            return
        QTest.qWait(50)
    raise TimeoutError


def work(folder):
    project, out = f"{folder}/project", Path(folder) / "out"
    out.mkdir(mode=0o700)
    run("new", project, "--records", f"{folder}/records", "--annotators", "ana,ben")
    application = create_application([])  # which is kept: it ends with its name
    for name in ("ana", "ben"):
        window = AnnotationWindow(Project.open(Path(project)), name)
        show(window)
        key = Qt.Key.Key_T if name == "ana" else Qt.Key.Key_O
        for name, key in ((PLANTED, key), ("Lee", Qt.Key.Key_O), ("5/9/2071", Qt.Key.Key_D)):
            tag(window.view, name, key)
        assert len(window.session.tags) == 6
        window.session.finish()
        window.close()
    window = AdjudicationWindow(Project.open(Path(project)), "carol")
    show(window)
    for _ in range(2):
        QTest.keyClick(window.view, Qt.Key.Key_1)
    window.session.finish()
    gold = (Path(project) / "gold" / "1-01.xml").read_text("utf-8")
    assert "Zuberoa" in gold.partition("<TAGS>")[2]
    window.close()
    run("status", project, "--json", str(out / "status.json"))
    run("check", project, "--csv", str(out / "check.csv"), "--with-text")
    run("check", project, "--html", str(out / "check.html"), "--with-text")
    run("agreement", project, "--out", str(out / "agreement"), "--with-text")
    run("convert", f"{project}/gold", str(out / "brat"), "--to", "brat")
    run("verify", project)
    carry(folder, project, out)
    read_by_programs(folder, project, out)
    release(project, out)


def carry(folder, project, out):
    passphrase = ("--passphrase-file", f"{folder}/given/passphrase.txt")
    run("hand-out", project, "--annotator", "ana", "--out", str(out / "ana.out"), *passphrase)
    run("open", str(out / "ana.out"), str(out / "ana"), *passphrase)
    run("hand-in", str(out / "ana"), "--out", str(out / "ana.in"), *passphrase)
    run("collect", project, str(out / "ana.in"), *passphrase)


def read_by_programs(folder, project, out):
    records, tags, table = f"{folder}/records", str(out / "tagged"), str(out / "tags.csv")
    run("suggest", records, "--from", "text", "--model", "rules", "--out", tags)
    run("import-suggestions", project, tags, "--name", "rules")
    gold, model = f"{project}/gold", str(out / "m")
    run("score", tags, gold)
    run("train", gold, "--recognizer", "token", "--folds", "0", "--out", model)
    run("evaluate", model, gold)
    notes, found = f"{folder}/given/notes.csv", str(out / "tags.parquet")
    run("suggest", notes, "--model", "rules", "--engine", "processes", "--out", found)
    run("check", notes, "--tags", found, "--out", str(out / "findings.parquet"))
    run("surrogate", notes, "--tags", found, "--doubtful", "mask", "--out", str(out / "t.parquet"))


def release(project, out):
    run("audit", project, "--sample", "1")
    run("risk", project, "--model", "rules", "--to-judge", str(out / "places.csv"))
    run("surrogate", project, "--review")
    run("surrogate", project, "--mode", "tags", "--out", str(out / "released"))
    passphrase = ("--passphrase-file", f"{project}/../given/passphrase.txt")
    kept = ("--keep-map", str(out / "map"), *passphrase)
    run("surrogate", project, "--mode", "keyed", "--out", str(out / "keyed"), *kept)
    back = ("--restore", str(out / "keyed"), str(out / "back"), *passphrase)
    run("surrogate", project, "--open-map", str(out / "map"), *back)


def note_opened(event, arguments):
    writes = os.O_WRONLY | os.O_RDWR
    if event == "open" and isinstance(arguments[0], str) and arguments[2] & writes:
        print("opened for writing:", os.path.abspath(arguments[0]))


if __name__ == "__main__":
    sys.addaudithook(note_opened)
    work(sys.argv[1])
"""
SPEAKS = """
import os
import sys


def note_addresses(event, arguments):
    if event in ("socket.bind", "socket.connect", "socket.sendto", "socket.sendmsg"):
        if not isinstance(arguments[1], (str, bytes, type(None))):  # these are files
            note(event, arguments[1])
    elif event in ("socket.getaddrinfo", "socket.gethostbyname", "socket.gethostbyaddr"):
        note(event, arguments[0])


def note(event, address):
    descriptor = os.open(os.environ["SPOKE"], os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)
    os.write(descriptor, f"{event} {address}\\n".encode())
    os.close(descriptor)


sys.addaudithook(note_addresses)
"""
"""What each Python of the session does first: it notes every address that is no file."""
ROOT = Path(__file__).parents[2]


@pytest.fixture
def written(tmp_path):
    """All files that one session made, from the new project to the reports, with places apart."""
    places = {"HOME": "home", "TMPDIR": "tmp", "XDG_RUNTIME_DIR": "run"}
    places |= {f"XDG_{each}_HOME": f"xdg-{each}" for each in ("CONFIG", "DATA", "CACHE", "STATE")}
    for name in (*places.values(), "records", "here"):
        (tmp_path / name).mkdir(mode=0o700)
    for number in (1, 2):
        record = tmp_path / "records" / f"1-0{number}.txt"
        record.write_text(f"{PLANTED} was seen by Dr. Lee on 5/9/2071.\n", "utf-8")
    (tmp_path / "given").mkdir(mode=0o700)
    (tmp_path / "given" / "passphrase.txt").write_text("seven dull lamps\n", "utf-8")
    (tmp_path / "given" / "notes.csv").write_text(NOTES, "utf-8")
    (tmp_path / "session.py").write_text(SESSION, "utf-8")
    (tmp_path / "sitecustomize.py").write_text(SPEAKS, "utf-8")
    given = {each for each in tmp_path.rglob("*") if each.is_file()}
    there = {name: str(tmp_path / place) for name, place in places.items()}
    # helpers listen on a socket in there, whose path may have some hundred letters
    with TemporaryDirectory() as short:
        (Path(short) / "tmp").symlink_to(tmp_path / places["TMPDIR"])
        there["TMPDIR"] = str(Path(short) / "tmp")
        done = run_session(tmp_path, there)
    assert done.returncode == 0, done.stderr
    assert PLANTED.split(maxsplit=1)[0] not in done.stdout + done.stderr
    return {each for each in tmp_path.rglob("*") if each.is_file()} - given


def run_session(tmp_path, there):
    return subprocess.run(
        [sys.executable, "-B", tmp_path / "session.py", tmp_path],
        env=os.environ | there | watched(tmp_path) | {"QT_QPA_PLATFORM": "offscreen"},
        cwd=tmp_path / "here",
        umask=0o022,
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )


def watched(tmp_path):
    return {"PYTHONPATH": f"{tmp_path}{os.pathsep}{ROOT}", "SPOKE": str(tmp_path / "spoke.txt")}


def test_what_speaks_to_an_address_is_noticed_in_a_process_beside_it_too(tmp_path):
    (tmp_path / "sitecustomize.py").write_text(SPEAKS, "utf-8")
    speak = "import socket; socket.socket().bind(('127.0.0.1', 0))"
    beside = f"import subprocess, sys; subprocess.run([sys.executable, '-c', {speak!r}])"
    subprocess.run([sys.executable, "-c", beside], env=os.environ | watched(tmp_path), check=True)
    assert (tmp_path / "spoke.txt").read_text("utf-8") == "socket.bind ('127.0.0.1', 0)\n"


@pytest.mark.end_to_end
def test_a_session_leaves_nothing_of_the_records_outside_and_all_is_its_owners(written, tmp_path):
    inside = {each for each in written if each.relative_to(tmp_path).parts[0] in ("project", "out")}
    words = [each.encode(form) for each in PLANTED.split() for form in ("utf-8", "utf-16-le")]
    holding = {each for each in written if any(word in each.read_bytes() for word in words)}
    assert {each.relative_to(tmp_path).parts[0] for each in holding} == {"project", "out"}
    assert holding <= inside
    made = {each.relative_to(tmp_path).parts[1] for each in holding if "out" in each.parts}
    assert made >= {"agreement", "ana", "back", "brat", "tagged"}
    assert not made & {"ana.in", "ana.out", "keyed", "map", "places.csv", "released", "status.json"}
    assert not any(word.decode() in str(each) for each in written for word in words[::2])
    folders = {folder for each in inside for folder in each.parents if tmp_path in folder.parents}
    assert not [each for each in written | folders if each.stat().st_mode & 0o077]
    assert not (tmp_path / "spoke.txt").exists(), (tmp_path / "spoke.txt").read_text("utf-8")
    pages = {each.name: each.read_text("utf-8") for each in written if each.suffix == ".html"}
    assert pages.keys() == {"agreement.html", "check.html"}
    for page in pages.values():
        assert "content=\"default-src 'none'; style-src 'unsafe-inline';" in page
        assert not re.search(r"<script|\son\w+=|javascript:|(?:src|href)=(?!\"#)", page)

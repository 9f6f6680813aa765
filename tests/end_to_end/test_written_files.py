"""Which files a whole session writes, anywhere, and what of the records is in them."""

import os
import re
import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

PLANTED = "Zuberoa Quintavalle"
SESSION = """
import os
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


def run(*words):
    assert main(words) in (0, 1), words


def work(folder):
    project, out = f"{folder}/project", Path(folder) / "out"
    out.mkdir(mode=0o700)
    run("new", project, "--records", f"{folder}/records", "--annotators", "ana,ben")
    application = create_application([])
    for name in ("ana", "ben"):
        window = AnnotationWindow(Project.open(Path(project)), name)
        window.show()
        window.open_patient("1")
        view = window.view
        view.set_caret(view.merged_view.text.index("Zuberoa"))
        QTest.keyClick(view, Qt.Key.Key_O if name == "ana" else Qt.Key.Key_P)
        application.processEvents()
        window.session.finish()
        window.close()
    window = AdjudicationWindow(Project.open(Path(project)), "carol")
    window.show()
    window.open_patient("1")
    QTest.keyClick(window.view, Qt.Key.Key_1)
    application.processEvents()
    window.session.finish()
    window.close()
    run("status", project, "--json", str(out / "status.json"))
    run("check", project, "--csv", str(out / "check.csv"), "--with-text")
    run("check", project, "--html", str(out / "check.html"), "--with-text")
    run("agreement", project, "--out", str(out / "agreement"), "--with-text")
    run("convert", f"{project}/gold", str(out / "brat"), "--to", "brat")
    run("verify", project)


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
    assert not any(word.decode() in str(each) for each in written for word in words[::2])
    folders = {folder for each in inside for folder in each.parents if tmp_path in folder.parents}
    assert not [each for each in written | folders if each.stat().st_mode & 0o077]
    assert not (tmp_path / "spoke.txt").exists(), (tmp_path / "spoke.txt").read_text("utf-8")
    pages = {each.name: each.read_text("utf-8") for each in written if each.suffix == ".html"}
    assert pages.keys() == {"agreement.html", "check.html"}
    for page in pages.values():
        assert "content=\"default-src 'none'; style-src 'unsafe-inline';" in page
        assert not re.search(r"<script|\son\w+=|javascript:|(?:src|href)=(?!\"#)", page)

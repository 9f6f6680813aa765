"""The Debian package of a folder: the same bytes each time, and what is in it starts."""

import os
import shutil
import subprocess

import pytest

from bundle.make_deb import make_deb

pytestmark = pytest.mark.skipif(shutil.which("dpkg-deb") is None, reason="needs dpkg-deb")


@pytest.fixture
def folder(tmp_path):
    made = tmp_path / "dist"
    (made / "_internal").mkdir(parents=True)
    (made / "tandem").write_text(
        '#!/bin/sh\ncat "$(dirname "$(readlink -f "$0")")"/_internal/said\n'
    )
    (made / "tandem").chmod(0o700)
    (made / "_internal" / "said").write_text("it starts\n")
    (made / "_internal" / "said").chmod(0o600)
    (made / "_internal" / "link").symlink_to("said")
    (made / "_internal" / "lib.so.1").touch(0o755)
    return made


def unpacked(deb, place):
    subprocess.run(["dpkg-deb", "--extract", deb, place], check=True)
    return place


def test_the_program_is_started_by_its_name_and_everybody_may_read_it(folder, tmp_path):
    root = unpacked(make_deb(folder, tmp_path, 1_700_000_000), tmp_path / "root")
    said = subprocess.run([root / "usr/bin/tandem"], capture_output=True, text=True, check=True)
    assert said.stdout == "it starts\n"
    files = [each for each in root.rglob("*") if not each.is_symlink()]
    assert {oct(each.stat().st_mode & 0o777) for each in files if each.is_file()} == {
        "0o755",
        "0o644",
    }
    assert {oct(each.stat().st_mode & 0o777) for each in files if each.is_dir()} == {"0o755"}
    assert (root / "usr/lib/tandem/_internal/link").is_symlink()
    assert (root / "usr/lib/tandem/_internal/lib.so.1").stat().st_mode & 0o777 == 0o644
    assert (root / "usr/share/applications/tandem.desktop").is_file()
    assert (root / "usr/share/icons/hicolor/scalable/apps/tandem.svg").is_file()


def test_made_twice_it_is_the_same_whatever_the_dates_and_the_umask(folder, tmp_path):
    first = make_deb(folder, tmp_path, 1_700_000_000).read_bytes()
    os.utime(folder / "tandem", (5, 5))
    before = os.umask(0o077)
    try:
        again = make_deb(folder, tmp_path, 1_700_000_000).read_bytes()
    finally:
        os.umask(before)
    assert first == again


def test_its_files_belong_to_root_whoever_makes_it(folder, tmp_path):
    deb = make_deb(folder, tmp_path, 1_700_000_000)
    said = subprocess.run(["dpkg-deb", "-c", deb], capture_output=True, text=True, check=True)
    assert {line.split()[1] for line in said.stdout.splitlines()} == {"root/root"}

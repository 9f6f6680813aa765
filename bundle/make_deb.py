"""Makes a Debian package of a frozen Tandem, the same bytes each time, by dpkg-deb, without rights.

make_deb.py FOLDER OUT
"""

import gzip
import os
import platform
import shutil
import subprocess
import sys
import sysconfig
import tempfile
import tomllib
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
_DEPENDS = (
    f"libc6 (>= {platform.libc_ver()[1]})",  # that of the libraries which were taken from here
    *"fontconfig-config libegl1 libgl1 libx11-data libxcb1 xkb-data".split(),
)
_DESKTOP = """[Desktop Entry]
Type=Application
Name=Tandem
Comment=Mark protected health information in records
Exec=/usr/bin/tandem
Icon=tandem
Terminal=false
Categories=Office;
"""
_OF_OTHERS = """
What is shipped beside Tandem has licences of its own: see
/usr/lib/tandem/THIRD_PARTY_NOTICES.txt and /usr/lib/tandem/sbom.cdx.json.
"""
_DESCRIPTION = """mark protected health information in patients' records
 Two annotators mark protected health information in longitudinal records, an
 adjudicator makes a gold standard of their work, and the team checks, measures
 and releases records with surrogates. There is no server, and no network is
 used.
"""
_ARCHITECTURES = {"linux-x86_64": "amd64", "linux-aarch64": "arm64"}


def main() -> int:
    folder, out = (Path(each).resolve() for each in sys.argv[1:3])
    changed = os.environ.get("SOURCE_DATE_EPOCH") or said("git", "log", "-1", "--format=%ct")
    print(make_deb(folder, out, int(changed)))
    return 0


def make_deb(folder: Path, out: Path, changed: int) -> Path:
    """Pack `folder`, whose program is named tandem; `changed`: the date of all files, in s UTC."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    architecture = _ARCHITECTURES[sysconfig.get_platform()]
    deb = out / f"tandem_{project['version']}_{architecture}.deb"
    with tempfile.TemporaryDirectory(dir=out) as place:
        tree = Path(place)
        lay_out(folder, tree)
        news = gzip.compress((ROOT / "CHANGELOG.md").read_bytes(), mtime=0)
        (tree / "usr/share/doc/tandem/NEWS.gz").write_bytes(news)
        size = sum(each.lstat().st_size for each in tree.rglob("*")) // 1024
        fields = {
            "Package": "tandem",
            "Version": project["version"],
            "Architecture": architecture,
            "Maintainer": "the authors of Tandem <tandem@localhost>",
            "Installed-Size": size,
            "Depends": ", ".join(_DEPENDS),
            "Recommends": "libcups2",  # to print
            "Section": "science",
            "Priority": "optional",
            "Description": _DESCRIPTION.rstrip(),
        }
        put(tree / "DEBIAN/control", "".join(f"{key}: {fields[key]}\n" for key in fields))
        set_modes_and_dates(tree, changed)
        dated = os.environ | {"SOURCE_DATE_EPOCH": str(changed)}
        words = ["dpkg-deb", "--root-owner-group", "--threads-max=1", "-Zxz", "-z9", "--build"]
        said = subprocess.PIPE
        subprocess.run([*words, tree, deb], env=dated, check=True, stdout=said)
    return deb


def lay_out(folder: Path, tree: Path) -> None:
    """Put the bundle, its place in the menu, its icon and its licence where a system has them."""
    shutil.copytree(folder, tree / "usr/lib/tandem", symlinks=True)
    put(tree / "usr/share/applications/tandem.desktop", _DESKTOP)
    icon = (ROOT / "icons" / "tandem.svg").read_text(encoding="utf-8")
    put(tree / "usr/share/icons/hicolor/scalable/apps/tandem.svg", icon)
    licence = (ROOT / "LICENSE").read_text(encoding="utf-8")
    put(tree / "usr/share/doc/tandem/copyright", licence + _OF_OTHERS)
    (tree / "usr/bin").mkdir()
    (tree / "usr/bin/tandem").symlink_to("../lib/tandem/tandem")


def put(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")


def set_modes_and_dates(tree: Path, changed: int) -> None:
    """Let everybody read all and run what runs, whatever umask made them."""
    for path in sorted(tree.rglob("*"), reverse=True):
        if not path.is_symlink():
            runs = path.is_dir() or (path.stat().st_mode & 0o100 and ".so" not in path.suffixes)
            path.chmod(0o755 if runs else 0o644)
        os.utime(path, (changed, changed), follow_symlinks=False)
    tree.chmod(0o755)
    os.utime(tree, (changed, changed))


def said(*words: str) -> str:
    return subprocess.run(words, cwd=ROOT, check=True, capture_output=True, text=True).stdout


if __name__ == "__main__":
    sys.exit(main())

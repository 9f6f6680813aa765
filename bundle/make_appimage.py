"""Makes an AppImage of a frozen Tandem, the same bytes each time: a squashfs behind a runtime.

make_appimage.py FOLDER OUT RUNTIME   RUNTIME: the file of RUNTIME_URL, which is not fetched here
"""

import hashlib
import os
import subprocess
import sys
import sysconfig
import tempfile
import tomllib
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from bundle.make_deb import ROOT, lay_out, said, set_modes_and_dates

RUNTIME_URL = "https://github.com/AppImage/type2-runtime/releases/download/20251108/runtime-x86_64"
RUNTIME_SHA256 = "2fca8b443c92510f1483a883f60061ad09b46b978b2631c807cd873a47ec260d"


def main() -> int:
    folder, out, runtime = (Path(each).resolve() for each in sys.argv[1:4])
    content = runtime.read_bytes()
    if hashlib.sha256(content).hexdigest() != RUNTIME_SHA256:
        print(f"{runtime.name} is not the runtime of {RUNTIME_URL}", file=sys.stderr)
        return 2
    changed = os.environ.get("SOURCE_DATE_EPOCH") or said("git", "log", "-1", "--format=%ct")
    print(make_appimage(folder, out, content, int(changed)))
    return 0


def make_appimage(folder: Path, out: Path, runtime: bytes, changed: int) -> Path:
    """Pack `folder`, whose program is named tandem; `changed`: the date of all files, in s UTC."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    machine = sysconfig.get_platform().removeprefix("linux-")
    made = out / f"tandem-{project['version']}-{machine}.AppImage"
    with tempfile.TemporaryDirectory(dir=out) as place:
        tree, packed = Path(place) / "tree", Path(place) / "packed"
        lay_out(folder, tree)
        (tree / "AppRun").symlink_to("usr/bin/tandem")
        (tree / "tandem.desktop").symlink_to("usr/share/applications/tandem.desktop")
        (tree / "tandem.svg").symlink_to("usr/share/icons/hicolor/scalable/apps/tandem.svg")
        (tree / ".DirIcon").symlink_to("tandem.svg")
        set_modes_and_dates(tree, changed)
        words = ["mksquashfs", tree, packed, "-root-owned", "-no-xattrs", "-no-progress", "-quiet"]
        best = ["-comp", "zstd", "-Xcompression-level", "22", "-b", "1M"]
        dated = os.environ | {"SOURCE_DATE_EPOCH": str(changed)}
        subprocess.run([*words, *best], env=dated, check=True, stdout=subprocess.DEVNULL)
        made.write_bytes(runtime + packed.read_bytes())
    made.chmod(0o755)
    return made


if __name__ == "__main__":
    sys.exit(main())

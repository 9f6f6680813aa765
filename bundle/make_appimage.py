"""Makes an AppImage of a frozen Tandem, the same bytes each time: a squashfs behind a runtime.

make_appimage.py FOLDER OUT

The runtime is appimage_runtime.c, compiled here with the packages of Debian in PACKAGES.
"""

import os
import shutil
import subprocess
import sys
import sysconfig
import tempfile
import tomllib
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from bundle.make_deb import ROOT, lay_out, put, said, set_modes_and_dates

SOURCE = ROOT / "bundle/appimage_runtime.c"
LINKED = ("libsquashfuse-dev", "libfuse3-dev", "libzstd-dev", "zlib1g-dev", "libc6-dev")
"""The packages of Debian that the runtime is linked with, by what they have under /usr/share/doc"""
PACKAGES = ("gcc", "squashfs-tools", *LINKED)
_INCLUDE = Path("/usr/include")
_NEEDED = (_INCLUDE / "squashfuse/ll.h", _INCLUDE / "fuse3/fuse.h", _INCLUDE / "zstd.h")
_COMPILE = (
    *"gcc -std=gnu17 -Os -Wall -Wextra -Werror -static -s -D_FILE_OFFSET_BITS=64".split(),
    *(f"-I{_INCLUDE / each}" for each in ("squashfuse", "fuse3")),
)
_LIBRARIES = tuple("-lsquashfuse_ll -lsquashfuse -lfuse3 -lzstd -lz".split())
_MAGIC = b"AI\x02"
_MAGIC_AT = 8


def main() -> int:
    folder, out = (Path(each).resolve() for each in sys.argv[1:3])
    if not can_be_made():
        print(f"no AppImage is made: it needs {', '.join(PACKAGES)}")
        return 0
    changed = os.environ.get("SOURCE_DATE_EPOCH") or said("git", "log", "-1", "--format=%ct")
    print(make_appimage(folder, out, int(changed)))
    return 0


def can_be_made() -> bool:
    has_programs = all(map(shutil.which, ("gcc", "mksquashfs")))
    return has_programs and all(each.is_file() for each in _NEEDED)


def make_appimage(folder: Path, out: Path, changed: int) -> Path:
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
        put(tree / "usr/share/doc/tandem/runtime-copyright", _notices())
        set_modes_and_dates(tree, changed)
        words = ["mksquashfs", tree, packed, "-root-owned", "-no-xattrs", "-no-progress", "-quiet"]
        best = ["-comp", "zstd", "-Xcompression-level", "22", "-b", "1M"]
        dated = os.environ | {"SOURCE_DATE_EPOCH": str(changed)}
        subprocess.run([*words, *best], env=dated, check=True, stdout=subprocess.DEVNULL)
        made.write_bytes(_runtime(Path(place)) + packed.read_bytes())
    made.chmod(0o755)
    return made


def _runtime(place: Path) -> bytes:
    """Compile what an AppImage begins with, and mark it as of type 2."""
    made = place / "runtime"
    subprocess.run([*_COMPILE, SOURCE, "-o", made, *_LIBRARIES], check=True)
    content = bytearray(made.read_bytes())
    content[_MAGIC_AT : _MAGIC_AT + len(_MAGIC)] = _MAGIC
    return bytes(content)


def _notices() -> str:
    """The copyright of what is linked into the runtime."""
    folders = [Path("/usr/share/doc") / each for each in LINKED]
    files = [each / "copyright" for each in folders if (each / "copyright").is_file()]
    return "\n".join(f"== {each.parent.name}\n\n{each.read_text('utf-8')}" for each in files)


if __name__ == "__main__":
    sys.exit(main())

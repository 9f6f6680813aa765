"""Builds the manual as pages that are read from disk: `make manual`.

Its sources are the Markdown of the folders manual and guidelines and what the program tells of
itself. Pages that refer to something that is not there, or to the network, are not built.
"""

import re
import shutil
import sys
from pathlib import Path

from sphinx.cmd.build import main as sphinx

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT))

from manual.making.program_pages import commands_page, keys_page
from shared.version import installed_version

WORK = ROOT / ".build" / "manual"
BUILT = ROOT / "manual" / "html"
_LARGEST = 5_000_000
_FROM_OUTSIDE = re.compile(
    r"""<(?:script|img|link|iframe)\b[^>]*\b(?:src|href)=["']?(?:https?:)?//|@import|url\(["']?http"""
)
_CONF = f"""
project = "Tandem"
version = release = {installed_version()!r}
copyright = "the authors of Tandem"
html_title = "Tandem"
extensions = ["myst_parser"]
root_doc = "manual/index"
myst_heading_anchors = 4
myst_enable_extensions = ["colon_fence"]
suppress_warnings = ["misc.highlighting_failure", "myst.header"]
html_theme = "furo"
html_show_sphinx = html_show_sourcelink = html_copy_source = False
html_show_search_summary = False # it would read other pages, which a browser forbids from disk
html_last_updated_fmt = None
"""


def main() -> int:
    source, out = WORK / "source", WORK / "html"
    shutil.rmtree(WORK, ignore_errors=True)
    collect(source)
    (source / "conf.py").write_text(_CONF, encoding="utf-8")
    if sphinx(
        ["-q", "-W", "--keep-going", "-b", "html", "-d", str(WORK / "read"), str(source), str(out)]
    ):
        return 1
    prune(out)
    if outside := sorted(each.name for each in out.rglob("*.html") if from_outside(each)):
        print(f"the manual would load from elsewhere: {', '.join(outside)}", file=sys.stderr)
        return 1
    size = sum(each.stat().st_size for each in out.rglob("*") if each.is_file())
    if size > _LARGEST:
        print(f"the manual has {size:,} bytes, more than {_LARGEST:,}", file=sys.stderr)
        return 1
    shutil.rmtree(BUILT, ignore_errors=True)
    shutil.move(out, BUILT)
    print(f"The manual: {BUILT / 'index.html'} ({size / 1e6:.1f} MB)")
    return 0


def collect(source: Path) -> None:
    """Put all pages together, each where its links to others lead."""
    shutil.copytree(
        ROOT / "manual",
        source / "manual",
        ignore=shutil.ignore_patterns("html", "making", "*.py", "__pycache__"),
    )
    shutil.copytree(
        ROOT / "guidelines",
        source / "guidelines",
        ignore=shutil.ignore_patterns("*.py", "__pycache__"),
    )
    list_pages(source / "manual")
    for each in (source / "guidelines").glob("*.md"):
        each.write_text(with_one_title(each.read_text(encoding="utf-8")), encoding="utf-8")
    (source / "manual" / "keys.md").write_text(keys_page(), encoding="utf-8")
    (source / "manual" / "commands.md").write_text(commands_page(), encoding="utf-8")


def list_pages(folder: Path) -> None:
    """Let the contents have the pages of the folder that they do not name, in place of OTHERS."""
    index = folder / "index.md"
    text = index.read_text(encoding="utf-8")
    named = {"index", *re.findall(r"^\w+$", text, re.MULTILINE)}
    others = sorted({each.stem for each in folder.glob("*.md")} - named)
    index.write_text(text.replace("OTHERS\n", "".join(f"{each}\n" for each in others)), "utf-8")


def with_one_title(page: str) -> str:
    """A page whose parts are no titles too: the contents would have them as pages."""
    title, _, rest = page.partition("\n")
    if not re.search(r"^# ", rest, re.MULTILINE):
        return page
    return title + "\n" + re.sub(r"^#", "##", rest, flags=re.MULTILINE)


def prune(out: Path) -> None:
    """Leave out what no reader needs, and begin where everybody looks."""
    for name in (".buildinfo", "objects.inv"):
        (out / name).unlink(missing_ok=True)
    for each in out.rglob("*.map"):
        each.unlink()
    (out / "index.html").write_text(
        '<!doctype html><meta charset="utf-8"><title>Tandem</title>'
        '<meta http-equiv="refresh" content="0; url=manual/index.html">'
        '<a href="manual/index.html">The manual of Tandem</a>\n',
        encoding="utf-8",
    )


def from_outside(page: Path) -> bool:
    return bool(_FROM_OUTSIDE.search(page.read_text(encoding="utf-8")))


if __name__ == "__main__":
    sys.exit(main())

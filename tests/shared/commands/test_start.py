"""What a command does not wait for before it begins."""

import subprocess
import sys
from pathlib import Path

from shared.commands.command_list import COMMANDS

ROOT = Path(__file__).parents[3]
HEAVY = (
    *("PySide6", "cryptography", "dask", "faker", "matplotlib", "openpyxl", "pandas", "pyspark"),
    *("phonenumbers", "pyarrow", "pycrfsuite", "scipy", "sklearn", "stdnum", "tqdm"),
)
MADE_OF_ARRAYS = {"train"}
"""Commands whose options are told by what works on arrays."""
TOLD_BY_PROJECTS = {"audit", "surrogate"}
"""Commands whose options are told by what works on projects."""
OF_CHECK = (
    *(
        "ahocorasick",
        "numpy",
        "rapidfuzz",
        "tomlkit",
        "lxml",
        "tomllib",
        "multiprocessing",
        "adjudicator",
        "annotator",
        "shared.agreement",
    ),
    *("shared.formats.base", "shared.formats.registry", "shared.language.languages"),
    *("shared.consistency.check", "shared.consistency.patient_records", "shared.language.dates"),
    *("shared.language.date_grammar", "shared.project.project", "shared.surrogates"),
)
SHOW_HELP = """
import contextlib, io, sys
from tandem_start import main
heavy = sys.argv[1].split(",")
for name in sys.argv[2:]:
    sys.argv = ["tandem", name, "--help"]
    with contextlib.redirect_stdout(io.StringIO()) as said:
        assert main() == 0
    assert said.getvalue().startswith("usage: tandem " + name), name
    for each in sorted(set(heavy) & set(sys.modules)):
        print(name, "imports", each)
        heavy.remove(each)
"""


def imported_for_help(commands: list[str], heavy: tuple[str, ...]) -> str:
    """Say which of these modules the help of these commands imports, one after the other."""
    run = subprocess.run(
        [sys.executable, "-c", SHOW_HELP, ",".join(heavy), *commands],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
    )
    return run.stdout


def test_the_help_of_no_command_imports_a_heavy_library():
    assert not imported_for_help([*COMMANDS], HEAVY)


def test_the_help_of_no_command_reads_files_or_counts():
    others = [each for each in COMMANDS if each not in MADE_OF_ARRAYS | TOLD_BY_PROJECTS]
    assert not imported_for_help(others, ("numpy", "lxml", "shared.project.project"))


def test_the_help_of_the_check_imports_nothing_that_checks():
    assert not imported_for_help(["check"], (*HEAVY, *OF_CHECK))


def test_what_is_imported_is_seen():
    assert imported_for_help(["check"], ("argparse",)) == "check imports argparse\n"


def test_a_check_of_exact_repeats_imports_no_other_finder(tmp_path: Path):
    record = "<r><TEXT>Seen by Okafor</TEXT><TAGS/></r>"
    (tmp_path / "1-1.xml").write_text(record, encoding="utf-8")
    program = (
        "import sys; from shared.commands.main import main\n"
        f"status = main(['check', {str(tmp_path)!r}, '--kinds', 'repeat'])\n"
        "print(status, *(each for each in sys.argv[1:] if each in sys.modules))"
    )
    finders = ("shared.consistency.misspellings", "shared.consistency.untagged_patterns")
    others = ("shared.language.date_grammar", "shared.project.project", "tomlkit", "rapidfuzz")
    run = subprocess.run(
        [sys.executable, "-c", program, *finders, *others],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
    )
    assert run.stdout.splitlines() == ["0 findings", "0"]

"""What holds for every file: floors that stand without Qt, small pieces, nothing left over."""

import ast
import re
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from shared.language.known_languages import known_languages
from shared.language.languages import language
from shared.model.i2b2_2014 import I2B2_2014
from shared.model.meddocan import MEDDOCAN_TRAITS

ROOT = Path(__file__).parent.parent
PACKAGES = ("tandem", "annotator", "adjudicator", "shared", "icons", "guidelines")
SOURCES = sorted(path for name in PACKAGES for path in (ROOT / name).rglob("*.py"))
TESTS = sorted((ROOT / "tests").rglob("*.py"))
WITH_QT = {"app", "demo_windows", "__main__"}
PRELOADED = ("annotator.ui.preloaded", "shared.widgets.findings.preloaded")
LONGEST_MODULE = 400
LONGEST_FUNCTION = 60
HEAVY = (
    "faker",
    "openpyxl",
    "pycrfsuite",
    "cryptography",
    "phonenumbers",
    "stdnum",
    "pandas",
    "scipy",
    "sklearn",
    "torch",
)

TYPES_ARE_NAMED_IN = ("shared.model", "shared.agreement.official", "shared.synthetic")
BUILT_IN = [*(each.phi_type for each in I2B2_2014.types()), *MEDDOCAN_TRAITS]
TYPE_NAMES = {each.name for each in BUILT_IN} | {each.category for each in BUILT_IN}

LANGUAGE_IS_KNOWN_IN = ("shared.language", "shared.synthetic")
READS_NO_RECORDS = (
    "shared.formats", "shared.agreement", "shared.commands", "shared.widgets", "shared.outside",
)  # fmt: skip
NO_WORDS = set(
    "AN https www ftp com org net edu gov jpe png gif tiff bmp heic webp dcm mg ml partial old "
    "fabricated ad LATIN CAPITAL SMALL LETTER LIGATURE".split()
)
"""What expressions may hold: parts of addresses, files and characters, units, `a` and `an`."""
EXPRESSION = re.compile(r"""(?<![\w"'])(?:r|rf|fr)("|')((?:\\.|(?!\1).)*)\1""")
NO_PLAIN_LETTERS = re.compile(
    r"\(\?[aiLmsux-]+[:)]|\(\?P[<=]\w+[>)]|\{+[^{}]*\}+|\[(?:\\.|[^\]])*\]|\\[a-zA-Z]"
)
"""Of an expression: flags, names, words of a `Language`, classes of characters."""

IMPORT_ALL = """
import importlib, sys
for name in {hidden!r}:
    sys.modules[name] = None  # an import of it now fails
for name in sys.argv[1:]:
    try:
        importlib.import_module(name)
    except ImportError as error:
        print(f"{{name}}: {{error}}")
print([name for name in {heavy!r} if name in sys.modules])
"""


def module_name(path: Path) -> str:
    return ".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__")


def is_window(name: str) -> bool:
    parts = name.split(".")
    return parts[:2] == ["shared", "widgets"] or "ui" in parts or parts[-1] in WITH_QT


MODULES = [module_name(path) for path in SOURCES]


def import_all(names: list[str], hidden: tuple[str, ...] = ()) -> str:
    program = IMPORT_ALL.format(hidden=hidden, heavy=HEAVY)
    run = subprocess.run(
        [sys.executable, "-c", program, *names],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
    )
    return run.stdout.strip()


def test_all_but_the_windows_imports_where_qt_is_not_installed():
    names = [name for name in MODULES if not is_window(name)]
    library = [name for name in names if name.split(".")[0] == "tandem"]
    assert len(names) > 40
    programs = [name for name in names if name not in library]
    assert import_all(programs, hidden=("PySide6", "shiboken6")) == "[]"
    (said,) = import_all(library, hidden=("PySide6", "shiboken6")).splitlines()
    assert "pandas" in said  # which no program waits for, as none of them imports the library


def test_the_windows_open_without_heavy_imports():
    pytest.importorskip("PySide6")
    others = ("__main__", *PRELOADED)  # the latter are imported beside the windows
    names = [name for name in MODULES if is_window(name) and not name.endswith(others)]
    assert import_all(names) == "[]"


def test_no_module_imports_what_is_preloaded_beside_the_windows():
    assert set(PRELOADED) <= set(MODULES)
    imported = re.compile(rf"^ *(import|from) ({'|'.join(PRELOADED)})\b", re.MULTILINE)
    found = [path for path in SOURCES if imported.search(path.read_text())]
    assert [path for path in found if module_name(path) not in PRELOADED] == []


def test_no_label_makes_markup_of_text_that_it_is_given_later():
    given = {
        f"{path.relative_to(ROOT)}:{node.lineno}"
        for path in SOURCES
        for node in ast.walk(ast.parse(path.read_text("utf-8")))
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name)
        if node.func.id == "QLabel"
        and not any(isinstance(each, ast.Constant) for each in node.args)
        if all(each.arg != "textFormat" for each in node.keywords)
    }
    assert not given


def functions_of(path: Path) -> list[ast.FunctionDef | ast.AsyncFunctionDef]:
    tree = ast.parse(path.read_text(encoding="utf-8"))
    kinds = (ast.FunctionDef, ast.AsyncFunctionDef)
    return [node for node in ast.walk(tree) if isinstance(node, kinds)]


def length(function: ast.FunctionDef | ast.AsyncFunctionDef) -> int:
    """The lines of a function without those of its docstring."""
    lines = (function.end_lineno or 0) - function.lineno + 1
    first = function.body[0]
    if ast.get_docstring(function) is not None:
        lines -= (first.end_lineno or 0) - first.lineno + 1
    return lines


def test_no_module_is_longer_than_a_reader_can_hold():
    files = (*SOURCES, *TESTS)
    sizes = {str(path.relative_to(ROOT)): len(path.read_text().splitlines()) for path in files}
    assert {name: size for name, size in sizes.items() if size > LONGEST_MODULE} == {}


def test_no_function_is_longer_than_a_screen():
    long = [
        f"{path.relative_to(ROOT)}: {function.name}"
        for path in SOURCES
        for function in functions_of(path)
        if length(function) > LONGEST_FUNCTION
    ]
    assert long == []


def test_no_type_of_a_schema_is_named_where_its_traits_should_be_asked():
    named = {
        f"{module_name(path)}: {word}"
        for path in SOURCES
        if not module_name(path).startswith(TYPES_ARE_NAMED_IN)
        for word in type_names_in(ast.parse(path.read_text("utf-8")))
    }
    assert not named


def type_names_in(tree: ast.Module) -> set[str]:
    """The names of types and categories that stand as literals, alone or several in one."""
    metavars = {
        each.value
        for each in ast.walk(tree)
        if isinstance(each, ast.keyword) and each.arg == "metavar"
    }
    return {
        word
        for each in ast.walk(tree)
        if isinstance(each, ast.Constant) and isinstance(each.value, str) and each not in metavars
        for word in each.value.split()
        if TYPE_NAMES.issuperset(each.value.split())
    }


def test_expressions_on_records_ask_a_language_for_its_words():
    read = [
        path
        for path in SOURCES
        if not module_name(path).startswith((*LANGUAGE_IS_KNOWN_IN, *READS_NO_RECORDS))
    ]
    found = {
        f"{module_name(path)}: {word}"
        for path in read
        for word in words_of_expressions(path.read_text("utf-8")) - NO_WORDS
    }
    assert not found


def test_words_in_an_expression_are_seen():
    source = r'''X = re.compile(r"(?i)\b(?P<age>years? old|[a-z]+)\s{names.staff}"), f"no \"x\""'''
    assert words_of_expressions(source) == {"years", "old"}


def words_of_expressions(source: str) -> set[str]:
    """The words of two letters and more in the raw strings of a module."""
    raw = (found[2] for found in EXPRESSION.finditer(source))
    return {
        word
        for each in raw
        for word in re.findall(r"[^\W\d_]{2,}", NO_PLAIN_LETTERS.sub(" ", each))
    }


def test_no_class_name_stands_twice():
    places: dict[str, list[str]] = {}
    for path in SOURCES:
        for each in ast.walk(ast.parse(path.read_text())):
            if isinstance(each, ast.ClassDef):
                places.setdefault(each.name, []).append(str(path.relative_to(ROOT)))
    assert len(places) > 500
    assert {name: where for name, where in places.items() if len(where) > 1} == {}


def test_nothing_is_left_to_do():
    unfinished = re.compile(r"#\W*(TO" + r"DO|FIX" + r"ME|XX" + r"X)\b|NotImplemented" + r"Error")
    found = [
        str(path.relative_to(ROOT))
        for path in SOURCES + TESTS
        if unfinished.search(path.read_text())
    ]
    assert found == []


def test_test_folders_are_no_packages():
    below = [path for path in TESTS if path.name == "__init__.py" and path.parent.name != "tests"]
    assert below == []


OWN_FILES = ("shared/formats/", "shared/project/", "shared/agreement/official/")
"""Formats, a project's files, and the official evaluators, which read as their programs did."""
RECORD_SUFFIX = re.compile(r"\.(txt|xml|ann|xmi|conll|dtd)[\"']")
RECORD_USE = re.compile("record|document|endswith|suffix|glob")


def test_no_module_but_the_formats_knows_how_names_of_records_end():
    found = [
        f"{path.relative_to(ROOT)}: {line.strip()}"
        for path in SOURCES
        if not path.relative_to(ROOT).as_posix().startswith((*OWN_FILES, "shared/synthetic/"))
        for line in path.read_text().splitlines()
        if RECORD_SUFFIX.search(line) and RECORD_USE.search(line)
    ]
    assert found == []


ARCHITECTURE = (ROOT / "ARCHITECTURE.md").read_text(encoding="utf-8")


def test_every_module_that_the_architecture_names_is_there():
    there = [f"/{path.relative_to(ROOT).as_posix()}" for path in SOURCES + TESTS]
    named = re.findall(r"`([\w/]+\.py)`", ARCHITECTURE)
    assert len(named) > 30
    assert [name for name in named if not any(each.endswith(f"/{name}") for each in there)] == []


def test_every_room_of_shared_has_a_row_in_the_architecture():
    rooms = {path.parent for path in SOURCES if path.parent.parent == ROOT / "shared"}
    missing = [room.name for room in rooms if f"| `shared/{room.name}` |" not in ARCHITECTURE]
    assert missing == []


def test_what_freezes_the_program_is_told_of_all_modules_that_are_imported_by_name() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
    told = project["tool"]["tandem"]
    declared = (*told["imported-by-name"], *told["never-frozen"])
    for path in SOURCES:
        calls = re.findall(r"import_module\((.*)", path.read_text("utf-8"))
        names = [re.match(r'f?"([\w.]+)', each) for each in calls]
        assert all(each and each[1].startswith(declared) for each in names), path


def test_the_check_digits_of_the_shipped_languages_are_imported_plainly() -> None:
    source = (ROOT / "shared/surrogates/numbers/check_digits.py").read_text("utf-8")
    for code in known_languages():
        for rule in language(code).numbers.check_digits:
            assert f'"{rule}":' in source, (code, rule)

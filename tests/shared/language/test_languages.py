"""Every file of every language is read; what is wrong in one is said in a sentence."""

import re
from pathlib import Path

import pytest

from shared.errors import FileFormatError, RequestError
from shared.language.folders import check_expressions, files_below
from shared.language.known_languages import SHIPPED, UNDETERMINED, known_languages
from shared.language.languages import (
    Language,
    Region,
    alternatives,
    language,
    languages_in,
    languages_together,
)
from shared.language.patterns import patterns_of
from shared.processes import process_pool

_MARKED = re.compile(r"\[([^\]]*)\]")
_SHIPPED = known_languages()
ALL = (*known_languages(), UNDETERMINED)


@pytest.mark.parametrize("code", ALL)
def test_every_file_of_a_language_is_one_that_is_read(code: str) -> None:
    for _, file in files_below(SHIPPED / code):
        lines = file.read_text("utf-8").splitlines()
        assert lines
        assert not any(line.endswith(" ") for line in lines)
    assert language(code).name
    assert language(code).patterns


def test_files_are_told_with_those_of_folders_in_order(tmp_path: Path) -> None:
    (tmp_path / "b").mkdir()
    for name in ("c.toml", "b/z.toml", "b/y.toml", "a.toml"):
        (tmp_path / name).write_text("", "utf-8")
    assert [path for path, _ in files_below(tmp_path)] == [
        "a.toml",
        "b/y.toml",
        "b/z.toml",
        "c.toml",
    ]


def test_every_folder_of_a_language_is_of_patterns() -> None:
    folders = [each for each in SHIPPED.glob("*/*") if each.is_dir()]
    assert {each.name for each in folders} <= {"patterns"}
    assert all((each.parent / "patterns.toml").is_file() for each in folders)


@pytest.mark.parametrize("code", known_languages())
def test_a_language_tells_the_words_that_its_readers_need(code: str) -> None:
    known = language(code)
    assert len(known.dates.months) == 12
    assert known.titles
    assert known.kinship
    assert known.stopwords
    assert known.regions
    assert known.countries.keys() == language("en").countries.keys()
    for word in (*known.names.particles, *known.names.kinship, *known.names.degrees):
        assert word == word.lower()


@pytest.mark.parametrize("code", ALL)
def test_every_pattern_of_a_language_finds_its_examples(code: str) -> None:
    spoken = language(code)
    for pattern, told in zip(patterns_of(spoken), spoken.patterns, strict=True):
        for example in told["finds"]:
            text = _MARKED.sub(r"\1", example)
            found = [text[start:end] for start, end in pattern.spans(text)]
            assert found == _MARKED.findall(example)


@pytest.mark.parametrize("code", known_languages())
def test_every_holiday_has_a_day_in_every_year(code: str) -> None:
    for holiday in language(code).dates.holiday:
        assert all(holiday.day(year).year == year for year in (1999, 2071, 2096))


def test_days_of_holidays_are_those_of_the_calendar() -> None:
    days = {each.name: each.day(2023).isoformat() for each in language("en").dates.holiday}
    assert days["Thanksgiving"] == "2023-11-23"
    assert days["Memorial Day"] == "2023-05-29"
    assert days["Easter"] == "2023-04-09"
    assert days["Christmas"] == "2023-12-25"


def test_a_language_without_a_folder_is_undetermined() -> None:
    assert language("qx") is language(UNDETERMINED)


def test_months_are_numbered_however_they_are_written() -> None:
    numbers = language("en").month_numbers
    assert (numbers["january"], numbers["jan"], numbers["sept"]) == (0, 0, 8)


def test_languages_together_know_the_words_of_both() -> None:
    both = languages_together(("en", "es"))
    assert both.month_numbers["enero"] == both.month_numbers["january"] == 0
    assert both.dates.months == language("en").dates.months
    assert {"mrs", "doña"} <= both.titles
    assert both.weekday_numbers["lunes"] == both.weekday_numbers["monday"]
    assert both.season_numbers["otoño"] == 3
    assert len({each["find"] for each in both.patterns}) == len(both.patterns)


def test_of_no_language_nothing_is_known() -> None:
    with pytest.raises(RequestError, match="at least one"):
        languages_together(())


def test_a_title_is_known_before_a_name_alone() -> None:
    before = language("en").title_before
    assert before.search("seen by Dr. ")
    assert not before.search("Coudr. ")


def test_a_cue_that_no_language_gives_never_matches() -> None:
    assert not re.search(language("en").cue("of nothing"), "anything")
    assert not re.search(alternatives(()), "anything")
    assert re.fullmatch(alternatives(("of", "of the")), "of\nthe")


def test_an_expression_names_cues_and_lists_of_its_language() -> None:
    after_name = r"(?i)\s(?:{illness_after}|{language.kinship}){0,1}$"
    english = language("en").expression(after_name)
    assert english.search("Graves disease")
    assert english.search("Voss mother")
    assert not language("es").expression(after_name).search("Voss mother")
    assert language("es").expression(after_name).search("Voss madre")
    assert language("en").expression(r"{names.degrees}").fullmatch("md")
    with pytest.raises(AttributeError):
        language("en").expression(r"{names.unheard_of}")


def _folder(root: Path, **files: str) -> Path:
    folder = root / "xx"
    folder.mkdir()
    (folder / "language.toml").write_text('name = "Invented"\n', "utf-8")
    for name, text in files.items():
        (folder / f"{name}.toml").write_text(text, "utf-8")
    return root


def test_every_expression_that_comes_with_tandem_can_be_compiled() -> None:
    for code in ALL:
        check_expressions(vars(language(code)))


def test_a_folder_anywhere_is_a_language(tmp_path: Path) -> None:
    root = _folder(
        tmp_path, names='women = "Ilva"', regions='[Q]\nname = "Qua"\ncities = ["Um 1234"]'
    )
    with languages_in(root):
        invented = language("xx")
        assert known_languages() == (*_SHIPPED, "xx")
    assert known_languages() == _SHIPPED
    assert language("xx") is language(UNDETERMINED)
    assert invented.women == ("Ilva",)
    assert invented.regions["Q"] == Region("Q", "Qua", cities=("Um",), codes={"Um": "1234"})
    assert invented.patterns == language(UNDETERMINED).patterns


def _women(spoken: Language) -> tuple[str, tuple[str, ...]]:
    return spoken.code, spoken.women


def _same(spoken: Language) -> Language:
    return spoken


def test_a_language_is_the_same_one_when_it_comes_back_from_another_process() -> None:
    with process_pool(1) as pool:
        for code in ALL:
            assert pool.submit(_same, language(code)).result() is language(code)
        both = languages_together(("en", "es"))
        assert pool.submit(_same, both).result() is both


def test_another_process_knows_a_language_whose_folder_only_this_one_was_told(
    tmp_path: Path,
) -> None:
    root = _folder(tmp_path, names='women = "Ilva"')
    with languages_in(root):
        alone, beside = language("xx"), languages_together(("xx", "de"))
        assert len(alone.folders) == 1
    with process_pool(1) as pool:
        assert pool.submit(_women, alone).result() == ("xx", ("Ilva",))
        code, women = pool.submit(_women, beside).result()
    assert (code, women[0]) == ("xx+de", "Ilva")
    assert set(women) > set(language("de").women)


@pytest.mark.parametrize(
    ("name", "text", "problem"),
    [
        ("language", "name = ", "not a TOML file"),
        ("language", 'stopwords = "a"', "needs the name"),
        ("language", 'name = "X"\ncolour = "red"', "no key colour"),
        ("language", 'name = "X"\n[names]\ntitels = "dr"', "no key titels"),
        ("language", 'name = "X"\n[names]\nparticles = 3', "words or a list"),
        ("language", 'name = "X"\n[names]\nnicknames = 3', "a text as nicknames"),
        ("language", 'name = "X"\n[names]\ntwo_family_names = 3', "true or false"),
        ("language", 'name = "X"\n[ages]\nwords = 3', "a number for every word"),
        ("language", 'name = "X"\n[dates]\nmonths = "jan feb"', "12 words as months"),
        ("language", 'name = "X"\n[places]\ndepartments = 3', "words or a list"),
        ("language", 'name = "X"\n[cues]\nage_after = ["("]', "cannot be read"),
        (
            "language",
            'name = "X"\n[dates]\nholiday = [{ name = "Day", rule = "13-1" }]',
            "cannot compute Day",
        ),
        ("names", 'girls = "Ilva"', "no key girls"),
        ("patterns", "[[pattern]]\nfind = '('", "cannot be read"),
        ("regions", '[Q]\ncities = ["Um"]', "the region Q"),
        ("countries", '[drawn]\nQQ = ["Qua"]', "its people"),
        ("type_names", '[sorts]\nfax = "fax"', "no key sorts"),
        ("type_names", '[kinds]\ntelefax = "fax"', "no key telefax in kinds"),
    ],
)
def test_what_is_wrong_in_a_file_is_said_in_a_sentence(
    tmp_path: Path, name: str, text: str, problem: str
) -> None:
    root = _folder(tmp_path, **{name: text})
    with languages_in(root), pytest.raises(FileFormatError, match=problem) as caught:
        language("xx")
    assert f"{name}.toml" in str(caught.value)


def _with_patterns(tmp_path: Path, **files: str) -> Path:
    root = _folder(tmp_path, patterns="[parts]\nward = 'Ward [A-Z]'")
    (root / "xx" / "patterns").mkdir()
    for name, text in files.items():
        (root / "xx" / "patterns" / f"{name}.toml").write_text(text, encoding="utf-8")
    return root


def test_patterns_in_a_folder_are_added_in_order_and_know_the_parts(tmp_path: Path) -> None:
    root = _with_patterns(
        tmp_path,
        wards="[[pattern]]\nkinds = [\"department\"]\nfind = 'on {{ward}}'\nconfidence = 0.9",
        rooms="[[pattern]]\nkinds = [\"room\"]\nfind = 'in {{ward}}'\nconfidence = 0.9",
    )
    with languages_in(root):
        own = [each["find"] for each in language("xx").patterns][-2:]
    assert own == ["in Ward [A-Z]", "on Ward [A-Z]"]


def test_a_part_may_be_a_list_and_countries_peoples_and_regions_are_parts(tmp_path: Path) -> None:
    pattern = "[[pattern]]\nkinds = [\"place\"]\nfind = '{{near}} (?P<phi>%s)'\nconfidence = 0.9\n"
    finds = ("{{countries}}", "{{peoples}}", "{{regions}}")
    root = _folder(
        tmp_path,
        patterns='[parts]\nnear = ["in", "close to"]\n' + "".join(pattern % each for each in finds),
        countries='[drawn]\nQU = ["Quon", "quonish", "Q.U."]\nEA = ["East Quon", "easter"]',
        regions='[N]\nname = "North Um"\ncities = []',
    )
    text = "close to Q.U. in East\nQuon in quonish in North Um in near"
    with languages_in(root):
        own = patterns_of(language("xx"))[-3:]
        found = [[text[low:high] for low, high in each.spans(text)] for each in own]
    assert found == [["Q.U.", "East\nQuon"], ["quonish"], ["North Um"]]


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("[[pattern]", "not a TOML file"),
        ("[parts]\nward = 'Ward'", "has parts, which belongs into patterns.toml"),
    ],
)
def test_what_is_wrong_in_a_file_of_a_folder_is_said_of_that_file(
    tmp_path: Path, text: str, problem: str
) -> None:
    root = _with_patterns(tmp_path, wards=text)
    with languages_in(root), pytest.raises(FileFormatError, match=problem) as caught:
        language("xx")
    assert "wards.toml" in str(caught.value)

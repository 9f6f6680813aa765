import pytest

from shared.commands.main import main
from shared.model import EntityKind, PhiType
from shared.project.project import Project

XML = (
    "<a><TEXT>Dr. Lee, 3/4</TEXT><TAGS>"
    "<NAME id='x' start='4' end='7' text='Lee' TYPE='DOCTOR'/>"
    "<DATE id='y' start='9' end='12' text='3/4'/></TAGS></a>"
)
SHORT = 'name = "short"\n[[categories]]\nname = "NAME"\ntypes = [{ name = "DOCTOR" }]\n'
TASK = '<!ENTITY name "task">\n<!ELEMENT NAME ( #PCDATA ) >\n<!ATTLIST NAME TYPE CDATA "DOCTOR" >\n'


@pytest.fixture
def folder(tmp_path):
    """Six patients of one record each, and one of two."""
    folder = tmp_path / "records"
    folder.mkdir()
    for number in range(6):
        (folder / f"10{number}-01.xml").write_text(XML, "utf-8")
    (folder / "100-02.txt").write_bytes("Zoë\r\n".encode("cp1252"))
    return folder


@pytest.fixture
def run(tmp_path, folder):
    """Run `tandem new` on the records and return its exit status."""

    def new(*words, annotators="ana,ben"):
        project = str(tmp_path / "project")
        return main(["new", project, "--records", str(folder), "--annotators", annotators, *words])

    return new


def made(tmp_path):
    return Project.open(tmp_path / "project")


def tags_of(project, annotator):
    documents = [each for name in project.patient_ids for each in project.patient(name).documents]
    return sum(len(project.read_layer(annotator, each).layer.tags) for each in documents)


def test_a_project_is_made(run, tmp_path, capsys):
    assert run("--title", "Ward 3") == 0
    project = made(tmp_path)
    assert (project.title, project.annotators) == ("Ward 3", ("ana", "ben"))
    assert project.record_ids("100") == ("100-01", "100-02")
    assert capsys.readouterr().out.splitlines() == [
        f"{tmp_path / 'project'}: 6 patients, 7 records, schema i2b2-2014",
        "patients each: ana 6, ben 6",
        "records of each patient: 1 to 2, as 100 (100-01, 100-02); 101 (101-01); 102 (102-01); …",
        "carriage returns turned into line feeds: 1 of 7 records",
        "read as Windows-1252: 1 of 7 records",
        "the 12 tags in the records were not imported (see --import-layer)",
    ]


def test_the_language_of_the_records_is_kept(run, tmp_path, capsys):
    assert run("--language", "de") == 0
    assert made(tmp_path).language == "de"
    assert "nothing is known" not in capsys.readouterr().out


def test_a_language_without_a_folder_is_said_once(run, tmp_path, capsys):
    assert run("--language", "nb") == 0
    assert made(tmp_path).language == "nb"
    assert capsys.readouterr().out.count("nothing is known of the language nb") == 1


def test_what_is_no_language_is_refused(run, tmp_path, capsys):
    assert run("--language", "../en") == 2
    assert "such as en" in capsys.readouterr().err
    assert not (tmp_path / "project").exists()


def test_the_project_may_be_the_folder_one_is_in(tmp_path, folder, monkeypatch, capsys):
    here = tmp_path / "here"
    here.mkdir()
    monkeypatch.chdir(here)
    assert main(["new", ".", "--records", str(folder), "--annotators", "ana,ben"]) == 0
    assert Project.open(here).title == "here"


def test_the_title_is_the_folders_name_unless_given(run, tmp_path):
    run()
    assert made(tmp_path).title == "project"


def test_tags_are_imported_for_one_annotator(run, tmp_path, capsys):
    assert run("--import-layer", "ana") == 0
    assert (tags_of(made(tmp_path), "ana"), tags_of(made(tmp_path), "ben")) == (12, 0)
    assert "12 tags became those of ana\n" in capsys.readouterr().out


def test_tags_of_others_patients_are_left_out_and_counted(run, tmp_path, capsys):
    assert run("--import-layer", "ana", annotators="ana,ben,cyd") == 0
    assert tags_of(made(tmp_path), "ana") == 8
    assert "8 tags became those of ana; 4 on other annotators' patients were left out" in (
        capsys.readouterr().out
    )


def test_tags_become_the_gold_standard(run, tmp_path):
    assert run("--import-layer", "gold") == 0
    assert tags_of(made(tmp_path), "gold") == 12


def test_the_seed_draws_who_gets_whom(run, tmp_path, capsys):
    run("--seed", "7", annotators="ana,ben,cyd")
    first = made(tmp_path).assignments()
    (tmp_path / "project").rename(tmp_path / "first")
    run("--seed", "7", annotators="ana,ben,cyd")
    assert made(tmp_path).assignments() == first


def test_a_pattern_tells_the_patient(run, tmp_path):
    run("--patient-pattern=-(..)$")
    assert made(tmp_path).patient_ids == ("01", "02")


def test_a_schema_is_taken_from_the_tags(run, tmp_path):
    run("--schema", "auto")
    assert [str(each.phi_type) for each in made(tmp_path).schema.types()] == ["NAME:DOCTOR", "DATE"]


def test_types_that_were_taken_by_their_names_are_listed_once_and_the_schema_puts_them_right(
    run, tmp_path, capsys
):
    schema = tmp_path / "own.toml"
    own = '{ name = "DOCTOR" }, { name = "RELATIVE" }, { name = "THING" }'
    schema.write_text(SHORT.replace('{ name = "DOCTOR" }', own), "utf-8")
    run("--schema", str(schema))
    (said,) = [line for line in capsys.readouterr().out.splitlines() if "by their names" in line]
    assert "NAME:RELATIVE as person (relative), NAME:THING as person; where" in said
    settings = tmp_path / "project" / "tandem.toml"
    text = settings.read_text("utf-8")
    settings.write_text(
        text.replace('name = "THING"', 'name = "THING"\nkind = "profession"'), "utf-8"
    )
    traits = made(tmp_path).schema.traits_of(PhiType("NAME", "THING"))
    assert traits.kind is EntityKind.PROFESSION


@pytest.mark.parametrize(("name", "content"), [("a.toml", SHORT), ("a.DTD", TASK)])
def test_a_schema_is_read_from_a_file(run, tmp_path, name, content):
    (tmp_path / name).write_text(content, "utf-8")
    assert run("--schema", str(tmp_path / name)) == 0
    assert [each.name for each in made(tmp_path).schema.types()] == ["DOCTOR"]


def refused(capsys, status):
    """The one line on standard error."""
    said = capsys.readouterr()
    assert status == 2
    assert said.out == ""
    assert said.err.count("\n") == 1
    return said.err


@pytest.mark.parametrize(
    ("words", "annotators", "said"),
    [
        ([], "ana", "needs two annotators or more"),
        ([], "ana,ana", "two annotators have one name"),
        ([], "ana,gold", "it means the gold standard"),
        ([], "ana,b/c", "cannot be an annotator's name"),
        ([], "ana,", "'' cannot be an annotator's name"),
        (["--import-layer", "ana", "--import-layer", "ben"], "ana,ben", "is there twice; the tags"),
        (["--import-layer", "cyd"], "ana,ben", "cyd is neither an annotator nor gold"),
        (["--schema", "none.toml"], "ana,ben", "none.toml: no such file"),
        (["--patient-pattern", "("], "ana,ben", "the patient pattern is not a regular expression"),
        (["--seed", "x"], "ana,ben", "argument --seed: invalid int value"),
    ],
)
def test_a_wrong_request_is_one_line_and_makes_nothing(
    run, tmp_path, capsys, words, annotators, said
):
    assert said in refused(capsys, run(*words, annotators=annotators))
    assert not (tmp_path / "project").exists()


def test_an_unknown_type_names_the_file(run, tmp_path, capsys):
    (tmp_path / "a.toml").write_text(SHORT, "utf-8")
    status = run("--schema", str(tmp_path / "a.toml"), "--import-layer", "ana")
    assert "100-01.xml: the schema short has no type DATE:DATE" in refused(capsys, status)


def test_auto_needs_tags(run, folder, capsys):
    for path in folder.glob("*.xml"):
        path.unlink()
    assert "hold no tags" in refused(capsys, run("--schema", "auto"))


def test_a_folder_that_is_there_is_not_touched(run, tmp_path, capsys):
    (tmp_path / "project").mkdir()
    (tmp_path / "project" / "a").write_text("x", "utf-8")
    assert "already exists and is not empty" in refused(capsys, run())


def test_an_empty_folder_of_records_is_refused(run, folder, capsys):
    for path in folder.iterdir():
        path.unlink()
    assert "holds no records" in refused(capsys, run())


def test_a_missing_folder_of_records_is_refused(run, folder, capsys):
    folder.rename(folder.with_name("elsewhere"))
    assert "records: no such file or directory; check the name" in refused(capsys, run())


@pytest.fixture
def broken(folder):
    """Two records that cannot be read."""
    (folder / "200-01.xml").write_text("<a>", "utf-8")
    (folder / "201-01.xml").write_text(XML.replace("'7'", "'70'"), "utf-8")


@pytest.mark.usefixtures("broken")
def test_problems_are_listed_one_per_line_and_nothing_is_made(run, tmp_path, capsys):
    assert run() == 2
    lines = capsys.readouterr().err.splitlines()
    assert "200-01.xml: is not well-formed XML" in lines[0]
    assert "201-01.xml: tag x has the offsets [4, 70)" in lines[1]
    assert "2 of the files could not be read" in lines[2]
    assert "--skip-broken" in lines[2]
    assert not (tmp_path / "project").exists()


@pytest.mark.usefixtures("broken")
def test_broken_records_are_left_out_when_asked(run, tmp_path, capsys):
    assert run("--skip-broken") == 0
    assert "200-01.xml" in capsys.readouterr().err
    assert len(made(tmp_path).patient_ids) == 6


@pytest.mark.usefixtures("broken")
def test_nothing_but_broken_records_is_no_project(run, folder, capsys):
    for path in folder.glob("1*"):
        path.unlink()
    assert run("--skip-broken") == 2
    assert "needs one record or more" in capsys.readouterr().err


def test_where_every_record_is_a_patient_it_is_said(run, folder, capsys):
    (folder / "100-02.txt").unlink()
    assert run() == 0
    assert (
        "6 records of 6 patients: every record is a patient of its own; "
        "where that is wrong, give --patient-pattern"
    ) in capsys.readouterr().out.splitlines()


def test_the_patients_of_another_pattern_are_listed(run, capsys):
    assert run("--patient-pattern", r"(\d\d).-") == 0
    assert "records of each patient: 7, as 10 (100-01, 100-02, 101-01 and 4 more)" in (
        capsys.readouterr().out
    )

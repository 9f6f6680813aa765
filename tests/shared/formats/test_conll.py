import pytest

from shared.errors import FileFormatError, SchemaError
from shared.formats.base import ReadOptions, Record, WriteOptions
from shared.formats.conll import ConllFormat
from shared.model import Document, PhiType, Span, Tag
from tests.builders import document, marked_up

FORMAT = ConllFormat()


@pytest.fixture
def read(tmp_path):
    def of(content, name="110-02.conll"):
        path = tmp_path / name
        path.write_text(content, "utf-8", newline="")
        return list(FORMAT.read((path,), ReadOptions()))

    return of


def seen(record):
    said = [(str(tag.phi_type), tag.span.text_in(record.document.text)) for tag in record.tags]
    return record.document.record_id, record.document.text, said


def written(source, *more):
    text, tags = marked_up(source)
    record = Record.of(Document("110-02", "110", text), [*tags, *more])
    (file,) = FORMAT.write([record], WriteOptions())
    return file.data.decode().splitlines()


def test_tokens_stand_with_offsets_and_labels():
    assert written("By [Dr. Lee|DOCTOR][Bo|PATIENT].\nNo. [3|AGE]") == [
        "# newdoc id = 110-02",
        '# text = "By Dr. LeeBo.\\nNo. 3"',
        "By\t0\t2\tO",
        "Dr\t3\t5\tB-NAME:DOCTOR",
        ".\t5\t6\tI-NAME:DOCTOR",
        "Lee\t7\t10\tI-NAME:DOCTOR",
        "Bo\t10\t12\tB-NAME:PATIENT",
        ".\t12\t13\tO",
        "",
        "No\t14\t16\tO",
        ".\t16\t17\tO",
        "3\t18\t19\tB-AGE",
    ]


def test_of_tags_that_overlap_the_longest_is_written():
    lines = written("[Dr. Lee|DOCTOR]", Tag(Span(4, 7), PhiType("NAME", "PATIENT")))
    assert [line.split("\t")[-1] for line in lines[2:]] == ["B-NAME:DOCTOR"] + 2 * ["I-NAME:DOCTOR"]


def test_a_tag_over_two_lines_stays_one(read):
    lines = written("[Bo\nLee|DOCTOR]\nno")
    assert seen(*read("\n".join(lines)))[2] == [("NAME:DOCTOR", "Bo\nLee")]


def test_a_type_that_would_break_the_columns_is_refused():
    tag = Tag(Span(0, 3), PhiType("NAME", "A\tB"), "P7")
    with pytest.raises(SchemaError, match="CoNLL cannot hold the type of tag P7"):
        list(FORMAT.write([Record.of(document("Lee"), [tag])], WriteOptions()))


def test_without_a_text_the_tokens_make_it(read):
    (record,) = read("JAPAN B-LOC\nGET O\n\n\nNadim NNP B-PER\nLadki NNP I-PER\n. . O\n")
    assert seen(record) == (
        "110-02",
        "JAPAN GET\nNadim Ladki .",
        [("LOC", "JAPAN"), ("PER", "Nadim Ladki")],
    )


@pytest.mark.parametrize(
    ("labels", "found"),
    [
        ("I-A I-A O", ["a b"]),  # IOB
        ("I-A I-B I-B", ["a", "b c"]),
        ("B-A B-A I-A", ["a", "b c"]),
        ("B-A O I-A", ["a", "c"]),
        ("S-A B-A E-A", ["a", "b c"]),  # BIOES
        ("B-A L-A I-A", ["a b", "c"]),  # BILOU
        ("U-A U-A O", ["a", "b"]),
        ("I-A:X I-A:X I-A:Y", ["a b", "c"]),
    ],
)
def test_labels_may_be_of_any_of_the_usual_schemes(read, labels, found):
    lines = (f"{token}\t{label}" for token, label in zip("abc", labels.split(), strict=True))
    (record,) = read("\n".join(lines))
    assert [one for _, one in seen(record)[2]] == found


def test_a_tag_ends_with_its_sentence(read):
    (record,) = read("a I-A\n\nb I-A\n")
    assert [one for _, one in seen(record)[2]] == ["a", "b"]


def test_a_file_may_hold_several_records(read):
    named = read("# newdoc id = 1-01\na O\n\n# newdoc id = 1-02\n# sent_id = 4\nb B-A\n")
    assert [seen(each)[:2] for each in named] == [("1-01", "a"), ("1-02", "b")]
    assert str(named[1].source).endswith("110-02.conll, line 4")
    unnamed = read("-DOCSTART- -X- O\n\na O\n\n-DOCSTART- -X- O\n\n# O\n")
    assert [seen(each)[:2] for each in unnamed] == [("110-02-1", "a"), ("110-02-2", "#")]


def test_the_text_of_a_sentence_is_not_the_records(read):
    (record,) = read("# global.columns = FORM NE\n# text = a b\na O\nb O\n")
    assert record.document.text == "a b"


@pytest.mark.parametrize(
    ("content", "said"),
    [
        ("", "holds no tokens"),
        ("a A\n", "line 1 ends in no label such as B-NAME or O"),
        ('# text = "a"\nb\t0\t1\tO', "line 2: the token is not what stands at its offsets"),
        ('# text = "a"\na\tO', "line 2 has no offsets"),
        ('# text = "a\na\t0\t1\tO', "line 1: the text is no JSON"),
        (f'# text = "a"\na\t0\t{"9" * 5000}\tO', "line 2 has an offset beyond any text"),
    ],
)
def test_a_file_that_is_broken_is_named_with_its_line(read, content, said):
    with pytest.raises(FileFormatError) as caught:
        read(content)
    assert said in caught.value.problem

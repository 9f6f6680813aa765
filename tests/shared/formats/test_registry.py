"""Every format of the registry: what goes in comes back, or stands in the report."""

from dataclasses import replace
from importlib.util import find_spec
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import given
from hypothesis import strategies as st

from shared.errors import FileError, RequestError
from shared.formats.base import (
    Feature,
    FileFormat,
    Loss,
    OutputFile,
    ReadOptions,
    Record,
    WriteOptions,
)
from shared.formats.corpus import read_corpus
from shared.formats.format_list import LISTED, LISTED_TAGGED
from shared.formats.losses import find_losses
from shared.formats.record_fields import FIELDS
from shared.formats.registry import FORMATS, TAGGED
from shared.formats.tag_pieces import pieces_of
from shared.model import Document, Layer, Origin, PhiType, Span, Tag
from tests.builders import document, marked_up
from tests.strategies import documents_with_layers

BARE = WriteOptions()
WITHOUT_CASSIS = pytest.mark.skipif(find_spec("cassis") is None, reason="needs dkpro-cassis")
every_format = pytest.mark.parametrize(
    "target",
    [pytest.param(each, marks=WITHOUT_CASSIS if name == "xmi" else [])
     for name, each in FORMATS.items()],
    ids=FORMATS,
)  # fmt: skip


def through(records, target):
    """What comes back of records that were written in a format."""
    with TemporaryDirectory() as name:
        for file in target.write(records, BARE):
            path = Path(name) / file.name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(file.data)
        found = read_corpus(Path(name), formats=[target])
        assert found.problems == ()
        return found.records


@st.composite
def made_records(draw):
    """Records with tags of any schema; never what a format refuses to write at all."""
    count = draw(st.integers(1, 2))
    records = []
    for number in range(1, count + 1):
        made, layer = draw(documents_with_layers())
        record_id = f"110-{number:02}"
        text = made.text.replace("]]>", "]]}")
        tags = [_retyped(draw, tag) for tag in layer.tags]
        if len(text) > 4 and draw(st.booleans()):
            tags += _in_pieces(draw, len(text))
        said = st.sampled_from(["", "2071-04-12", "discharge, later"])
        document = Document(record_id, "110", text)
        records.append(replace(Record.of(document, tags), date=draw(said), kind=draw(said)))
    return records


def _in_pieces(draw, length):
    """A tag in two pieces or three, as a reader makes them."""
    edges = draw(st.lists(st.integers(0, length), min_size=4, max_size=6, unique=True))
    ordered = sorted(edges)
    spans = [Span(*pair) for pair in zip(ordered[::2], ordered[1::2], strict=False)]
    tag_id = draw(st.sampled_from(["T7", "N1"]))
    phi_type = PhiType("NAME", draw(st.sampled_from(["DOCTOR", "NAME"])))
    return pieces_of(Tag(spans[0], phi_type, tag_id, origin=Origin.IMPORT), spans)


def _retyped(draw, tag):
    categories = st.sampled_from(["NAME", "FECHAS", "Ärztin", "o_1-b", "שם"])
    names = st.sampled_from(["NAME", "B-PER", "o|o", "名前", "A:B", "O"])
    marked = st.sampled_from([(), (("seen", "twice & <again>"),)])
    if not draw(st.booleans()):
        return replace(tag, attributes=draw(marked))
    return replace(tag, phi_type=PhiType(draw(categories), draw(names).replace("|", "!")))


def as_seen(record):
    """All that matters of a record, ids too, which take no part in the equality of tags."""
    layers = [(each, [tag.id for tag in each.tags]) for each in record.layers if each.tags]
    return record.document, layers


@every_format
@given(records=made_records())
def test_records_come_back_equal_or_the_report_says_what_did_not(target, records):
    there = through(records, target)
    losses = find_losses(records, there, target).losses
    if not losses:
        assert [*map(as_seen, there)] == [*map(as_seen, records)]
    assert {loss.what for loss in losses} & target.features == set()


@every_format
def test_a_plain_record_comes_back_whole_from_every_format_with_tags(target):
    text, tags = marked_up(
        "\U0001f600 Seen by [Dr. Lee|DOCTOR][Okafor|PATIENT] \u05e9\u05dc, [3/4|DATE]."
    )
    tags = [replace(tag, origin=Origin.IMPORT) for tag in tags if Feature.TAGS in target.features]
    records = [Record.of(Document(f"110-0{n}", "110", text), tags) for n in (1, 2)]
    losses = find_losses(records, through(records, target), target).losses
    assert {each.what for each in losses} <= {Feature.IDS} - target.features


# ---------------------------------------------------------------- what a later format may need


class ManyFormat(FileFormat):
    """Several records and annotators in a file, and a file of settings that belongs to it."""

    name, title, suffixes = "many", "many in one", (".many",)
    features = frozenset({Feature.TAGS, Feature.LAYERS})

    def sources(self, paths):
        settings = tuple(path for path in paths if path.name == "settings.cfg")
        yield from ((path, *settings) for path in paths if path.suffix in self.suffixes)

    def read(self, paths, options):
        path, *settings = paths
        phi_type = PhiType(options.values["category"], settings[0].read_text("utf-8"))
        for line in path.read_text("utf-8").splitlines():
            record_id, text, *names = line.split(";")
            if not text:
                yield FileError(path, f"{record_id} is empty")
                continue
            layers = (Layer.of(record_id, name, [Tag(Span(0, 1), phi_type)]) for name in names)
            yield Record(Document(record_id, "p", text), tuple(layers))

    def write(self, records, options):
        lines = (
            ";".join([r.document.record_id, r.document.text, *(a.annotator for a in r.layers)])
            for r in records
        )
        yield OutputFile("all.many", "\n".join(lines).encode())
        yield OutputFile("settings.cfg", b"X")


@pytest.fixture
def many(tmp_path):
    (tmp_path / "a.many").write_text("r-1;Seen.;ana;ben\nr-2;;ana\nr-3;Left.", "utf-8")
    (tmp_path / "settings.cfg").write_text("DOCTOR", "utf-8")
    options = ReadOptions({"category": "NAME"})
    return read_corpus(tmp_path, formats=[ManyFormat()], options=options)


def test_a_file_may_hold_several_records_and_layers_and_belong_to_another(many):
    assert [(r.document.record_id, len(r.layers)) for r in many.records] == [("r-1", 2), ("r-3", 0)]
    assert [each.problem for each in many.problems] == ["r-2 is empty"]
    assert many.unread == ()
    assert str(many.records[0].layers[1].tags[0].phi_type) == "NAME:DOCTOR"


def test_who_wants_one_layer_of_several_is_told_whose_there_are(many):
    with pytest.raises(RequestError, match="record r-1 holds the tags of ana, ben; give a file"):
        _ = many.records[0].tags


def test_layers_that_a_format_has_no_place_for_are_lost_tag_by_tag(many):
    record = many.records[0]
    there = replace(record, layers=record.layers[:1])
    report = find_losses([record], [there], FORMATS["i2b2"])
    assert report.losses == (Loss("r-1", "P0", Feature.LAYERS),)
    assert find_losses([record], [record], ManyFormat()).losses == ()


# ---------------------------------------------------------------- what the report says


def lost(before, after, target="mae"):
    return find_losses([before], [after], FORMATS[target]).losses


@pytest.fixture
def record():
    tags = marked_up("Seen by [Lee|DOCTOR].")[1]
    return Record.of(document("Seen by Lee.", "110-01"), tags)


def with_tag(record, **changes):
    return Record.of(record.document, [replace(record.tags[0], **changes)])


@pytest.mark.parametrize(
    ("changes", "what", "is_dropped"),
    [
        ({"comment": "unsure"}, "comments", True),
        ({"origin": Origin.SUGGESTION}, "origin", False),
        ({"confidence": 0.5}, "confidence", True),
        ({"attributes": (("a", "b"),)}, "unknown attributes", True),
        ({"id": "x7"}, "ids", False),
        ({"phi_type": PhiType("NAME", "OTHER")}, "types", False),
        ({"span": Span(7, 11)}, Feature.BLANK_EDGES, False),
    ],
)
def test_what_became_of_a_tag_is_said_once(record, changes, what, is_dropped):
    (loss,) = lost(with_tag(record, **changes), record)
    assert (loss.what, loss.is_dropped) == (what, is_dropped)


def test_a_tag_is_what_is_left_of_its_like_whatever_the_ids_became(record):
    """Of tags at one place, ids given anew do not make that the comment went to another."""
    (tag,) = record.tags
    tags = [replace(tag, id="P0"), replace(tag, id="P1", comment="unsure")]
    anew = [replace(tag, id="P1"), replace(tag, id="P0", comment="unsure")]
    losses = lost(Record.of(record.document, tags), Record.of(record.document, anew))
    assert [each.what for each in losses] == ["ids", "ids"]


def test_a_record_that_is_gone_is_lost(record):
    assert find_losses([record], [], FORMATS["i2b2"]).losses == (Loss("110-01", "", "records"),)


def test_elements_and_text_and_an_annotators_name_are_compared(record):
    layer = replace(record.layer, annotator="ana", unknown=("<a/>", "<a/>"))
    there = replace(record, document=replace(record.document, text="Seen by Lee?"))
    losses = lost(replace(record, layers=(layer,)), there)
    assert [each.what for each in losses] == [
        Feature.CHARACTERS, Feature.LAYERS, Feature.ELEMENTS, Feature.ELEMENTS,
    ]  # fmt: skip


def test_what_a_reader_had_to_leave_is_in_the_report(record):
    loss = Loss("110-01", "R1", "relations")
    report = find_losses([replace(record, lost=(loss,))], [record], FORMATS["i2b2"])
    assert report.rows() == [("relations", "dropped", 1, 1)]
    assert report.as_json() == [
        {"record": "110-01", "tag": "R1", "what": "relations", "done": "dropped"}
    ]


def test_what_is_listed_of_the_formats_is_what_they_are():
    assert [*LISTED] == [*FORMATS]
    assert tuple(each.name for each in TAGGED) == LISTED_TAGGED
    fields = [each for each in LISTED.values() if "record" in each.options]
    assert fields
    assert all(set(FIELDS) <= set(each.options) for each in fields)
    for name, form in FORMATS.items():
        assert (form.title, form.options) == (LISTED[name].title, LISTED[name].options)

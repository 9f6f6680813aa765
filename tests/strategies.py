"""Hypothesis strategies for everything that a hospital may send and an annotator may do."""

from hypothesis import strategies as st

from shared.model import Document, Layer, Origin, Patient, Span, Tag
from shared.model.i2b2_2014 import I2B2_2014

NASTY = (
    "\U0001f600\U0001f469\u200d\u2695\ufe0fe\u0301\u0308"  # emoji, a joined one, two accents
    "\u05e9\u05dc\u05d5\u05dd \u0645\u0631\u062d\u0628\u0627\u200f"  # Hebrew, Arabic, a mark
    "\ufeff\u200b\u2028\u2029\x85\xa0\x0c\x00\x1b\ufdd0\ufffd"  # Qt or XML drops or folds them
    "\ud83d\udc69"  # halves of a pair: not apart, not together
    "&<>]]>'\"\u2019\u201c\u201d\u2014\t\n  "
)
"""Characters that shift offsets, break XML, or that Qt drops, folds or shows from right to left."""

PIECES = (
    "Smith",
    "SMITH,JOHN",
    "Dr. ",
    "O'Brien's",
    "3/4/2071",
    "Since6/03/04",
    "B12",
    "\n\n",
    " ",
)

phi_types = st.sampled_from([each.phi_type for each in I2B2_2014.types()])


def texts(min_size: int = 0, max_size: int = 60) -> st.SearchStrategy[str]:
    """Texts as records hold them, nasty characters and all; never a carriage return."""
    piece = st.one_of(
        st.sampled_from(PIECES),
        st.sampled_from(NASTY),
        st.text(st.characters(exclude_characters="\r"), max_size=5),
    )
    joined = st.lists(piece, max_size=20).map(lambda pieces: "".join(pieces)[:max_size])
    return joined if not min_size else joined.filter(lambda text: len(text) >= min_size)


@st.composite
def spans(draw: st.DrawFn, length: int) -> Span:
    """Spans within a text of `length` >= 1 code points."""
    start = draw(st.integers(0, length - 1))
    return Span(start, draw(st.integers(start + 1, length)))


@st.composite
def tags(draw: st.DrawFn, length: int) -> Tag:
    """Tags within a text of `length` >= 1 code points, without an id."""
    origin = draw(st.sampled_from(Origin))
    suggested = origin is Origin.SUGGESTION
    return Tag(
        draw(spans(length)),
        draw(phi_types),
        comment=draw(st.sampled_from(["", "unsure", 'a "quoted" & <odd> comment'])),
        origin=origin,
        confidence=draw(st.sampled_from([0.0, 0.25, 1.0])) if suggested else None,
    )


def documents(record_id: str = "110-01", min_size: int = 0) -> st.SearchStrategy[Document]:
    patient_id = record_id.rpartition("-")[0]
    return texts(min_size).map(lambda text: Document(record_id, patient_id, text))


@st.composite
def documents_with_layers(draw: st.DrawFn, max_tags: int = 6) -> tuple[Document, Layer]:
    """A document and a layer that fits it; tags may overlap, nest and be there twice."""
    document = draw(documents(min_size=1))
    drawn = draw(st.lists(tags(len(document.text)), max_size=max_tags))
    return document, Layer.of(document.record_id, "ana", drawn)


@st.composite
def patients(draw: st.DrawFn, max_records: int = 4) -> Patient:
    """A patient with one record or more, some of them empty."""
    drawn = draw(st.lists(texts(), min_size=1, max_size=max_records))
    documents = (Document(f"110-{n:02}", "110", text) for n, text in enumerate(drawn, start=1))
    return Patient("110", tuple(documents))

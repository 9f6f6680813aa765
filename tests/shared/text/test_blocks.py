"""What is told as a page: all of it, as text, what could not be read before the rest."""

from shared.text.blocks import Table, counted, html_of, page_of

BLOCKS = [
    Table(("annotator", "tags"), [("ana <b>", 12), ("ben", 0)]),
    ("3 of 5 patients adjudicated", "1 question open & unread"),
]


def test_tables_and_sentences_come_in_their_order() -> None:
    assert list(html_of((), BLOCKS)) == [
        "<table><thead><tr><th>annotator</th><th>tags</th></tr></thead>\n<tbody>",
        "<tr><td>ana &lt;b&gt;</td><td>12</td></tr>",
        "<tr><td>ben</td><td>0</td></tr>",
        "</tbody></table>",
        "<p>3 of 5 patients adjudicated</p>",
        "<p>1 question open &amp; unread</p>",
    ]


def test_what_could_not_be_read_comes_first() -> None:
    first, one, end, *rest = html_of(["a.xml: is <broken>"], BLOCKS)
    assert first.startswith("<p>Not all could be read; the figures leave out")
    assert (one, end) == ("<li>a.xml: is &lt;broken&gt;</li>", "</ul>")
    assert rest == list(html_of((), BLOCKS))


def test_a_page_has_its_title_and_loads_nothing() -> None:
    page = page_of("Status <1>", "As of today.", (), BLOCKS)
    assert "<h1>Status &lt;1&gt;</h1>\n<p>As of today.</p>" in page
    assert all(each in page for each in html_of((), BLOCKS))
    assert "default-src 'none'" in page
    assert "src=" not in page
    assert "href=" not in page


def test_one_of_a_thing_is_no_several():
    assert [counted(number, "record") for number in (0, 1, 2, 1304)] == [
        "0 records",
        "1 record",
        "2 records",
        "1,304 records",
    ]


def test_a_table_on_its_side_has_a_row_for_each_column():
    turned = Table(("annotator", "tags"), [("ana", 12), ("ben", 0)]).transposed()
    assert turned == Table(["annotator", "ana", "ben"], [("tags", 12, 0)])

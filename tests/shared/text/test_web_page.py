"""A page that loads and runs nothing, whatever its title."""

from shared.text.web_page import web_page


def test_a_title_is_no_markup_and_nothing_may_be_loaded():
    page = web_page("<script>alert(1)</script>", "p { }", ["<p>one</p>", "<p>two</p>"])
    assert "<title>&lt;script&gt;alert(1)&lt;/script&gt;</title>" in page
    assert "default-src 'none'" in page
    assert "script-src" not in page
    assert page.index("<p>one</p>\n<p>two</p>") < page.index("</body></html>")

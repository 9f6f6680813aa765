"""Whatever is written as XML can be read again."""

from hypothesis import example, given
from hypothesis import strategies as st
from lxml import etree

from shared.formats.xml_characters import attribute, is_xml_name


@given(st.text(min_size=1, max_size=5))
@example("X²")
@example("²X")
@example("ªB")
@example("नाम")
@example("a:b")
@example("\U00010000")
def test_a_name_is_one_where_xml_takes_it_and_it_has_no_namespace(name: str):
    try:
        read = etree.fromstring(f"<{name}/>".encode("utf-8", "replace")).tag
    except etree.XMLSyntaxError:
        read = None
    assert is_xml_name(name) == (read == name and ":" not in name)


def test_attributes_of_one_name_in_two_namespaces_come_back():
    names = ["{urn:one}a", "{urn:two}a", "{urn:one}b", "a"]
    written = "".join(attribute(name, name) for name in names)
    assert dict(etree.fromstring(f"<X{written}/>").items()) == dict(zip(names, names, strict=True))

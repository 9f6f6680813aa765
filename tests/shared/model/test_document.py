import pytest
from hypothesis import given

from shared.errors import ModelError
from shared.model import Document
from tests.strategies import texts


def test_a_carriage_return_is_named_by_record_and_offset_and_not_by_text():
    with pytest.raises(ModelError, match=r"record 110-01: .* offset 5") as caught:
        Document("110-01", "110", "Smith\r\n")
    assert "Smith" not in str(caught.value)


@given(texts())
def test_every_other_character_comes_through(text):
    assert Document("110-01", "110", text).text == text

"""The keys of the annotation window and those of a schema keep out of each other's way."""

import pytest

from annotator.ui.actions import action_table
from shared.errors import SchemaError
from shared.formats.schema_toml import schema_from_table
from shared.model import PhiType, Schema, SchemaCategory, SchemaType

BARE = Schema("bare", (SchemaCategory("NAME", (SchemaType(PhiType("NAME", "PATIENT")),)),))
NEEDED = sorted({key for spec in action_table(BARE) for key in spec.shortcuts if len(key) == 1})


@pytest.mark.parametrize("key", NEEDED)
def test_no_schema_takes_a_key_that_the_window_needs(key: str):
    category = {"name": "NAME", "key": key.lower(), "types": [{"name": "PATIENT"}]}
    with pytest.raises(SchemaError, match="is taken by the windows"):
        schema_from_table({"name": "greedy", "categories": [category]})

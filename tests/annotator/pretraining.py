"""Projects in which a model of fabricated patients may suggest, or has no type to suggest."""

from dataclasses import replace

from shared.formats.base import Record
from shared.model import Document, PhiType, Schema
from shared.model.i2b2_2014 import I2B2_2014
from shared.model.schema import SchemaCategory, SchemaType
from shared.project.project import Project
from shared.recognition.training_settings import SETTINGS

_TOKEN = SETTINGS["token"]
SOON = replace(_TOKEN, crfs=tuple(replace(each, iterations=12) for each in _TOKEN.crfs))
"""Settings by which something is learnt in a second, and not well."""

TEXT = "Patient Name: VOSS,RENATA\nSeen by Dr. Okafor on 05/09/2007.\n"


def make_project(folder, schema=I2B2_2014):
    records = [Record(Document("1-01", "1", TEXT))]
    return Project.create(folder, "p", schema, records, ["ana", "ben"], 1)


def one_type(category, name):
    types = (SchemaType(PhiType(category, name)),)
    return Schema("small", (SchemaCategory(category, types),))

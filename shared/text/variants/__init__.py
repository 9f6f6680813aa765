"""The other ways in which a text is written elsewhere, and which texts may be something else."""

from shared.text.variants.dates import DateMention, DayOrder, day_order, find_dates, read_date
from shared.text.variants.doubts import doubt, is_common_word, is_eponym
from shared.text.variants.finding import FoundVariant, find_variants, same_day, variants
from shared.text.variants.names import PersonName, parse_name
from shared.text.variants.numbers import number_key, number_keys, number_span
from shared.text.variants.rules import Rule, Variant

__all__ = [
    "DateMention",
    "DayOrder",
    "FoundVariant",
    "PersonName",
    "Rule",
    "Variant",
    "day_order",
    "doubt",
    "find_dates",
    "find_variants",
    "is_common_word",
    "is_eponym",
    "number_key",
    "number_keys",
    "number_span",
    "parse_name",
    "read_date",
    "same_day",
    "variants",
]

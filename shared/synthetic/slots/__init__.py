"""What fills the slots of a template: a module for each kind of thing, with its writers."""

from collections.abc import Callable, Mapping

from shared.synthetic.scene import Scene
from shared.synthetic.slots.clinical import CLINICAL_SLOTS
from shared.synthetic.slots.numbers import NUMBER_SLOTS
from shared.synthetic.slots.people import PEOPLE_SLOTS
from shared.synthetic.slots.places import PLACE_SLOTS
from shared.synthetic.slots.times import TIME_SLOTS

SLOTS: Mapping[str, Callable[[Scene, tuple[str, ...]], None]] = {
    **CLINICAL_SLOTS,
    **NUMBER_SLOTS,
    **PEOPLE_SLOTS,
    **PLACE_SLOTS,
    **TIME_SLOTS,
}

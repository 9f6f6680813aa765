"""The permutation of initials: one per patient, no letter its own."""

from collections.abc import Callable, Mapping
from random import Random
from string import ascii_uppercase

from shared.surrogates.wording import plain

_TRIES = 60


class Initials:
    """Which letter stands for which, as Stubbs and Uzuner (2015) draw it per patient."""

    def __init__(self, letters: Mapping[str, str]) -> None:
        self._letters = dict(letters)

    def letter(self, char: str) -> str:
        """The letter for a letter, in its case; any other character as it is."""
        base = plain(char).upper()[:1]
        new = self._letters.get(base)
        if new is None:
            return char
        return new if char.isupper() else new.lower()

    def text(self, text: str) -> str:
        return "".join(self.letter(char) for char in text)


def draw_initials(
    wanted: Mapping[str, int],
    room: Callable[[str, str], bool],
    clashes: Callable[[Initials], int],
    randomness: Random,
) -> Initials:
    """Draw a permutation of A to Z that moves every letter.

    `wanted` counts by letter the names to be found, `room(letter, new)` says whether there are
    enough names with `new` for those with `letter`, `clashes` how many initials come out as
    something else that is in the records. The draw with the fewest of both is taken.
    """
    best: tuple[int, dict[str, str]] | None = None
    for _ in range(_TRIES):
        drawn = _draw(wanted, room, randomness)
        missing = sum(wanted[letter] for letter in wanted if not room(letter, drawn[letter]))
        missing += clashes(Initials(drawn))
        if best is None or missing < best[0]:
            best = missing, drawn
        if not missing:
            break
    return Initials(best[1] if best else {})


def _draw(
    wanted: Mapping[str, int], room: Callable[[str, str], bool], randomness: Random
) -> dict[str, str]:
    free = list(ascii_uppercase)
    randomness.shuffle(free)
    order = sorted(wanted, key=lambda letter: (-wanted[letter], randomness.random()))
    drawn: dict[str, str] = {}
    for letter in order:
        fitting = [new for new in free if new != letter and room(letter, new)]
        others = [new for new in free if new != letter]
        drawn[letter] = (fitting or others or free)[0]
        free.remove(drawn[letter])
    rest = [letter for letter in ascii_uppercase if letter not in drawn]
    return drawn | dict(zip(rest, _deranged(rest, free), strict=True))


def _deranged(letters: list[str], free: list[str]) -> list[str]:
    """Order `free` so that no letter meets itself, which turning it round comes to in the end."""
    for turn in range(len(free)):
        turned = free[turn:] + free[:turn]
        if all(one != other for one, other in zip(letters, turned, strict=True)):
            return turned
    return free

"""Texts without the difference between capitals and small letters."""


def folded(text: str) -> str:
    """Return `text` in small letters, every character in its place.

    A character that would become two, such as the Turkish İ, stays as it is.
    """
    small = text.lower()
    if len(small) == len(text):
        return small
    return "".join(low if len(low := char.lower()) == 1 else char for char in text)

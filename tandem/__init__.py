"""Tandem as a library: projects, corpora, scores, recognizers and surrogates without a window.

What goes in and comes out are plain values and pandas data frames. Records have the columns
`patient`, `record` and `text`, tags `record`, `start`, `end` and `type`; offsets are code points of
the record's text, half-open, from 0. Whatever is wrong with files or frames is a `TandemError` of
one sentence. Frames hold the text of records: they are PHI. Examples: manual/python.md.
"""

from typing import TYPE_CHECKING, Any

from shared.errors import TandemError
from shared.version import installed_version

if TYPE_CHECKING:
    from tandem.corpora import TaggedCorpus, read, write
    from tandem.count_frames import risk_frame, score_frame, scores_of_counts
    from tandem.opened_project import AgreementFrames, OpenedProject
    from tandem.opened_project import open_project as open  # noqa: A004  as one opens a file
    from tandem.recognizers import (
        CRFRecognizer,
        FoundPhi,
        LoadedRecognizer,
        load_recognizer,
        suggest_frame,
    )
    from tandem.releases import FrameRelease, surrogate_frame
    from tandem.scores import CorpusScore, score
    from tandem.tag_frames import check_frame

__version__ = installed_version()

__all__ = [
    "AgreementFrames",
    "CRFRecognizer",
    "CorpusScore",
    "FoundPhi",
    "FrameRelease",
    "LoadedRecognizer",
    "OpenedProject",
    "TaggedCorpus",
    "TandemError",
    "check_frame",
    "load_recognizer",
    "open",
    "read",
    "risk_frame",
    "score",
    "score_frame",
    "scores_of_counts",
    "suggest_frame",
    "surrogate_frame",
    "write",
]


def __getattr__(name: str) -> Any:  # noqa: ANN401  whatever is asked for
    """Import what is asked for when it is: scikit-learn waits until a recognizer is wanted."""
    if name in ("TaggedCorpus", "read", "write"):
        import tandem.corpora as module
    elif name in ("AgreementFrames", "OpenedProject", "open"):
        import tandem.opened_project as module
    elif name in ("FrameRelease", "surrogate_frame"):
        import tandem.releases as module
    elif name in ("CorpusScore", "score"):
        import tandem.scores as module
    elif name in ("risk_frame", "score_frame", "scores_of_counts"):
        import tandem.count_frames as module
    elif name == "check_frame":
        import tandem.tag_frames as module
    elif name in __all__:
        import tandem.recognizers as module
    else:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    found = getattr(module, "open_project" if name == "open" else name)
    globals()[name] = found
    return found


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})

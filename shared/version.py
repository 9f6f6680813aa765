"""Which Tandem this is."""

DISTRIBUTION = "tandem-phi"


def installed_version() -> str:
    """The version that is installed; to look it up costs a third of the start of a command."""
    import importlib.metadata

    try:
        return importlib.metadata.version(DISTRIBUTION)
    except importlib.metadata.PackageNotFoundError:
        return "not installed"

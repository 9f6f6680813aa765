"""Makes the model that a wheel takes along: `make model`, before a wheel is built for a release."""

import os
import sys

from annotator.pretraining import SHIPPED_MODELS, build_shipped_model
from shared.errors import TandemError


def main() -> None:
    try:
        folder = build_shipped_model(SHIPPED_MODELS, cores=os.cpu_count() or 1)
    except TandemError as error:
        sys.exit(f"make model: {error}")
    size = sum(each.stat().st_size for each in folder.iterdir())
    sys.stdout.write(f"{folder}: {size / 1e6:.1f} MB\n")


if __name__ == "__main__":
    main()

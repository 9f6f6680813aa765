"""Where the frozen program begins: also each process that it starts beside itself."""

import multiprocessing
import sys

from tandem_start import main

if __name__ == "__main__":
    multiprocessing.freeze_support()
    sys.exit(main())

"""The command `dosnes`: the same program as that of the Rust package."""

from __future__ import annotations

import sys

from ._dosnes import main as _main


def main() -> None:
    """Run the command with the arguments of this process."""
    sys.exit(_main(["dosnes", *sys.argv[1:]]))


if __name__ == "__main__":
    main()

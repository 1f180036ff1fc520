"""Make the pictures of the pages anew: run the tutorial, which draws them, and photograph its report.

    python docs/theme/pictures.py

It needs matplotlib, and Chromium or Chrome (the variable CHROME names another one).
"""

from __future__ import annotations

import doctest
import os
import shutil
import subprocess
import sys
import tempfile
import warnings
from pathlib import Path

HOME = Path(__file__).resolve().parent.parent
IMAGES = HOME / "images"
#: The first screen of the report.
WINDOW = (900, 900)


def main() -> None:
    """Make all of them."""
    os.environ["MPLBACKEND"] = "Agg"
    tutorial = (HOME / "tutorial.md").read_text(encoding="utf-8")
    with tempfile.TemporaryDirectory() as folder, warnings.catch_warnings():
        warnings.simplefilter("ignore")
        os.chdir(folder)
        for example in doctest.DocTestParser().get_examples(tutorial):
            exec(compile(example.source, "tutorial.md", "single"), NAMES)
        for name in ("path.png", "rules.png"):
            keep(Path(folder, name))
        keep(photographed(Path(folder, "report.html")))
        os.chdir(HOME)


NAMES: dict[str, object] = {"__name__": "__main__"}


def photographed(page: Path) -> Path:
    """Return a picture of the first screen of a page."""
    names = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome")
    browser = os.environ.get("CHROME") or next(filter(None, map(shutil.which, names)), None)
    if browser is None:
        sys.exit("the picture of the report needs Chromium or Chrome")
    file = page.with_suffix(".png")
    flags = "--headless --no-sandbox --disable-gpu --hide-scrollbars --blink-settings=preferredColorScheme=1"
    size = f"--window-size={WINDOW[0]},{WINDOW[1]}"
    profile = f"--user-data-dir={page.parent / 'profile'}"
    command = [browser, *flags.split(), profile, size, f"--screenshot={file}", page.as_uri()]
    subprocess.run(command, check=True, capture_output=True)
    return file


def keep(file: Path) -> None:
    """Put a picture among those of the pages, with as many colours as it needs."""
    from PIL import Image

    with Image.open(file) as picture:
        picture.convert("RGB").quantize(128).save(IMAGES / file.name, optimize=True)
    print(f"{file.name}: {(IMAGES / file.name).stat().st_size:,} bytes")


if __name__ == "__main__":
    main()

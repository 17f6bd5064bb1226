# SPDX-License-Identifier: Apache-2.0
"""Write THIRD-PARTY-LICENSES: the crates that are compiled into a wheel, and their licenses.

The crates are those of `cargo tree` for the platforms of the release, without those that only run
while building. `--check` compares the file instead. A license that is not allowed is an error.
"""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parent.parent
PLACE = ROOT / "THIRD-PARTY-LICENSES"
#: Terms of crates whose archive has no file with all of them.
TERMS = ROOT / "scripts" / "terms"

#: One for each operating system; processors and C libraries change no crate.
TARGETS = ("x86_64-unknown-linux-gnu", "aarch64-apple-darwin", "x86_64-pc-windows-msvc")

#: Licenses that a wheel may contain, the preferred one first, and the files with their text in a
#: crate. The text of Apache-2.0 is in LICENSE.
ALLOWED = {
    "Apache-2.0": (),
    "MIT": ("LICENSE-MIT", "LICENSE", "LICENSE.txt"),
    "Unicode-3.0": ("LICENSE-UNICODE",),
    "Zlib": ("LICENSE",),
}

HEAD = """\
What a wheel of TrueBLEU has in it besides TrueBLEU: Rust's standard library (Apache-2.0 OR MIT,
taken under Apache-2.0, https://github.com/rust-lang/rust) and these crates, which are at
https://crates.io/crates/NAME/VERSION. The text of Apache-2.0 is in LICENSE; what else their authors
want to be passed on is below. Written by scripts/third_party.py.
"""


def cargo(*arguments: str) -> str:
    """What a subcommand of cargo prints for the crates of Cargo.lock."""
    command = ["cargo", *arguments, "--locked"]
    return subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True, cwd=ROOT).stdout


def bundled() -> list[tuple[str, str]]:
    """Names and versions of the crates that are compiled into a wheel, less our own."""
    targets = [word for target in TARGETS for word in ("--target", target)]
    kinds = ("--edges", "normal,no-proc-macro", "--prefix", "none", "--package", "truebleu-python")
    lines = cargo("tree", *kinds, *targets).splitlines()
    found = {tuple(line.split()[:2]) for line in lines if line and "(/" not in line}
    return sorted((name, version.removeprefix("v")) for name, version in found)


def licenses(expression: str) -> list[str]:
    """The licenses under which a crate is used: the preferred one of each choice."""
    chosen = []
    for part in expression.split(" AND "):
        choice = re.split(r" OR |/", part.strip("()"))
        wanted = [name for name in ALLOWED if name in choice]
        if not wanted:
            sys.exit(f"third_party.py: {part} is not among the licenses that may go into a wheel")
        chosen.append(wanted[0])
    return chosen


def texts(folder: Path, chosen: list[str]) -> list[str]:
    """The texts of a crate to include: those of its licenses, and its notice."""
    choices = [("NOTICE.txt",), *(ALLOWED[name] for name in chosen)]
    found = [next((f for f in files if (folder / f).exists()), None) for files in choices]
    for name, file in zip(chosen, found[1:], strict=True):
        if ALLOWED[name] and file is None:
            sys.exit(f"third_party.py: {folder.name} has no text of {name}")
    return [(folder / file).read_text(encoding="utf-8").strip("\n") for file in found if file]


def page() -> str:
    """The whole file."""
    packages = json.loads(cargo("metadata", "--format-version", "1"))["packages"]
    known = {(package["name"], package["version"]): package for package in packages}
    rows, crates_of_text = [], {}
    for name, version in bundled():
        package = known[name, version]
        chosen = licenses(package["license"])
        rows.append(f"{name:20}{version:10}{' AND '.join(chosen)}")
        own = TERMS / name
        read = [own.read_text(encoding="utf-8").strip("\n")] if own.exists() else None
        for text in read or texts(Path(package["manifest_path"]).parent, chosen):
            crates_of_text.setdefault(text, []).append(name)
    parts = [f"{'-' * 100}\n{', '.join(crates)}\n\n{text}\n" for text, crates in crates_of_text.items()]
    return "\n".join([HEAD, *rows, "", *parts])


def main() -> None:
    """Write the file, or with `--check` check that it is up to date."""
    text = page()
    if "--check" not in sys.argv:
        PLACE.write_text(text, encoding="utf-8")
    elif not PLACE.exists() or PLACE.read_text(encoding="utf-8") != text:
        sys.exit("THIRD-PARTY-LICENSES is stale; run python3 scripts/third_party.py")


if __name__ == "__main__":
    main()

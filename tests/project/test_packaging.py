# SPDX-License-Identifier: Apache-2.0
"""The archives of a release, their metadata, and an installation without Rust."""

import email
import os
import re
import shutil
import sys
import tarfile
import tomllib
import venv
import zipfile
from pathlib import Path

import numpy as np
import pytest
import yaml
from conftest import ROOT
from support.programs import output_of, run_program

import truebleu

BIN = Path(sys.executable).parent
VERSION = truebleu.__version__
PYPROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))


@pytest.fixture(scope="module")
def wheel():
    """The wheel that these tests' truebleu was installed from."""
    wheels = sorted((ROOT / "target" / "wheels").glob("truebleu-*.whl"), key=os.path.getmtime)
    if not wheels:
        pytest.skip("there is no wheel in target/wheels; make setup builds it")
    return wheels[-1]


@pytest.fixture(scope="module")
def sdist(tmp_path_factory):
    folder = tmp_path_factory.mktemp("sdist")
    output_of([BIN / "maturin", "sdist", "--out", folder], cwd=ROOT)
    (path,) = folder.iterdir()
    return path


@pytest.fixture(scope="module")
def no_rust(tmp_path_factory):
    """An environment in which a program is found only if it is one that every system has."""
    folder = tmp_path_factory.mktemp("bin")
    for name in ("sh", "env", "cat"):
        (folder / name).symlink_to(shutil.which(name))
    kept = {name: value for name, value in os.environ.items() if "CARGO" not in name}
    return {**kept, "PATH": str(folder)}


@pytest.fixture(scope="module")
def empty(tmp_path_factory):
    """An environment of Python with NumPy alone: these tests' own, so that no network is needed."""
    folder = tmp_path_factory.mktemp("empty")
    venv.create(folder)
    (site,) = folder.glob("lib/python*/site-packages")
    numpy = Path(np.__file__).parent
    for path in [numpy, *numpy.parent.glob("numpy.libs"), *numpy.parent.glob("numpy-*.dist-info")]:
        (site / path.name).symlink_to(path)
    return folder / "bin"


def metadata(wheel):
    with zipfile.ZipFile(wheel) as archive:
        text = archive.read(f"truebleu-{VERSION}.dist-info/METADATA").decode()
    return email.message_from_string(text)


def test_the_wheel_holds_the_package_and_its_metadata(wheel):
    with zipfile.ZipFile(wheel) as archive:
        names = archive.namelist()
    info = f"truebleu-{VERSION}.dist-info/"
    about = {name.removeprefix(info) for name in names if name.startswith(info)}
    assert about == {
        "METADATA", "WHEEL", "RECORD", "entry_points.txt", "licenses/LICENSE",
        "licenses/THIRD-PARTY-LICENSES", "sboms/truebleu-python.cyclonedx.json",
    }  # fmt: skip
    inside = {name.removeprefix("truebleu/") for name in names if not name.startswith(info)}
    package = ROOT / "src" / "truebleu"
    files = [path for path in package.rglob("*") if path.is_file()]
    sources = {str(p.relative_to(package)) for p in files if p.suffix not in (".pyc", ".so")}
    (kernel,) = inside - sources
    assert re.fullmatch(r"_core\.cpython-\d+t?-.*\.so", kernel)
    assert sources <= inside
    assert wheel.stat().st_size < 4_000_000


def test_the_sdist_holds_what_building_takes_and_no_more(sdist):
    with tarfile.open(sdist) as archive:
        files = {member.name: member for member in archive.getmembers()}
    root = f"truebleu-{VERSION}/"
    names = {name.removeprefix(root) for name in files}
    assert all(name.startswith(root) for name in files)
    assert all(member.isfile() for member in files.values())
    own = {
        "PKG-INFO", "README.md", "LICENSE", "THIRD-PARTY-LICENSES", "CHANGELOG.md", "CITATION.cff",
        "Cargo.toml", "Cargo.lock", "pyproject.toml",
    }  # fmt: skip
    assert {name for name in names if "/" not in name} == own
    assert {name.partition("/")[0] for name in names - own} == {"crates", "src"}
    if not (ROOT / ".git").exists():
        pytest.skip("without git it is not known which files are the project's")
    kinds = ["--cached", "--others", "--exclude-standard"]
    sources = {name for name in output_of(["git", "ls-files", *kinds], cwd=ROOT).splitlines() if (ROOT / name).exists()}
    assert names - {"PKG-INFO"} <= sources
    # `src` has the kernel for web pages, built.
    needed = ("crates/core/", "crates/python/", "src/")
    assert {name for name in sources if name.startswith(needed)} <= names


def test_the_metadata_is_complete(wheel):
    from trove_classifiers import classifiers

    about = metadata(wheel)
    assert (about["Name"], about["Version"]) == ("truebleu", VERSION)
    assert about["License-Expression"] == "Apache-2.0"
    assert about.get_all("License-File") == ["LICENSE", "THIRD-PARTY-LICENSES"]
    needed = [text for text in about.get_all("Requires-Dist") if "extra ==" not in text]
    assert needed == PYPROJECT["project"]["dependencies"]
    assert [re.match(r"\w+", text)[0] for text in needed] == ["numpy"]
    ours = about.get_all("Classifier")
    assert set(ours) <= classifiers
    # The versions that are named are those that wheels are built for.
    versions = {text.rpartition(" ")[2] for text in ours if ":: Python :: 3." in text}
    built = {re.match(r"cp3(\d+)", name)[1] for name in PYPROJECT["tool"]["cibuildwheel"]["build"]}
    assert versions == {f"3.{minor}" for minor in built}
    assert about["Requires-Python"] == f">=3.{min(map(int, built))}"
    assert "Typing :: Typed" in ours


def test_terms_of_the_bundled_crates_are_up_to_date():
    output_of([sys.executable, ROOT / "scripts" / "third_party.py", "--check"])


def test_the_version_is_written_in_one_place(wheel):
    workspace = tomllib.loads((ROOT / "Cargo.toml").read_text())["workspace"]["package"]
    citation = yaml.safe_load((ROOT / "CITATION.cff").read_text())
    written = {workspace["version"], metadata(wheel)["Version"], citation["version"]}
    assert written == {VERSION}
    assert PYPROJECT["project"]["dynamic"] == ["version"]
    quoted = re.compile(rf"""["']{re.escape(VERSION)}["']""")
    assert [p for p in (ROOT / "src").rglob("*.py") if quoted.search(p.read_text("utf-8"))] == []


def test_the_changelog_is_in_the_standard_form():
    text = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    first, *dated = re.findall(r"^## (.*)$", text, re.MULTILINE)
    assert first == "[Unreleased]"
    assert all(re.fullmatch(r"\[\d+\.\d+\.\d+\] - \d{4}-\d\d-\d\d", one) for one in dated)
    kinds = set(re.findall(r"^### (.*)$", text, re.MULTILINE))
    assert kinds <= {"Added", "Changed", "Deprecated", "Removed", "Fixed", "Security"}


def test_a_wheel_is_all_that_an_environment_with_numpy_needs(wheel, empty, no_rust):
    pip = [sys.executable, "-m", "pip", "--python", empty / "python"]
    # Without an index, any other requirement would be one too many.
    output_of([*pip, "install", "--quiet", "--no-index", "--no-compile", wheel], env=no_rust)
    assert output_of([*pip, "check"], env=no_rust) == "No broken requirements found.\n"
    (site,) = empty.parent.glob("lib/python*/site-packages")
    assert {path.name.partition("-")[0] for path in site.glob("*.dist-info")} == {"numpy", "truebleu"}
    tried = output_of([empty / "python", ROOT / "scripts" / "smoke.py"], env=no_rust)
    assert tried.startswith(f"truebleu {VERSION} works: Python {sys.version.split()[0]}")
    assert output_of([empty / "truebleu", "--version"], env=no_rust) == f"truebleu {VERSION}\n"


def test_building_without_rust_says_what_is_missing(sdist, no_rust, tmp_path):
    build = ["pip", "wheel", "--no-deps", "--no-build-isolation", "--wheel-dir", tmp_path]
    # Else maturin would fetch a Rust of its own.
    environment = {**no_rust, "MATURIN_NO_INSTALL_RUST": "1"}
    code, text = run_program([sys.executable, "-m", *build, sdist], env=environment)
    assert code == 1
    assert "Cargo, the Rust package manager, is not installed or is not on PATH." in text
    assert "https://rustup.rs" in text
    assert "Traceback" not in text


def test_make_without_rust_says_what_to_do(no_rust, tmp_path):
    for name in (".venv", "scripts", "bin"):
        (tmp_path / name).mkdir()
    script = shutil.copy(ROOT / "scripts" / "with-rust", tmp_path / "scripts")
    for name in ("dirname", "sed", "sort", "tail", "ls"):
        (tmp_path / "bin" / name).symlink_to(shutil.which(name))
    path = os.pathsep.join([no_rust["PATH"], str(tmp_path / "bin")])
    environment = {**no_rust, "PATH": path, "HOME": str(tmp_path)}
    code, text = run_program([script, "true"], env=environment)
    assert code == 2
    assert text.endswith("install it (https://rustup.rs) and run make again\n")


@pytest.mark.slow
def test_the_sdist_builds_a_wheel_that_works(sdist, empty, tmp_path):
    # Optimizing takes minutes, and is not what is in question here.
    quick = {"CARGO_PROFILE_RELEASE_LTO": "off", "CARGO_PROFILE_RELEASE_OPT_LEVEL": "0"}
    build = [sys.executable, "-m", "pip", "wheel", "--no-deps", "--no-build-isolation"]
    path = os.pathsep.join([str(BIN), os.environ["PATH"]])
    output_of([*build, sdist], cwd=tmp_path, env={**os.environ, **quick, "PATH": path})
    (wheel,) = tmp_path.glob("*.whl")
    pip = [sys.executable, "-m", "pip", "--python", empty / "python"]
    output_of([*pip, "install", "--quiet", "--no-index", "--force-reinstall", "--no-deps", wheel])
    assert " works: " in output_of([empty / "python", ROOT / "scripts" / "smoke.py"])

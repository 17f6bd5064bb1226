# SPDX-License-Identifier: Apache-2.0
"""What `scripts/audit` says of versions, licenses and advisories. See docs/hardening.md."""

from __future__ import annotations

from importlib.machinery import SourceFileLoader
from importlib.util import module_from_spec, spec_from_loader

import pytest
from conftest import ROOT


@pytest.fixture(scope="module")
def audit():
    loader = SourceFileLoader("audit", str(ROOT / "scripts" / "audit"))
    module = module_from_spec(spec_from_loader("audit", loader))
    loader.exec_module(module)
    return module


def test_versions_fit_what_an_advisory_names(audit):
    fitting = {
        "1.2.3": [">= 1.2, < 2", "^1.1", "= 1.2.3", "~1.2"], "0.3.5": ["^ 0.3.1"],
        "0.0.3": ["^0.0.3"], "1.10.0": ["> 1.9.9"], "1.0.0": [">= 1.0.0-alpha.1"], "2.0.0": ["2"],
    }  # fmt: skip
    others = {
        "2.0.0": [">= 1.2, < 2", "^1.1"], "0.4.0": ["^0.3.1"], "0.0.4": ["^0.0.3"],
        "1.0.0-rc.1": [">= 1.0.0"], "1.3.0": ["~1.2"], "1.2.4": ["= 1.2.3"],
    }  # fmt: skip
    for expected, cases in ((True, fitting), (False, others)):
        for found, requirements in cases.items():
            for requirement in requirements:
                assert audit.fits(audit.version(found), requirement) is expected, requirement


def test_licenses_are_read_as_expressions(audit):
    allowed = ["MIT", "MIT/Apache-2.0", "GPL-3.0 OR MIT", "(MIT OR GPL-3.0) AND Unicode-3.0",
               "Apache-2.0 WITH LLVM-exception OR GPL-2.0"]  # fmt: skip
    others = ["GPL-3.0", "MIT AND GPL-3.0", "(MIT OR Zlib) AND LGPL-2.1"]
    assert all(map(audit.is_allowed, allowed))
    assert not any(map(audit.is_allowed, others))


def test_an_advisory_about_one_of_our_crates_is_found(audit, tmp_path):
    folder = tmp_path / "crates" / "memchr"
    folder.mkdir(parents=True)
    for name, patched in (("RUSTSEC-1-1", ">= 1000.0.0"), ("RUSTSEC-1-2", ">= 1.0.0")):
        said = f'[advisory]\nid = "{name}"\n\n[versions]\npatched = ["{patched}"]\n'
        (folder / f"{name}.md").write_text(f"```toml\n{said}```\n\n# Of a test\n")
    known = audit.advisories(tmp_path)
    found = list(audit.complaints(PACKAGES, {}, known))
    assert found == ["memchr 2.8.3 is affected by RUSTSEC-1-1"]
    fork = {"name": "x", "version": "1.0.0", "source": "git+https://example.org/x"}
    assert "not from crates.io" in next(audit.complaints([fork], {}, {}))
    assert "license GPL-3.0" in next(
        audit.complaints(PACKAGES, {("memchr", "2.8.3"): "GPL-3.0"}, {})
    )


PACKAGES = [
    {"name": "memchr", "version": "2.8.3", "checksum": "0",
     "source": "registry+https://github.com/rust-lang/crates.io-index"},
    {"name": "truebleu-core", "version": "0.1.0"},
]  # fmt: skip

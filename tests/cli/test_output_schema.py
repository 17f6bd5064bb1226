# SPDX-License-Identifier: Apache-2.0
"""JSON has the shape of docs/output.schema.json, whatever the number of systems and metrics."""

import json

import jsonschema
import pytest
from conftest import ROOT
from support.command import scored
from support.example_texts import AURORA, ENGLISH, SYSTEMS

SCHEMA = json.loads((ROOT / "docs" / "output.schema.json").read_text("utf-8"))


@pytest.mark.parametrize("metrics", [["bleu"], ["bleu", "chrf"], ["ter"]], ids=" ".join)
@pytest.mark.parametrize("systems", [[AURORA], SYSTEMS], ids=["one", "three"])
@pytest.mark.parametrize(
    ("shape", "command"),
    [
        ("score", ["score"]),
        ("score", ["score", "--confidence", "-sh"]),
        ("segments", ["score", "-sl"]),
        ("compare", ["compare", "-n", "50", "-q"]),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_json_has_one_shape(command, shape, systems, metrics):
    name, *flags = command
    output, _ = scored(name, ENGLISH[0], "-i", *systems, "-m", *metrics, *flags, "-f", "json")
    parsed = json.loads(output)
    jsonschema.validate(parsed, {**SCHEMA, "$ref": f"#/$defs/{shape}"})
    entries = parsed if shape == "segments" else parsed.get("scores", parsed.get("systems"))
    assert len(entries) == len(metrics) * len(systems) * (48 if shape == "segments" else 1)


def test_json_of_a_campaign_has_its_shape():
    output, _ = scored("campaign", str(ROOT / "examples"), "-n", "50", "-q", "-f", "json")
    jsonschema.validate(json.loads(output), {**SCHEMA, "$ref": "#/$defs/campaign"})

# SPDX-License-Identifier: Apache-2.0
"""The kernel in a page computes what Python computes, in Chromium."""

import base64
import gzip
import hashlib
import json
import random
from importlib.resources import files
from itertools import zip_longest

import numpy as np
import pytest
from conftest import ROOT
from support.corpora import NO_SPACES, SPACES
from support.example_texts import NAMED, TWO_REFS
from support.profiles import SLOW
from support.unsafe_texts import ATTACKS

from truebleu import BLEU, DIALECTS, compare
from truebleu.analysis.explain.influence import segment_costs
from truebleu.metrics.tokenizers import NATIVE

BROWSER = files("truebleu.browser")
REFS = [list(row) for row in TWO_REFS]
HYPS = {name: list(texts) for name, texts in NAMED.items()}

#: Logarithms and exponentials are those of the platform.
TOLERANCE = 1e-14

NATIVE_DIALECTS = [row for row in DIALECTS.values() if row.tokenize.tokenize in NATIVE]

#: Parts of random texts, each a kind that some tokenizer treats in its own way.
PIECES = [
    "the", "cat", "a", "b", "Straße", "ΑΣ", "Σ", "İ", "ǅ", "naïve", "слово", "中文字日本語",
    "テスト", "한국어", "𠀀𪛖", "٣४½²Ⅷ", "&quot;", "&amp;lt;", "&amp;", "&", "<", ">",
    "<skipped>", "-\n", "1,000.5", "12-3", ".,!?", "“”«»—…", "€£+^`´©°∑♥", *SPACES, *NO_SPACES,
]  # fmt: skip


def random_text(rng):
    """A text of pieces and characters from all of Unicode."""
    parts = []
    for _ in range(rng.randrange(12)):
        code = rng.randrange(0x110000)
        character = "\ufffd" if 0xD800 <= code < 0xE000 else chr(code)
        parts.append(rng.choice([*rng.choices(PIECES, k=4), character]))
        parts.append(rng.choice(["", " ", " "]))
    return "".join(parts)


def random_pair(rng):
    """A text, and a reference that shares some of it."""
    text = random_text(rng)
    return text, "".join(rng.choice([part, random_text(rng)]) for part in text.partition(" "))


def floats(text):
    return np.frombuffer(base64.b64decode(text))


#: Floats as base64, which reach the test faster than a list of numbers.
PACKED = """array => {
    const bytes = new Uint8Array(array.buffer, array.byteOffset, array.byteLength);
    let text = "";
    for (let i = 0; i < bytes.length; i += 30_000) {
        text += String.fromCharCode(...bytes.subarray(i, i + 30_000));
    }
    return btoa(text);
}"""


def same(result, score):
    """Whether the fields of a score in the page are those of Python's."""
    integers = ("matches", "totals")
    assert {name: result[name] for name in integers} == {name: list(getattr(score, name)) for name in integers}
    names = ("hyp_len", "ref_len", "signature")
    assert [result[name] for name in names] == [getattr(score, name) for name in names]
    found = [result["value"], result["bp"], *result["precisions"]]
    expected = [score.value, score.bp, *score.precisions]
    np.testing.assert_allclose(np.array(found, float), expected, rtol=TOLERANCE, equal_nan=True)


def test_the_module_was_built_from_these_sources():
    recorded = dict(reversed(line.split()) for line in BROWSER.joinpath("kernel.sha256").read_text().splitlines())
    sources = sorted(
        path.relative_to(ROOT).as_posix()
        for folder in ("crates/core", "crates/wasm")
        for path in [*(ROOT / folder / "src").rglob("*.rs"), ROOT / folder / "Cargo.toml"]
    )
    lines = [f"{hashlib.sha256((ROOT / one).read_bytes()).hexdigest()}  {one}\n" for one in sources]
    current = {
        "sources": hashlib.sha256("".join(lines).encode()).hexdigest(),
        "kernel.wasm": hashlib.sha256(BROWSER.joinpath("kernel.wasm").read_bytes()).hexdigest(),
    }
    assert recorded == current, "the kernel has changed; run make wasm"


def test_the_module_is_small():
    assert len(gzip.compress(BROWSER.joinpath("kernel.wasm").read_bytes())) <= 150_000


def test_scores_have_the_fields_of_python(kernel):
    hyps = HYPS["aurora"]
    for options in (
        {},
        {"dialect": "mteval-v13a"},
        {"tokenize": "intl", "lowercase": True},
        {"smooth_method": "floor"},
        {"smooth_method": "add-k", "smooth_value": 0.123},
        {"weights": [0.5, 0.5]},
        {"dialect": "nltk", "effective_order": True},
        {"smooth_method": "average"},
        {"join": "smoothed"},
        {"join": "mean"},
        {"brevity_power": 2},
        {"max_ngram_order": 6},
        {"add_counts": [1e-15, 1e-9, 0]},
    ):
        bleu = BLEU(**options)
        script = "([name, ...of]) => truebleu[name](...of)"
        same(kernel.page.evaluate(script, ["corpus", hyps, REFS, options]), bleu.corpus(hyps, REFS))
        results = kernel.page.evaluate(script, ["sentences", hyps[:9], REFS[:9], options])
        for result, hyp, refs in zip(results, hyps, REFS, strict=False):
            same(result, bleu.sentence(hyp, refs))


def test_bad_arguments_are_errors_with_pythons_names(kernel):
    def message(*arguments):
        script = "of => truebleu.corpus(...of).then(() => '', error => error.message)"
        return kernel.page.evaluate(script, arguments)

    assert "needs Python" in message(["a"], ["a"], {"tokenize": "ja-mecab"})
    assert message(["a"], []).startswith("there are 1 hypotheses and 0 entries")
    assert message(["a"], [[]]).startswith("refs[0] has no reference")
    assert "is not a string" in message([5], ["a"])
    lone = "() => truebleu.corpus(['\\ud800'], ['a']).catch(error => error.message)"
    assert "lone surrogate" in kernel.page.evaluate(lone)


def test_options_have_the_signatures_and_errors_of_python(kernel):
    """The cases that tests/dialects/test_signature.py runs in Python."""
    cases = json.loads((ROOT / "tests" / "golden" / "options.json").read_text("utf-8"))
    script = """cases => cases.map(({options: {dialect, ...changes}}) => {
        const unicode = {categories: "#", lower: "#"};
        try {
            const resolved = resolve(dialect, changes);
            const written = sentence => signatureOf(resolved, 1, unicode, sentence);
            return {signature: written(false), sentence: written(true)};
        } catch (error) {
            return {refused: error.message};
        }
    })"""
    for case, result in zip(cases, kernel.page.evaluate(script, cases), strict=True):
        if "refused" in result:
            result["refused"] = result["refused"].partition(";")[0]
        written = {name: text.replace("-#", "") for name, text in result.items()}
        assert {"options": case["options"], **written} == case


def test_tokens_and_normalized_texts(kernel):
    texts = [*ATTACKS.values(), "Hello, WORLD!  ", "a &amp; b"]
    texts = [text for text in texts if text.isascii() or "\ud800" not in text]
    for options in ({"lowercase": True}, {"dialect": "mteval-v13a-intl"}):
        script = """([texts, {dialect, ...changes}]) =>
            kernel.tokens(texts, resolve(dialect, changes))"""
        results = kernel.page.evaluate(script, [texts, options])
        bleu = BLEU(**options)
        assert [one["tokens"] for one in results] == [bleu.tokens(text) for text in texts]
        strip = str.rstrip if bleu.dialect.normalize.strip == "right" else str
        assert [one["normalized"] for one in results] == [strip(text.lower()) for text in texts]


@pytest.mark.parametrize("name", [row.name for row in NATIVE_DIALECTS])
def test_random_unicode(random_columns, name):
    kernel, hyps, refs = random_columns
    bleu = BLEU(name)
    results = kernel.page.evaluate(
        f"""async name => {{
            await kernel.count("random", resolve(name), ["hyp"], ["ref 0", "ref 1"]);
            const [[rows], [values]] = await Promise.all([
                kernel.each("table", "random"), kernel.each("values", "random"),
            ]);
            return [rows, values].map({PACKED});
        }}""",
        name,
    )
    stats = bleu.stats(hyps, refs)
    rows, values = map(floats, results)
    expected = np.asarray(stats)
    # Scores in a row, which a mean of segments adds, may differ in their last bit of 36.
    apart = np.abs(rows.reshape(expected.shape) - expected)
    scores = bleu.dialect.orders_noted
    assert apart.max() <= (1 if scores else 0)
    assert np.count_nonzero(apart) <= 2
    np.testing.assert_allclose(values, bleu.sentence_values(stats), rtol=TOLERANCE, equal_nan=True)


@pytest.fixture(scope="module")
def random_columns(kernel):
    rng = random.Random(23)
    pairs = [random_pair(rng) for _ in range(20_000 if SLOW else 1_000)]
    hyps = [hyp for hyp, _ in pairs]
    refs = [[ref, random_text(rng)] if i % 3 == 0 else [ref] for i, (_, ref) in enumerate(pairs)]
    columns = {"hyp": hyps}
    columns |= {f"ref {k}": list(column) for k, column in enumerate(zip_longest(*refs))}
    kernel.page.evaluate(
        """columns => Promise.all(
            Object.entries(columns).map(([name, texts]) => kernel.load(name, texts)))""",
        columns,
    )
    return kernel, hyps, refs


def test_comparisons_are_those_of_python(kernel):
    names = list(HYPS)[:2]
    documents = [i // 5 for i in range(len(REFS))]
    some = [i for i in range(len(REFS)) if i % 3]
    many = [i % len(REFS) for i in range(600)]  # so many are drawn in another way
    script = """async ([columns, some, many, documents]) => {
        for (const [name, texts] of Object.entries(columns)) await kernel.load(name, texts);
        await kernel.count("set", resolve(), ["a", "b"], ["r0", "r1"]);
        const options = {resamples: 1000, seed: 12345, level: 0.95};
        const compare = (segments, labels) =>
            kernel.compare("set", Uint32Array.from(segments), [0, 1], labels, options);
        return [
            await kernel.select("set", Uint32Array.from(some), resolve(), 2),
            await compare(some, null), await compare(some, documents), await compare(many, null),
            Array.from((await kernel.each("costs", "set"))[0]),
        ];
    }"""
    columns = {"a": HYPS[names[0]], "b": HYPS[names[1]]}
    columns |= {f"r{k}": list(column) for k, column in enumerate(zip(*REFS, strict=True))}
    selected, *compared, costs = kernel.page.evaluate(script, [columns, some, many, documents])
    for result, name in zip(selected, names, strict=True):
        same(result, BLEU().corpus([HYPS[name][i] for i in some], [REFS[i] for i in some]))
    drawn = ((some, None), (some, [documents[i] for i in some]), (many, None))
    for result, (segments, labels) in zip(compared, drawn, strict=True):
        texts = {name: [HYPS[name][i] for i in segments] for name in names}
        refs = [REFS[i] for i in segments]
        comparison = compare(texts, refs, resamples=1000, documents=labels)
        (pair,) = comparison.pairs
        assert result["p"] == pair.p
        assert result["difference"] == pytest.approx(pair.difference, rel=1e-12)
        assert result["interval"] == pytest.approx(pair.interval, rel=1e-9)
        for ends, system in zip(result["intervals"], comparison.systems, strict=True):
            assert ends == pytest.approx(system.interval, rel=1e-9)
    expected = segment_costs(BLEU(), BLEU().stats(HYPS[names[0]], REFS))
    np.testing.assert_allclose(costs, expected, rtol=1e-9, atol=1e-12)

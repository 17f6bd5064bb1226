# SPDX-License-Identifier: Apache-2.0
"""Programs in the languages of CodeBLEU, most of them wrong."""

import random

import pytest

import truebleu as tb

#: For each language a program and its reference.
PROGRAMS = {
    "c": (
        "int area(int w, int h) { /* w times h */ int a = w * h; return a; }",
        "int area(int x, int y) { int r = x * y; if (r < 0) return 0; return r; }",
    ),
    "cpp": (
        "int sum(std::vector<int> v) { int s = 0; for (int x : v) s += x; return s; }",
        "int sum(const std::vector<int>& v) { int s = 0; for (auto x : v) { s += x; } return s; }",
    ),
    "c_sharp": (
        "class A { public int Twice(int x) { var y = x * 2; return y; } }",
        "class A { public int Twice(int n) { int m = 2 * n; return m; } }",
    ),
    "go": (
        "func half(n int) int {\n\tm := n / 2 // rounds\n\treturn m\n}",
        "func half(n int) int {\n\tif n == 0 { return n }\n\treturn n / 2\n}",
    ),
    "java": (
        "int max(int a, int b) { int m = a; if (b > a) { m = b; } return m; }",
        "int max(int a, int b) { int c = b; if (a > b) { c = a; } return c; }",
    ),
    "javascript": (
        "function add(a, b) { let c = a + b; return c } // sum",
        "function add(a, b) { const sum = a + b; console.log('//'); return sum; }",
    ),
    "php": (
        "<?php function f($a) { $b = $a . 'x'; return $b; }",
        "<?php function f($s) { if (!$s) { return ''; } $t = $s . 'y'; return $t; }",
    ),
    "python": (
        'def f(xs):\n    """Sum."""\n    s = 0\n    for x in xs:  # all\n        s += x\n',
        "def f(items):\n    t = 0\n    for item in items:\n        t = t + item\n    return t",
    ),
    "ruby": (
        "def area(w, h)\n  a = w * h # both\n  a\nend",
        "def area(x, y)\n  r = x * y\n  return r unless r < 0\nend",
    ),
    "rust": ("fn twice(x: i32) -> i32 { let y = x * 2; y }", "fn twice(n: i32) -> i32 { let m = n + n; return m; }"),
}

#: Pieces of programs, most of which parse in no language, and some in several.
PIECES = [
    "x = 1", "y = x + f(2)", "if (x > 0) {", "}", "else {", "return x;", "return y", "for x in y:",
    "    z = x * 2", "\tx", "def f(a, b=1):", "end", "while (true) { x++; }", "// note", "/* a",
    "b */", "# note", '"""doc"""', "'s'", '"', "'", "int g(int a) {", "a;", "a, b = b, a", "\\",
    "class A:", "class A { }", "<?php", "?>", "$v = [1, 2];", "fn h(x: i32) -> i32 { x }",
    "func k() int { return 1 }", "é = '中'", "f'{x!r} {{}}'", "(", ")", "not in", "@x", "", "   ",
]  # fmt: skip


def metric(lang, *, dataflow=True, **options):
    """The metric, with data flow if there is codebleu; skips if there is no grammar."""
    pytest.importorskip(f"tree_sitter_{lang}", reason=f"there is no grammar of {lang}")
    if not dataflow:
        options.setdefault("weights", (0.3, 0.3, 0.4, 0))
    return tb.CodeBLEU(lang, **options)


def corpus(seed, size):
    """Random programs with one to three references that share pieces with them."""
    rng = random.Random(seed)
    hyps, refs = [], []
    for _ in range(size):
        lines = rng.choices(PIECES, k=rng.randrange(9))
        hyps.append("\n".join(lines))
        refs.append([])
        for _ in range(rng.choice([1, 1, 1, 2, 3])):
            other = [rng.choice(PIECES) if rng.random() < 0.3 else line for line in lines]
            refs[-1].append("\n".join(other))
    return hyps, refs

# SPDX-License-Identifier: Apache-2.0
"""Which BLEU does a function compute?

`identify` calls a scorer with small corpora, each of which separates values of one decision, and
looks for the dialect that gives the same numbers: first among the rows of the table, then among
their changes, then among mistakes that people make and other metrics.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

import numpy as np

from truebleu.analysis.identify.calling import FORMS, Box, Command, Form, learn, scorer_of
from truebleu.analysis.identify.candidates import Candidate, Scorer
from truebleu.analysis.identify.mistakes import METRICS, MISTAKES, Array
from truebleu.analysis.identify.probes import DECISIONS, Probe, probes, smallest, unseen
from truebleu.analysis.identify.result import EQUAL, NEAREST, OTHER, Difference, Identification
from truebleu.analysis.identify.search import Answers, Changes, Search, State, table_changes
from truebleu.dialects.decisions import Combine, Dialect
from truebleu.dialects.tools import dialect
from truebleu.dialects.uses import uses
from truebleu.errors import InputError, OptionError, check_int, suggest

#: Unseen corpora on which a result is checked, all and with a limit of calls; and how often those
#: that differ become probes.
_UNSEEN, _UNSEEN_OF_FEW, _ROUNDS = 200, 12, 3
#: The most calls of a command; one more finds out whether it takes several references.
_CALLS_OF_COMMAND = 59
#: The most calls to shrink all differences, and one of them.
_SHRINKING, _SHRINKING_ONE = 240, 40
#: Another metric has to explain this share of the probes, and this much more than BLEU. If no row
#: explains half, metrics are tried before changes of rows.
_OTHER, _MORE, _DOUBTFUL = 0.97, 0.02, 0.5


def identify(f: Any, *, call: Any = None, calls: int | None = None) -> Identification:
    """Find the dialect of BLEU that a function or a command computes.

    The scorer is called hundreds of times, with its side effects: run only code that you trust. Its
    output is not shown, and its errors are answers. *Equal* holds for the probes that were asked,
    whose number the result has.

    Args:
        f: a function of hypotheses and references; its name, as `module:function` or
            `file.py:function`; or a list of the words of a command that prints a number, with
            `{hyps}` and `{refs}` for its files.
        call: how to call it, if several ways give numbers, such as `hyp, refs as tokens` (an error
            lists all); or a function `call(f, hyps, refs)` of a list of strings and a list of lists
            of strings. None to find out.
        calls: the most calls; None for about 1,000, and for 60 of a command.

    Returns:
        The dialect, the line of Python that replaces the scorer, and where it differs.

    Raises:
        OptionError: the scorer does not exist, or cannot be called in this way.
        InputError: no way to call it gives numbers that depend on the texts.

    Example:
        >>> import truebleu as tb
        >>> from truebleu.compat.nltk import sentence_bleu
        >>> def old_bleu(references, hypothesis):
        ...     return sentence_bleu([r.split() for r in references], hypothesis.split()) * 100
        >>> result = tb.identify(old_bleu)
        >>> result.exact, result.dialect.name, result.changes
        (True, 'nltk', {'scale': 100})
        >>> result.line
        "tb.sentence_bleu(hyp, refs, 'nltk', scale=100).value"
    """
    scorer = scorer_of(f)
    default = _CALLS_OF_COMMAND if isinstance(scorer, Command) else math.inf
    limit = default if calls is None else check_int("calls", calls, 20)
    box = Box(partial(call, scorer) if callable(call) else scorer)
    if isinstance(scorer, Command):
        call = scorer.form
    elif callable(call):
        call = "hyps, refs by segment"
    if call is not None and call not in FORMS:
        raise OptionError(f"call cannot be {suggest(call, FORMS)}")
    box.form = _form(box) if call is None else FORMS[call]
    box.errors.clear()
    perfect = probes()[0]
    first = box.ask(perfect)
    if first is None or math.isnan(first):
        problem = getattr(scorer, "problem", "") or ", ".join(box.errors) or "no number"
        raise OptionError(f"f({box.form.name}) of a perfect hypothesis gives {problem}; check how to call it")
    notes = () if first == box.ask(perfect, again=True) else ("Its numbers change between calls",)
    box.limit = limit
    return _Identifier(box, notes, lines=isinstance(scorer, Command)).result()


def _form(box: Box) -> Form:
    """The most plausible form: by parameters, and by how well a row explains some answers."""
    fits = learn(box)
    if not fits:
        raise InputError(
            "no way to call f gives numbers that depend on the texts; pass a function of two "
            f"arguments, hypotheses and references, or call=; errors: {', '.join(box.errors)}"
        )
    core = probes(strings=False)[:60]

    def fitness(fit: tuple[float, Form]) -> float:
        points, form = fit
        box.form = form
        asked = _asked(box, core)
        search = Search(Scorer(asked, tokens=form.tokens), Answers.of(map(box.ask, asked), asked))
        return 3 * round(search.rows()[0].agreement, 2) + 0.25 * points + len(asked) / 600

    return max(fits[:4], key=fitness)[1] if len(fits) > 1 else fits[0][1]


def _asked(box: Box, asked: Iterable[Probe]) -> list[Probe]:
    """Ask about each probe; returns those with an answer."""
    return [probe for probe in asked if box.ask(probe) is not None]


@dataclass(frozen=True, slots=True)
class _Solution:
    """What explains the answers: a candidate with its changes, or another metric."""

    values: Callable[[Scorer], Array]
    candidate: Candidate | None = None
    changes: Changes | None = None
    alternatives: tuple[str, ...] = ()
    metric: str = ""


class _Identifier:
    """Asks, searches, checks and writes the result."""

    def __init__(self, box: Box, notes: tuple[str, ...], *, lines: bool) -> None:
        self._box, self._form, self._notes = box, box.form, notes
        self._fresh = _UNSEEN if box.limit == math.inf else _UNSEEN_OF_FEW
        self._probes = list[Probe]()
        for probe in probes(strings=not self._form.tokens, lines=lines):
            if box.budget > self._fresh:
                self._probes += _asked(box, [probe])
        self._moves = table_changes(tokens=self._form.tokens, corpora=self._form.segments)
        self._uses = {name: dialect(name) for name, use in uses().items() if not use.python}

    def result(self) -> Identification:
        """The result."""
        form, asked = self._form, list[Probe]()
        for turn in range(1, _ROUNDS + 1):
            solution = self._solve()
            corpora = _asked(self._box, unseen(turn, self._fresh, form.references * 2 + 1, form.segments * 3 + 1))
            asked += corpora
            hits = self._hits(solution, corpora)
            if hits.all() or not self._hits(solution, self._probes).all():
                break
            self._probes += [corpora[i] for i in np.flatnonzero(~hits)[:40]]
        return self._written(solution, list(dict.fromkeys([*self._probes, *asked])))

    def _answers(self, asked: Sequence[Probe]) -> Answers:
        """The answers about some probes, on the scale and with the decimals of all."""
        return replace(self._own, values=np.array(list(map(self._box.ask, asked)), float) / self._own.scale)

    def _solve(self) -> _Solution:
        answers = self._own = Answers.of(map(self._box.ask, self._probes), self._probes)
        search = Search(Scorer(self._probes, tokens=self._form.tokens), answers)
        plain = search.rows()[0]
        if plain.agreement < _DOUBTFUL and (metric := self._metric(plain)):
            return metric
        leaders, moves = search.fit(self._moves, self._uses.values())
        state = leaders[0]
        if not state.hits.all():
            if metric := self._metric(state):
                return metric
            formula = {option.name for option in Combine.options}
            mistaken = search.states(
                (replace(s.candidate, mistake=mistake), s.cost + 3) for s in leaders for mistake in MISTAKES
            )
            state = search.beam([*leaders, *mistaken], [move for move in moves if formula.issuperset(move)])[0]
        state, changes, same = search.plainest(state)
        candidate, scale = state.candidate, answers.scale
        if scale != candidate.dialect.combine.scale:
            changes = {**changes, "scale": scale}
            candidate = replace(candidate, dialect=candidate.dialect.replace(scale=scale))
        return _Solution(lambda scorer: scorer.values(candidate), candidate, changes, tuple(same))

    def _metric(self, state: State) -> _Solution | None:
        """The metric that agrees much better than BLEU, where there are numbers."""
        places = [i for i, p in enumerate(self._probes) if p.topic != "long texts"]
        short, best = [self._probes[i] for i in places], None
        few = Search(Scorer(short, tokens=self._form.tokens), self._answers(short))
        answers, least = few.answers, max(_OTHER, few.weights @ state.hits[places] + _MORE)
        for name in METRICS:
            values = few.scorer.metric(name)
            for factor in (1, 100, 0.01):
                hits = answers.hits(values * factor / answers.scale) | np.isnan(answers.values)
                if few.weights @ hits > least:
                    least, best = few.weights @ hits, (name, factor / answers.scale)
        name, factor = best or ("", 1.0)
        return _Solution(lambda s: s.metric(name) * factor, metric=name) if best else None

    def _hits(self, solution: _Solution, asked: Sequence[Probe]) -> Array:
        """Where a solution gives the answers; another metric, where there is a number."""
        answers = self._answers(asked)
        hits = answers.hits(solution.values(Scorer(asked, tokens=self._form.tokens)))
        return hits | (np.isnan(answers.values) & bool(solution.metric))

    def _written(self, solution: _Solution, asked: list[Probe]) -> Identification:
        hits, answers = self._hits(solution, asked), self._answers(asked)
        counts: dict[str, tuple[int, int]] = {}
        for probe, hit in zip(asked, hits.tolist(), strict=True):
            agreeing, count = counts.get(DECISIONS[probe.topic], (0, 0))
            counts[DECISIONS[probe.topic]] = agreeing + hit, count + 1
        candidate, changes, line = solution.candidate, solution.changes or {}, ""
        own, mistake = (candidate.dialect, candidate.mistake) if candidate else (None, "")
        errors = dict(self._box.errors)
        if own and not mistake and not hits.all() and np.isnan(answers.values[~hits]).all():
            mistake = f"raises {' or '.join(errors) or 'no number'} where the dialect has a number"
        kind = EQUAL if hits.all() and not mistake else NEAREST
        right, count = counts.get(DECISIONS["precisions"], (1, 1))
        if own is None or (right < count / 2 and not hits.all()):
            kind, own, changes, mistake = OTHER, None, {}, ""
        differences = self._differences(solution, asked, hits)
        for text in self._lines(own, changes, answers.decimals) if own and kind == EQUAL else ():
            values = np.array([self._form.run(text, probe) for probe in asked]) / answers.scale
            line = line or text * bool(answers.hits(values).all())
        same = solution.alternatives if kind == EQUAL else ()
        asking = self._form.name, counts, self._box.calls, errors, self._notes
        return Identification(kind, own, changes, line, mistake, solution.metric, differences, same, *asking)

    def _lines(self, own: Dialect, changes: Changes, decimals: int | None) -> list[str]:
        """Lines of Python that may give the numbers: of a row, else of a use, else with options."""
        options = own.options()
        names = [name for name, use in self._uses.items() if changes and use.options() == options]
        pairs = [*((f"use={name!r}", {}) for name in names), (repr(own.name), changes)]
        return [line for pair in pairs for line in self._form.lines(*pair, decimals)]

    def _differences(self, solution: _Solution, asked: list[Probe], hits: Array) -> Any:
        """The smallest input of each topic on which scorer and solution differ."""
        box, differing = self._box, dict[str, Probe]()
        box.limit = box.calls + min(box.budget, _SHRINKING)

        def differs(probe: Probe) -> bool:
            return box.ask(probe) is not None and not self._hits(solution, [probe])[0]

        for i in sorted(np.flatnonzero(~hits).tolist(), key=lambda i: len("".join(asked[i].texts))):
            differing.setdefault(asked[i].topic, asked[i])
        differences = []
        for probe in differing.values():
            small = smallest(probe, differs, int(min(_SHRINKING_ONE, box.budget)))
            answers = self._answers([small])
            scores = answers.values, solution.values(Scorer([small], tokens=self._form.tokens))
            pair = (float(values[0] * answers.scale) for values in scores)
            differences.append(Difference(DECISIONS[small.topic], small.hyps, small.refs, *pair))
        return tuple(differences)

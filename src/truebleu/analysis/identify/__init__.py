# SPDX-License-Identifier: Apache-2.0
"""Which BLEU does a function compute?

`identify` calls a scorer with small corpora, each of which separates values of one decision, and
looks for the dialect that gives the same numbers: first among the rows of the table, then among
their changes, then among mistakes that people make and other metrics.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

import numpy as np

from truebleu.analysis.identify.calling import Box, Form, form_of, learn
from truebleu.analysis.identify.candidates import Candidate, Scorer
from truebleu.analysis.identify.changes import Changes, measured, smoothed, table_changes
from truebleu.analysis.identify.characters import read_tokenizer
from truebleu.analysis.identify.commands import Command, scorer_of
from truebleu.analysis.identify.interview import Interview
from truebleu.analysis.identify.metrics import metrics
from truebleu.analysis.identify.mistakes import Array
from truebleu.analysis.identify.probes import DECISIONS, Probe, probes, unseen
from truebleu.analysis.identify.result import EQUAL, NEAREST, OTHER, Difference, Identification
from truebleu.analysis.identify.search import Answers, Search, State
from truebleu.analysis.identify.shrinking import smallest
from truebleu.dialects.decisions import Aggregate, Count, Normalize, Tokenize
from truebleu.errors import InputError, OptionError, check_int

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
#: Topics that a tokenizer of its own explains.
_OF_TOKENIZERS = {"punctuation", "scripts", "entities", "blanks"}
#: Options on which rows of statistics depend.
_COUNTED = {o.name for part in (Normalize, Tokenize, Count, Aggregate) for o in part.options}


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
    is_command = isinstance(scorer, Command)
    limit = _CALLS_OF_COMMAND if is_command else None
    if calls is not None:
        limit = check_int("calls", calls, 20)
    function = partial(call, scorer) if callable(call) else scorer
    box = Box(function)
    if is_command or callable(call):
        call = "hyps, refs by segment"
    box.use(_form(box) if call is None else form_of(call))
    perfect = next(probe for probe in probes() if probe.hyps == probe.refs[0])
    first = box.ask(perfect)
    if first is None or math.isnan(first):
        problem = getattr(scorer, "problem", "") or ", ".join(box.errors) or "no number"
        raise OptionError(
            f"f({box.form.name}) of a perfect hypothesis gives {problem}; check how to call it"
        )
    notes = () if first == box.ask(perfect, again=True) else ("Its numbers change between calls",)
    interview = Interview(box, limit, lines=is_command)
    interview.ask(perfect)
    return _Identifier(interview, notes).result()


def _form(box: Box) -> Form:
    """The most plausible form: by parameters, and by how well a row explains some answers."""
    fits = learn(box)
    if not fits:
        raise InputError(
            "no way to call f gives numbers that depend on the texts; pass a function of two "
            f"arguments, hypotheses and references, or call=; errors: {', '.join(box.errors)}"
        )
    core = [probe for probe in probes(strings=False)[::4] if probe.topic != "long texts"]

    def fitness(fit: tuple[float, Form]) -> float:
        points, form = fit
        box.use(form)
        answers = Answers.of([box.ask(probe) for probe in core], core)
        best = Search(Scorer(core, tokens=form.tokens), answers).rows()[0]
        return 3 * round(best.agreement, 2) + 0.25 * points + 0.1 * float(answers.asked.mean())

    return max(fits[:4], key=fitness)[1] if len(fits) > 1 else fits[0][1]


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

    def __init__(self, interview: Interview, notes: tuple[str, ...]) -> None:
        self._interview, self._form, self._notes = interview, interview.form, notes
        self._moves = table_changes(tokens=self._form.tokens, corpora=self._form.segments)

    def result(self) -> Identification:
        """The result."""
        interview, form, asked = self._interview, self._form, list[Probe]()
        fresh = _UNSEEN if interview.limit is None else _UNSEEN_OF_FEW
        if interview.limit is None:
            interview.ask_all(interview.probes)
        else:
            interview.ask_telling(self._moves, fresh)
        for turn in range(1, _ROUNDS + 1):
            solution = self._solve(fresh)
            corpora = interview.ask_all(unseen(turn, fresh, form.references * 2 + 1,
                                               form.segments * 3 + 1))  # fmt: skip
            asked += corpora
            hits = self._hits(solution, corpora)
            if hits.all() or not self._hits(solution, interview.probes).all():
                break
            interview.probes += [corpora[i] for i in np.flatnonzero(~hits)[:40]]
        every = dict.fromkeys([*interview.probes, *asked])
        return self._written(solution, interview.ask_all(every))

    # ------------------------------------------------------------------ solving

    def _solve(self, reserve: int) -> _Solution:
        search = self._interview.search()
        plain = search.rows()[0]
        metric = self._metric(search, plain) if plain.agreement < _DOUBTFUL else None
        if metric:
            return metric
        leaders, moves = self._fit(search)
        if self._interview.limit and self._interview.separate(search.tried.values(), reserve):
            search = self._interview.search()
            leaders, moves = self._fit(search)
        state = leaders[0]
        if not state.hits.all():
            metric = self._metric(search, state)
            if metric:
                return metric
            few = search.sample(state.hits)
            best = few.beam([*leaders, *few.mistaken(leaders)], moves)
            quick = [move for move in moves if not _COUNTED.intersection(move)]
            state = search.beam([state, *best], quick)[0]
        state, changes, same = search.plainest(state)
        candidate, scale = state.candidate, search.answers.scale
        if scale != candidate.dialect.combine.scale:
            changes = {**changes, "scale": scale}
            candidate = replace(candidate, dialect=candidate.dialect.replace(scale=scale))
        return _Solution(lambda scorer: scorer.values(candidate), candidate, changes, tuple(same))

    def _fit(self, search: Search) -> tuple[list[State], list[Changes]]:
        """The best candidates without a mistake, and the changes that were tried."""
        answers = search.answers
        values = np.where(answers.asked, answers.values, np.nan)
        orders = measured(search.scorer, values)
        first = search.rows(orders)
        dialects = [state.candidate.dialect for state in first[:4]]
        moves = [*self._moves, *orders, *smoothed(search.scorer, values, dialects)]
        best = search.beam(first, moves)
        pairs = zip(search.scorer.probes, best[0].hits, strict=True)
        misses = {probe.topic for probe, hit in pairs if not hit}
        if self._interview.limit is None and misses & _OF_TOKENIZERS and len(misses) < 8:
            moves += read_tokenizer(self._interview.box)
            best = search.beam(best, moves)
        return [*best[:3], *first[:3]], moves

    def _metric(self, search: Search, state: State) -> _Solution | None:
        """The metric that agrees much better than BLEU, where there are numbers."""
        few, best, least = search.sample(state.hits), None, max(_OTHER, state.agreement + _MORE)
        for name, compute in metrics(few.scorer):
            values = compute()
            for factor in (1, 100, 0.01):
                hits = few.answers.hits(values * factor / few.answers.scale)
                agreement = few.agreement(hits | np.isnan(few.answers.values))
                if agreement > least:
                    least, best = agreement, (name, factor / few.answers.scale)
        if best is None:
            return None
        name, factor = best
        return _Solution(lambda s: dict(metrics(s))[name]() * factor, metric=name)

    # ------------------------------------------------------------------ checking

    def _hits(self, solution: _Solution, asked: Sequence[Probe]) -> Array:
        """Where a solution gives the answers; another metric, where there is a number."""
        answers = self._interview.answers(asked)
        hits = answers.hits(solution.values(Scorer(asked, tokens=self._form.tokens)))
        return hits | (np.isnan(answers.values) & bool(solution.metric))

    def _written(self, solution: _Solution, asked: list[Probe]) -> Identification:
        hits, answers = self._hits(solution, asked), self._interview.answers(asked)
        counts: dict[str, tuple[int, int]] = {}
        for probe, hit in zip(asked, hits.tolist(), strict=True):
            agreeing, count = counts.get(DECISIONS[probe.topic], (0, 0))
            counts[DECISIONS[probe.topic]] = agreeing + hit, count + 1
        candidate, changes, line = solution.candidate, solution.changes or {}, ""
        dialect, mistake = (candidate.dialect, candidate.mistake) if candidate else (None, "")
        errors = dict(self._interview.box.errors)
        if dialect and not mistake and not hits.all() and np.isnan(answers.values[~hits]).all():
            mistake = f"raises {' or '.join(errors) or 'no number'} where the dialect has a number"
        kind = EQUAL if hits.all() and not mistake else NEAREST
        right, count = counts.get(DECISIONS["precisions"], (1, 1))
        if dialect is None or (right < count / 2 and not hits.all()):
            kind, dialect, changes, mistake = OTHER, None, {}, ""
        differences = self._differences(solution, asked, hits)
        for own in self._form.lines(dialect.name, changes, answers.decimals) if dialect else ():
            values = np.array([self._form.run(own, probe) for probe in asked]) / answers.scale
            line = line or own * bool(kind == EQUAL and answers.hits(values).all())
        return Identification(
            kind, dialect, changes, line, mistake, solution.metric, differences,
            solution.alternatives if kind == EQUAL else (), self._form.name, counts,
            self._interview.box.calls, errors, self._notes,
        )  # fmt: skip

    def _differences(self, solution: _Solution, asked: list[Probe], hits: Array) -> Any:
        """The smallest input of each topic on which scorer and solution differ."""
        interview, differing = self._interview, dict[str, Probe]()
        interview.limit = interview.box.calls + min(interview.budget, _SHRINKING)

        def differs(probe: Probe) -> bool:
            return interview.ask(probe) is not None and not self._hits(solution, [probe])[0]

        for i in sorted(np.flatnonzero(~hits).tolist(), key=lambda i: len("".join(asked[i].texts))):
            differing.setdefault(asked[i].topic, asked[i])
        differences = []
        for probe in differing.values():
            small = smallest(probe, differs, min(_SHRINKING_ONE, interview.budget))
            answers, scorer = interview.answers([small]), Scorer([small], tokens=self._form.tokens)
            pair = (float(v[0] * answers.scale) for v in (answers.values, solution.values(scorer)))
            differences.append(Difference(DECISIONS[small.topic], small.hyps, small.refs, *pair))
        return tuple(differences)

# SPDX-License-Identifier: Apache-2.0
"""Metrics in the forms that Hugging Face's libraries expect."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from math import isfinite
from typing import TYPE_CHECKING, Any, Unpack, cast

from truebleu.dialects.changes import BLEUChanges, MetricChanges, WeightedBLEUChanges
from truebleu.dialects.decisions import Dialect
from truebleu.errors import InputError, MissingExtraError, OptionError, describe
from truebleu.inputs.corpus import Marks, check_aligned, is_missing, reading
from truebleu.metrics.bleu import BLEU, cached_bleu
from truebleu.metrics.codebleu import CodeBLEU
from truebleu.metrics.metric import Metric
from truebleu.metrics.names import choose_metric, label
from truebleu.metrics.runs import Tags, checked_tags, record, write_run
from truebleu.text.atomic import make_folder

if TYPE_CHECKING:
    from transformers import TrainerCallback

    class RunCallback(TrainerCallback):  # type: ignore[misc]
        """A callback of a trainer, for type checkers."""

        compute_metrics: Callable[[Any], dict[str, float]]


def compute(
    *, predictions: Any, references: Any, dialect: str | Dialect = "sacrebleu", **changes: Unpack[WeightedBLEUChanges]
) -> dict[str, Any]:
    """The result of `evaluate.load("sacrebleu").compute`, without a download or a cache file.

    Args:
        predictions: hypotheses, as for `BLEU.corpus`.
        references: a reference or a list of references of each.
        dialect: as for `BLEU`.
        changes: as for `BLEU`.

    Returns:
        `score`, `counts`, `totals`, `precisions`, `bp`, `sys_len`, `ref_len` and `signature`.

    Example:
        >>> from truebleu.integrations.huggingface import compute
        >>> compute(predictions=["the cat"], references=[["the cat", "a cat"]])["counts"]
        [2, 1, 0, 0]
    """
    score = cached_bleu(dialect, None, changes).corpus(predictions, references)
    return {
        "score": score.value,
        "counts": score.matches,
        "totals": score.totals,
        "precisions": list(score.precisions),
        "bp": score.bp,
        "sys_len": score.hyp_len,
        "ref_len": score.ref_len,
        "signature": score.signature,
    }


def compute_metrics(
    tokenizer: Any = None,
    dialect: str | Dialect = "sacrebleu",
    *,
    metrics: str | Metric | Sequence[str | Metric] = "bleu",
    pad_id: Marks = None,
    eos_id: Marks = None,
    start_id: int | None = None,
    **changes: Unpack[BLEUChanges],
) -> Callable[[Any], dict[str, float]]:
    """A `compute_metrics` for a `Seq2SeqTrainer` with `predict_with_generate=True`.

    Args:
        tokenizer: decodes ids to text (`batch_decode`); without one, the ids are the tokens.
        dialect: that of BLEU.
        metrics: `"bleu"`, `"chrf"`, `"ter"`, a metric with other options, such as
            `CHRF(word_order=2)`, or a list of these. chrF and TER need a tokenizer.
        pad_id: without a tokenizer, the id of padding, or several; -100 is always padding.
        eos_id: without a tokenizer, the id that ends a segment, or several.
        start_id: without a tokenizer, the id before the first token of every prediction
            (`decoder_start_token_id`; default: `eos_id`, as in BART).
        changes: options of BLEU to change, by name.

    Returns:
        A function of an `EvalPrediction` or a pair of predictions and labels, in one or in several
        batches, that gives the scores by the names `bleu`, `chrf` and `ter` (a second one of a kind
        has its options in its name), and BLEU's `brevity_penalty` and `length_ratio`.

    Raises:
        OptionError: an option does not exist, or a metric occurs twice.
    """
    by_name: dict[str, Any] = {}
    for metric in metrics if isinstance(metrics, (list, tuple)) else [metrics]:
        of_bleu = metric == "bleu" or isinstance(metric, BLEU)
        options = (dialect, None, changes) if of_bleu else ("sacrebleu", None, {})
        measure = choose_metric(metric, *options)
        name = type(measure).__name__.lower()
        if name in by_name:
            name = label(measure)
        if name in by_name:
            raise OptionError(f"metrics has {measure} twice; name it once")
        by_name[name] = measure
    if changes and "bleu" not in by_name:
        raise OptionError(f"{', '.join(changes)}: for BLEU, which is not among the metrics")
    if tokenizer is None and any(measure.reader is None for measure in by_name.values()):
        raise OptionError("chrF and TER read text, not ids; give the tokenizer")
    pads, ends, _ = reading(pad_id, eos_id, 1)
    return _Evaluation(tokenizer, by_name, pads, ends, ends if start_id is None else (start_id,))


class _Evaluation:
    """Decodes the ids of predictions and labels, and names their scores."""

    def __init__(self, tokenizer: Any, metrics: dict[str, Any], *marks: tuple[int, ...]) -> None:
        self._tokenizer, self._metrics = tokenizer, metrics
        self._pads, self._ends, self._starts = marks
        self._batches: list[tuple[Any, Any]] = []
        #: Gives the scores of the metrics from columns and the options that say how to read them.
        self.score: Callable[[Sequence[Any], Any, dict[str, Any]], Sequence[Any]] = _scores

    def __call__(self, prediction: Any, compute_result: bool = True) -> dict[str, float]:
        import numpy as np

        if hasattr(prediction, "predictions"):
            prediction = prediction.predictions, prediction.label_ids
        if not isinstance(prediction, (list, tuple)) or len(prediction) != 2:
            raise InputError(f"give predictions and labels, not {describe(prediction)}")
        if prediction[1] is None:
            raise InputError("there are no labels; the data set needs a column of labels")
        hyps, labels = map(_rows, prediction)
        self._batches.append((hyps, labels))
        if not compute_result:
            return {}
        hyps, labels = (_rows(list(column)) for column in zip(*self._batches, strict=True))
        self._batches.clear()
        options: dict[str, Any] = {}
        columns: Any = hyps, labels
        if self._tokenizer is None:
            if hyps.size and np.isin(hyps[:, 0], self._starts).all():
                columns = hyps[:, 1:], labels
            options = {"pad_id": (-100, *self._pads), "eos_id": self._ends}
        else:
            columns = [
                self._tokenizer.batch_decode([row[row != -100].tolist() for row in ids], skip_special_tokens=True)
                for ids in (hyps, labels)
            ]
        result = {}
        scores = self.score(list(self._metrics.values()), columns, options)
        for name, own in zip(self._metrics, scores, strict=True):
            result[name] = own.value
            if name == "bleu":
                result |= {"brevity_penalty": own.bp, "length_ratio": own.ratio}
        return result


def _scores(metrics: Sequence[Any], columns: Any, options: dict[str, Any]) -> Sequence[Any]:
    return [metric.corpus(*columns, **options) for metric in metrics]


def run_callback(
    folder: str | os.PathLike[str],
    tokenizer: Any,
    *,
    tags: Tags | None = None,
    dialect: str | Dialect = "sacrebleu",
    metrics: str | Metric | Sequence[str | Metric] = "bleu",
    **changes: Unpack[BLEUChanges],
) -> RunCallback:
    """A callback of a `Seq2SeqTrainer` whose `compute_metrics` saves a run at each evaluation.

    Pass both: `callbacks=[callback], compute_metrics=callback.compute_metrics`. Step 500 is saved
    as `step-500.bleu` with the tag `step=500`, which `truebleu.learning_curve` reads. The system
    has the name of the folder. Of several processes, the first one writes.

    Args:
        folder: of the run files; it is made if it does not exist.
        tokenizer: decodes ids to text.
        tags: more about the runs.
        dialect, metrics, changes: as for `compute_metrics`.

    Raises:
        OptionError: as `compute_metrics`, or the folder cannot be made.
        MissingExtraError: Transformers is not installed.
    """
    try:
        from transformers import TrainerCallback
    except ImportError:
        raise MissingExtraError("a callback needs a library that is not installed; pip install transformers") from None
    if tokenizer is None:
        raise OptionError("a run file holds scores of text; give the tokenizer")
    evaluation: Any = compute_metrics(tokenizer, dialect, metrics=metrics, **changes)
    checked_tags(tags or {})
    make_folder(folder)
    system = os.path.basename(os.path.abspath(folder))

    class Callback(TrainerCallback):  # type: ignore[misc]  # Any without Transformers
        """Knows the step of an evaluation."""

        def __init__(self) -> None:
            self.step, self.is_writer = 0, True
            self.compute_metrics = evaluation
            evaluation.score = self.save

        def on_step_end(self, *event: Any, **_: Any) -> None:
            _, state, _ = event
            self.step, self.is_writer = state.global_step, state.is_world_process_zero

        on_train_begin = on_step_end  # a training that is resumed

        def save(self, measures: Sequence[Any], columns: Any, _: Any) -> Any:
            hyps, refs = columns
            run = record([(system, hyps)], refs, measures, {**(tags or {}), "step": self.step})
            if self.is_writer:
                path = os.path.join(folder, f"step-{self.step}.bleu")
                write_run(run, path, force=True)  # a resumed training repeats steps
            return run.scores[system]

    return cast("RunCallback", Callback())


def _rows(ids: Any) -> Any:
    """Ids as one array with a row for each segment: of an array, or of those of several batches."""
    import numpy as np

    if isinstance(ids, tuple) and ids:  # the ids and other outputs
        ids = ids[0]
    if isinstance(ids, list) and ids and not isinstance(ids[0], list):
        arrays = [_rows(batch) for batch in ids]
        width = max(array.shape[1] for array in arrays)
        more = [((0, 0), (0, width - array.shape[1])) for array in arrays]
        padded = map(partial(np.pad, constant_values=-100), arrays, more)
        return np.concatenate(list(padded))
    try:
        array = np.ma.asarray(ids.cpu() if hasattr(ids, "cpu") else ids)
    except ValueError:
        raise InputError("rows of ids differ in length; pad them with -100") from None
    if array.ndim != 2 or array.dtype.kind not in "iu":
        raise InputError(f"predictions are {array.ndim}-D {array.dtype}, not ids; set predict_with_generate=True")
    return np.ma.filled(array.astype(np.int64), -100)


def reward(
    dialect: str | Dialect = "sacrebleu",
    *,
    metric: str | Metric = "bleu",
    column: str = "reference",
    name: str | None = None,
    **changes: Unpack[MetricChanges],
) -> Callable[..., list[float | None]]:
    """A reward function as TRL's trainers call them: the score of each completion by itself.

    Args:
        dialect: as for `BLEU`.
        metric: `"bleu"`, `"chrf"`, `"ter"` or `"codebleu"`, or a metric. CodeBLEU reads completions
            and references without Markdown's fences.
        column: the column of the data set with the reference, or the list of references, of each
            completion: text or messages; `None` gives no reward, as in a mix of tasks.
        name: the name in TRL's logs, in which rewards must differ (default: that of the metric with
            the options that differ from its defaults, such as `bleu` or `chrf_nw-2`).
        changes: options of the metric to change, by name.

    Returns:
        A function of `prompts`, `completions` and the columns that returns a number for each
        completion, or None for one without a reference. 1 is best: it is the score divided by its
        largest value, or 1 minus the edits per word of TER; at least 0, also if it is not a number.

    Example:
        >>> from truebleu.integrations.huggingface import reward
        >>> [round(value, 3) for value in reward()(
        ...     prompts=["p", "p"], completions=["a b c d", "a b"], reference=["a b c d"] * 2)]
        [1.0, 0.368]
        >>> reward(metric="chrf", word_order=2).__name__
        'chrf_nw-2'
    """
    scorer = choose_metric(metric, dialect, None, changes)
    if not isfinite(scorer.scale):
        raise OptionError(f"a reward is from 0 to 1, but {scorer.name} has no highest score")
    return _Reward(scorer, column, label(scorer) if name is None else name)


#: A block of code in Markdown, closed or cut off.
_FENCED = re.compile(r"(```|^~~~)[^\n]*\n(.*?)(?:\n?\1|\Z)", re.DOTALL | re.MULTILINE)


@dataclass(frozen=True, slots=True)
class _Reward:
    """A reward function that can be pickled, as trainers with several processes need."""

    metric: Any
    column: str
    name: str

    @property
    def __name__(self) -> str:  # what TRL logs
        return self.name

    def __call__(self, completions: Sequence[Any], prompts: Any = None, **columns: Any) -> list[float | None]:
        del prompts  # TRL passes them
        if self.column not in columns:
            raise InputError(f"no column {self.column!r}; set column= to that of the references")
        references = list(map(_plain, columns[self.column]))
        check_aligned(completions, references)
        values: list[float | None] = [None] * len(completions)
        places = [i for i, reference in enumerate(references) if reference is not None]
        if places:
            hyps, refs = ([_text(column[i]) for i in places] for column in (completions, references))
            if isinstance(self.metric, CodeBLEU):
                hyps, refs = _unfenced(hyps), _unfenced(refs)
            scores = self.metric.sentences(hyps, refs)
            scores = (scores / self.metric.scale).clip(0, 1)  # a perfect BLEU is 1 + 2^-52
            scores = scores if self.metric.higher_is_better else 1 - scores
            for i, value in zip(places, scores.tolist(), strict=True):
                values[i] = value if isfinite(value) else 0.0
        return values


def _plain(reference: Any) -> Any:
    """A reference or a list of them, such as an array holds; None if all are missing values."""
    plain = reference.tolist() if hasattr(reference, "tolist") else reference
    return None if all(map(is_missing, plain if isinstance(plain, (list, tuple)) else [plain])) else plain


def _unfenced(code: Any) -> Any:
    """Code, or each of several references, without Markdown's fences."""
    if isinstance(code, list):
        return list(map(_unfenced, code))
    block = _FENCED.search(code) if isinstance(code, str) else None
    return block[2] if block else code


def _text(completion: Any) -> Any:
    """The text of a completion; in a conversation it is a list of messages, or of their parts."""
    if isinstance(completion, list) and completion and isinstance(completion[0], dict):
        parts = (part.get("content") or part.get("text") or "" for part in completion)
        return "".join(map(_text, parts))
    return completion

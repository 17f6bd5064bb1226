# SPDX-License-Identifier: Apache-2.0
"""BLEU in the forms that Hugging Face's libraries expect."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from truebleu.dialects.decisions import Dialect
from truebleu.errors import InputError
from truebleu.inputs.corpus import check_aligned
from truebleu.metrics.bleu import BLEU, cached_bleu


def compute(
    *, predictions: Any, references: Any, dialect: str | Dialect = "sacrebleu", **changes: Any
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
    pad_id: int | None = None,
    eos_id: int | None = None,
    start_id: int | None = None,
    **changes: Any,
) -> Callable[[Any], dict[str, float]]:
    """A `compute_metrics` for a `Seq2SeqTrainer` with `predict_with_generate=True`.

    Args:
        tokenizer: decodes ids to text (`batch_decode`, `pad_token_id`); without one, the ids are
            the tokens.
        dialect: as for `BLEU`.
        pad_id: without a tokenizer, the id of padding; -100 is always padding.
        eos_id: without a tokenizer, the id that ends a segment.
        start_id: without a tokenizer, the id before the first token of every prediction
            (`decoder_start_token_id`; default: `eos_id`, as in BART).
        changes: as for `BLEU`.

    Returns:
        A function of an `EvalPrediction` that gives `bleu`, `brevity_penalty` and `length_ratio`.
    """
    bleu = BLEU(dialect, **changes)

    def evaluate(prediction: Any) -> dict[str, float]:
        import numpy as np

        hyps, labels = prediction.predictions, prediction.label_ids
        hyps = np.asarray(hyps[0] if isinstance(hyps, tuple) else hyps)
        labels = np.asarray(labels)
        if hyps.ndim != 2 or hyps.dtype.kind != "i":
            raise InputError(
                f"predictions are {hyps.ndim}-D {hyps.dtype}, not ids; set "
                "predict_with_generate=True"
            )
        if tokenizer is None:
            pad = -100 if pad_id is None else pad_id
            start = eos_id if start_id is None else start_id
            if start is not None and hyps.size and (hyps[:, 0] == start).all():
                hyps = hyps[:, 1:]
            rows = [np.where(ids == -100, pad, ids) for ids in (hyps, labels)]
            score = bleu.corpus(*rows, pad_id=pad, eos_id=eos_id)
        else:
            pad = tokenizer.pad_token_id
            texts = [
                tokenizer.batch_decode(np.where(ids == -100, pad, ids), skip_special_tokens=True)
                for ids in (hyps, labels)
            ]
            score = bleu.corpus(*texts)
        return {"bleu": score.value, "brevity_penalty": score.bp, "length_ratio": score.ratio}

    return evaluate


def reward(
    dialect: str | Dialect = "sacrebleu", *, column: str = "reference", **changes: Any
) -> Callable[..., list[float | None]]:
    """A reward function as TRL's trainers call them: the sentence BLEU of each completion.

    Args:
        dialect: as for `BLEU`.
        column: the column of the data set with the reference, or the list of references, of each
            completion; `None` gives no reward, as in a mix of tasks.
        changes: as for `BLEU`.

    Returns:
        A function of `prompts`, `completions` and the columns that returns a number from 0 to 1 for
        each completion, or None for one without a reference.

    Example:
        >>> from truebleu.integrations.huggingface import reward
        >>> [round(value, 3) for value in reward()(
        ...     prompts=["p", "p"], completions=["a b c d", "a b"], reference=["a b c d"] * 2)]
        [1.0, 0.368]
    """
    bleu = BLEU(dialect, **changes)
    scale = bleu.dialect.combine.scale

    def bleu_reward(
        completions: Sequence[Any], prompts: Any = None, **columns: Any
    ) -> list[float | None]:
        del prompts  # TRL passes them
        if column not in columns:
            raise InputError(
                f"the data set has no column {column!r}; set column= to that of the references"
            )
        references = columns[column]
        check_aligned(completions, references)
        values: list[float | None] = [None] * len(completions)
        places = [i for i, reference in enumerate(references) if reference is not None]
        if places:
            hyps = [_text(completions[i]) for i in places]
            scores = bleu.sentences(hyps, [references[i] for i in places])
            for i, value in zip(places, scores.tolist(), strict=True):
                values[i] = value / scale
        return values

    return bleu_reward


def _text(completion: Any) -> Any:
    """The text of a completion; in a conversation it is a list of messages."""
    if isinstance(completion, list) and completion and isinstance(completion[0], dict):
        return "".join(message.get("content") or "" for message in completion)
    return completion

# SPDX-License-Identifier: Apache-2.0
"""What a metric gives: a number, and how it is printed."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


class Score:
    """A score of any metric (sacreBLEU 2.6.0, `metrics.base.Score`).

    Args:
        name: of the metric.
        score: the number.
    """

    def __init__(self, name: str, score: float) -> None:
        self.name = name
        self.score = score
        # of bootstrap resamples; -1 if there were none
        self._mean = -1.0
        self._ci = -1.0
        # what is printed behind the number
        self._verbose = ""

    def format(
        self,
        width: int = 2,
        score_only: bool = False,
        signature: str = "",
        is_json: bool = False,
    ) -> str:
        """The score as a line, or as JSON.

        Args:
            width: decimals.
            score_only: nothing but the number (and its confidence interval).
            signature: a signature to print with it; JSON needs one.
            is_json: print JSON, with the signature's settings as keys.
        """
        number = f"{self.score:.{width}f}"
        entries: dict[str, Any] = {
            "name": self.name,
            "score": float(number),
            "signature": signature,
        }
        if self._mean > 0:
            mean, half = f"{self._mean:.{width}f}", f"{self._ci:.{width}f}"
            confidence = f"μ = {mean} ± {half}"
            number += f" ({confidence})"
            if is_json:
                entries["confidence_mean"] = float(mean)
                entries["confidence_var"] = float(half)
                entries["confidence"] = confidence
        if self._verbose:
            entries["verbose_score"] = self._verbose
        if score_only:
            return number
        if is_json:
            import json

            for setting in signature.split("|"):
                key, value = setting.split(":")
                entries[key] = value
            return json.dumps(entries, indent=1, ensure_ascii=False)
        title = f"{self.name}|{signature}" if signature else self.name
        line = f"{title} = {number}"
        return f"{line} {self._verbose}" if self._verbose else line

    def estimate_ci(self, scores: list[Score]) -> None:
        """Keep the mean of scores of resamples, and half the width of their middle 95%."""
        from statistics import mean

        numbers = sorted([score.score for score in scores])
        tail = len(numbers) // 40
        self._ci = 0.5 * (numbers[len(numbers) - tail - 1] - numbers[tail])
        self._mean = mean(numbers)

    def __repr__(self) -> str:
        return self.format()


class Signature:
    """How a score came about (sacreBLEU 2.6.0, `metrics.base.Signature`).

    Args:
        args: attributes of the metric.

    Raises:
        ValueError: nothing was scored yet, so the number of references is not known.
    """

    def __init__(self, args: dict[str, Any]) -> None:
        from truebleu.compat.sacrebleu.version import __version__

        self._abbr = {
            "version": "v",
            "nrefs": "#",
            "test": "t",
            "lang": "l",
            "subset": "S",
            "origlang": "o",
            "bs": "bs",
            "ar": "ar",
            "seed": "rs",
        }
        if "num_refs" not in args:
            raise ValueError("Number of references unknown, please evaluate the metric first.")
        self.info: dict[str, Any] = {
            "version": __version__,
            "nrefs": "var" if args["num_refs"] == -1 else args["num_refs"],
            "bs": args.get("n_bootstrap"),
            "ar": None,
            "seed": args.get("seed"),
            "test": args.get("test_set"),
            "lang": args.get("langpair"),
            "origlang": args.get("origlang"),
            "subset": args.get("subset"),
        }

    def format(self, short: bool = False) -> str:
        """The settings in one line, the version last; those that are None are left out."""
        names = [name for name in self.info if name != "version"]
        pairs = []
        for name in [*names, "version"]:
            value = self.info[name]
            if value is None:
                continue
            if isinstance(value, bool):
                value = "yes" if value else "no"
            pairs.append(f"{self._abbr[name] if short else name}:{value}")
        return "|".join(pairs)

    def update(self, key: str, value: Any) -> None:
        """Add a setting, or change one."""
        self.info[key] = value

    def __str__(self) -> str:
        return self.format()

    def __repr__(self) -> str:
        return self.format()

# SPDX-License-Identifier: Apache-2.0
"""Libraries are patched in place, once they are loaded, if their source is a tested one."""

import copy
import importlib
import inspect
import pickle
import sys
import threading
import warnings

import nltk.translate
import pytest
import sacrebleu
from nltk.translate import bleu_score
from nltk.translate.bleu_score import corpus_bleu, sentence_bleu
from pycocoevalcap.bleu.bleu import Bleu
from sacrebleu.metrics.base import Metric
from support.accelerated import in_process_of_its_own, no_counting_in_python
from support.programs import output_of, run_program

import truebleu as tb
from truebleu.compat.accelerate import LIBRARIES, MODULES, is_accelerated, patches

HYPS, REFS = ["a b c d e", "f g h i"], [["a b c d f", "f g h j"]]


@in_process_of_its_own
def test_calls_are_counted_and_the_last_undo_restores():
    before = Metric.corpus_score.__code__
    first = tb.accelerate()
    assert all(map(is_accelerated, LIBRARIES))
    assert first.names == LIBRARIES
    with tb.accelerate("sacrebleu") as second:
        assert Metric.corpus_score.__code__ is not before
        assert repr(second) == "Acceleration('sacrebleu',)"
    second.undo()
    assert is_accelerated("sacrebleu")
    first.undo()
    assert not any(map(is_accelerated, LIBRARIES))
    assert Metric.corpus_score.__code__ is before
    assert not any(isinstance(finder, patches.Finder) for finder in sys.meta_path)


@in_process_of_its_own
def test_functions_stay_the_same_objects():
    """So that whoever has imported them before is accelerated, too."""
    functions = Metric.corpus_score, bleu_score.corpus_bleu, Bleu.compute_score
    shown = [(f.__module__, f.__qualname__, f.__doc__, inspect.signature(f)) for f in functions]
    source = inspect.getsource(bleu_score.corpus_bleu)
    with tb.accelerate():
        assert (Metric.corpus_score, bleu_score.corpus_bleu, Bleu.compute_score) == functions
        assert shown == [(f.__module__, f.__qualname__, f.__doc__, inspect.signature(f)) for f in functions]
        assert inspect.getsource(bleu_score.corpus_bleu) == source
        assert pickle.loads(pickle.dumps(corpus_bleu)) is corpus_bleu  # noqa: S301
        with no_counting_in_python():
            sacrebleu.compat.corpus_bleu(HYPS, REFS)
        assert corpus_bleu.__code__.co_names == ()
        assert nltk.translate.bleu is sentence_bleu


@in_process_of_its_own
def test_undo_restores_only_what_is_still_ours(monkeypatch):
    handle = tb.accelerate()
    monkeypatch.setattr(Metric, "corpus_score", lambda *_: "theirs")
    monkeypatch.setattr(bleu_score, "corpus_bleu", len)
    code = Bleu.compute_score.__code__
    own = (lambda self, gts, res, verbose: "theirs").__code__
    Bleu.compute_score.__code__ = own
    handle.undo()
    assert sacrebleu.BLEU().corpus_score(HYPS, REFS) == "theirs"
    assert bleu_score.corpus_bleu is len
    assert Bleu().compute_score({}, {}) == "theirs"
    Bleu.compute_score.__code__ = code
    with tb.accelerate("pycocoevalcap"):
        pass
    assert not is_accelerated("pycocoevalcap")


@in_process_of_its_own
def test_a_function_that_was_replaced_before_is_not_patched(monkeypatch):
    def own(*_):
        return "theirs"

    monkeypatch.setattr(bleu_score, "corpus_bleu", own)
    with tb.accelerate("nltk"):
        assert bleu_score.sentence_bleu([["a"]], ["a"]) == "theirs"
        assert own.__code__.co_filename == __file__


def test_names_are_checked():
    with pytest.raises(tb.OptionError, match="named 'sacrebleau'; did you mean sacrebleu"):
        tb.accelerate("sacrebleau")
    code = "import sys; sys.modules['sacrebleu'] = None\nimport truebleu as tb; tb.accelerate('sacrebleu')"
    _, printed = run_program([sys.executable, "-c", code])
    assert "pip install 'truebleu[sacrebleu]'" in printed.splitlines()[-1]


def test_nothing_is_imported_and_later_imports_are_patched():
    code = """
import sys, truebleu as tb
handle = tb.accelerate()
assert not {"sacrebleu", "nltk", "pycocoevalcap", "numpy"} & set(sys.modules)
from truebleu.compat.accelerate import is_accelerated
assert not is_accelerated("sacrebleu")
from sacrebleu.metrics.bleu import BLEU
import sacrebleu
assert is_accelerated("sacrebleu")
assert type(sacrebleu.__spec__.loader).__name__ == "SourceFileLoader"
assert sacrebleu.__spec__.loader is sacrebleu.__loader__
assert "exec_module" not in vars(sacrebleu.__loader__)
import nltk.translate.nist_score
assert is_accelerated("nltk")
import importlib, sacrebleu.metrics.base
import sacrebleu.significance as significance
code = significance._paired_bs_test.__code__
assert code.co_names != importlib.reload(significance)._paired_bs_test.__code__.co_names
tb.accelerate()
assert code.co_names == significance._paired_bs_test.__code__.co_names
handle.undo()
assert is_accelerated("sacrebleu")
"""
    output_of([sys.executable, "-c", code])


@in_process_of_its_own
def test_another_source_runs_the_original_with_one_notice(monkeypatch):
    for name in ("nltk.translate.gleu_score", "nltk.translate.nist_score"):
        monkeypatch.setitem(MODULES, name, (MODULES[name][0], {"0" * 16: "1.2.3"}))
        importlib.import_module(name)
    module = importlib.import_module("truebleu.compat.accelerate")
    monkeypatch.setattr(module, "_untested", set())
    module._is_tested.cache_clear()
    with pytest.warns(UserWarning, match=r"is not accelerated.* version 1\.2\.3") as caught:
        tb.accelerate("nltk").undo()
    assert len(caught) == 1
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        with tb.accelerate("nltk"):
            assert is_accelerated("nltk")  # bleu_score


@in_process_of_its_own
def test_pickles_load_without_truebleu(tmp_path):
    with tb.accelerate("sacrebleu"):
        metric = sacrebleu.BLEU(references=REFS)
        score = metric.corpus_score(HYPS, None)
        metric.sentence_score(HYPS[0], [REFS[0][0]])
        fresh = sacrebleu.BLEU(references=REFS)
        assert copy.deepcopy(fresh).corpus_score(HYPS, None).score == score.score
        (tmp_path / "pickle").write_bytes(pickle.dumps((metric, score, fresh)))
    code = """
import sys
sys.modules["truebleu"] = None
import pickle
metric, score, fresh = pickle.load(open(sys.argv[1], "rb"))
assert type(fresh._ref_cache) is list
print(metric.corpus_score(*eval(sys.argv[2])), fresh.corpus_score(*eval(sys.argv[2])), score)
"""
    arguments = [tmp_path / "pickle", repr((HYPS, None))]
    printed = output_of([sys.executable, "-c", code, *arguments])
    assert printed.split("\n")[0] == f"{score} {score} {score}"
    assert fresh.corpus_score(HYPS, None).score == score.score  # after the undo


@in_process_of_its_own
def test_threads_call_and_undo_at_the_same_time():
    expected = sacrebleu.corpus_bleu(HYPS, REFS).score
    faults = []

    def work():
        for _ in range(200):
            with tb.accelerate("sacrebleu"):
                if sacrebleu.corpus_bleu(HYPS, REFS).score != expected:
                    faults.append(1)
            if sacrebleu.BLEU().corpus_score(HYPS, REFS).score != expected:
                faults.append(2)

    threads = [threading.Thread(target=work) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not faults
    assert not is_accelerated("sacrebleu")


SCRIPT = """
import multiprocessing, sys

def state(_):
    import sacrebleu
    sacrebleu.corpus_bleu(["a"], [["a"]])
    accelerate = sys.modules.get("truebleu.compat.accelerate")
    return bool(accelerate and accelerate.is_accelerated("sacrebleu"))

if __name__ == "__main__":
    print(sys.argv[1:], state(0), __file__)
    for method in ("fork", "spawn"):
        with multiprocessing.get_context(method).Pool(1) as pool:
            print(method, pool.map(state, [0]))
    sys.exit(3)
"""


def test_the_command_runs_a_script_and_its_workers(tmp_path):
    script = tmp_path / "script.py"
    script.write_text(SCRIPT)
    other = tmp_path / "other"
    other.mkdir()
    (other / "sitecustomize.py").write_text("print('other')")
    command = [sys.executable, "-m", "truebleu", "accelerate"]
    code, printed = run_program([*command, script, "-x", "1"])
    assert code == 3, printed
    lines = printed.splitlines()
    assert lines[0] == f"['-x', '1'] True {script}"
    assert lines[1:] == ["fork [True]", "spawn [True]"]
    # A module; the sitecustomize of others is imported, too.
    environment = {"PYTHONPATH": str(other), "PATH": ""}
    code, printed = run_program([*command, "-m", "script"], cwd=tmp_path, env=environment)
    assert code == 3, printed
    lines = printed.splitlines()
    # A process of multiprocessing's own prints it when it ends, which may be last.
    assert lines.count("other") >= 2
    assert [line for line in lines if line != "other"][1:] == ["fork [True]", "spawn [True]"]


def test_the_command_reports_mistakes(tmp_path):
    command = [sys.executable, "-m", "truebleu", "accelerate"]
    code, printed = run_program(command)
    assert code == 2
    assert printed.startswith("truebleu: no program to run; type truebleu accelerate")
    script = tmp_path / "script.py"
    script.write_text("open('/nowhere')")
    code, printed = run_program([*command, script])
    assert code == 1
    assert printed.endswith("FileNotFoundError: [Errno 2] No such file or directory: '/nowhere'\n")

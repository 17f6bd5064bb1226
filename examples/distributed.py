# SPDX-License-Identifier: Apache-2.0
"""BLEU over two processes of torch.distributed: exactly the number of one process.

    python examples/distributed.py

Each process scores its part of the data, and one all_reduce adds the states: a vector of 15
integers, whatever the size of the data.
"""

from __future__ import annotations

import os
import socket
from pathlib import Path

import torch
import torch.distributed as dist
import torch.multiprocessing as mp

from truebleu import BLEU, read_lines

HERE = Path(__file__).parent / "de-en"
WORLD = 2


def lines(name: str) -> list[str]:
    """The segments of an example file."""
    return read_lines(HERE / name)


def work(rank: int, port: int) -> None:
    """What each process does."""
    os.environ |= {"MASTER_ADDR": "127.0.0.1", "MASTER_PORT": str(port)}
    dist.init_process_group("gloo", rank=rank, world_size=WORLD)
    hyps = lines("hyp.aurora.txt")
    refs = list(zip(lines("ref.A.txt"), lines("ref.B.txt"), strict=True))

    bleu = BLEU()
    accumulator = bleu.accumulator()
    accumulator.update(hyps[rank::WORLD], refs[rank::WORLD])
    state = torch.from_numpy(accumulator.state)  # int64, and it stays so
    dist.all_reduce(state)
    accumulator.state = state
    score = accumulator.compute()

    equal = score == bleu.corpus(hyps, refs)
    print(f"process {rank}: {score} equal: {equal}\n", end="", flush=True)  # one write, one line
    dist.destroy_process_group()


if __name__ == "__main__":
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    mp.spawn(work, args=(port,), nprocs=WORLD)

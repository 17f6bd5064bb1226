from sacrebleu.metrics.base import *

from sacrebleu.metrics.bleu import *

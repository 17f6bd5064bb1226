from sacrebleu.metrics.ter import *

from sacrebleu.metrics.lib_ter import *

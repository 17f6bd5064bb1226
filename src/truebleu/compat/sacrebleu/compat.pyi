from sacrebleu.compat import *

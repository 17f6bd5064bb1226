from sacrebleu.utils import *

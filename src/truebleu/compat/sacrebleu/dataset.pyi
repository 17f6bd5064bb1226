from sacrebleu.dataset import *

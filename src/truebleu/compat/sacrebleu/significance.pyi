from sacrebleu.significance import *

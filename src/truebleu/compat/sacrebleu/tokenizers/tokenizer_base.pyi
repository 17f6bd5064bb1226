from sacrebleu.tokenizers.tokenizer_base import *

from sacrebleu.tokenizers.tokenizer_intl import *

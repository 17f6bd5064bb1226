from sacrebleu.tokenizers.tokenizer_none import *

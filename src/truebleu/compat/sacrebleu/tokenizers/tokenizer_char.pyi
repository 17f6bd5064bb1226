from sacrebleu.tokenizers.tokenizer_char import *

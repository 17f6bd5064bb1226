from sacrebleu.tokenizers.tokenizer_zh import *

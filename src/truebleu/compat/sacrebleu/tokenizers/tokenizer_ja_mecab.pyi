from sacrebleu.tokenizers.tokenizer_ja_mecab import *

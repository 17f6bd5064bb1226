from sacrebleu.tokenizers.tokenizer_ko_mecab import *

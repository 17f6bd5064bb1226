from sacrebleu.tokenizers.tokenizer_spm import *

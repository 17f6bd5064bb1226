from sacrebleu.metrics.bleu import BLEU as BLEU
from sacrebleu.metrics.bleu import BLEUScore as BLEUScore
from sacrebleu.metrics.chrf import CHRF as CHRF
from sacrebleu.metrics.chrf import CHRFScore as CHRFScore
from sacrebleu.metrics.ter import TER as TER
from sacrebleu.metrics.ter import TERScore as TERScore

METRICS: dict[str, type]

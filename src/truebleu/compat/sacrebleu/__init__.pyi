from sacrebleu import *
from sacrebleu import __version__ as __version__
from sacrebleu import compat as compat
from sacrebleu import dataset as dataset
from truebleu.compat.sacrebleu import metrics as metrics
from sacrebleu import utils as utils

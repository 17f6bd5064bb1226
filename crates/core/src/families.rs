//! All metrics, by their names.

use std::sync::Arc;

use crate::chrf::Chrf;
use crate::codebleu::CodeBleu;
use crate::crystalbleu;
use crate::gleu::Gleu;
use crate::nist::Nist;
use crate::plan::Plan;
use crate::resample::Resampled;
use crate::settings::Named;
use crate::ter::Ter;

/// The metric called `name`, with settings as for [`Plan::compile`].
///
/// # Errors
/// There is no such metric, setting or value.
pub fn compile<'a>(name: &str, settings: impl Named<'a>) -> Result<Arc<dyn Resampled>, String> {
    Ok(match name {
        "bleu" => Arc::new(Plan::compile(settings)?),
        "chrf" => Arc::new(Chrf::compile(settings)?),
        "codebleu" => Arc::new(CodeBleu::compile(settings)?),
        "ter" => Arc::new(Ter::compile(settings)?),
        "gleu" => Arc::new(Gleu::compile(settings)?),
        "nist" => Arc::new(Nist::compile(settings)?),
        "crystalbleu" => Arc::new(crystalbleu::compile(settings)?),
        _ => return Err(format!("no metric is named {name:?}")),
    })
}

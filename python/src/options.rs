//! A dictionary of options, with the names of the estimators, as the options of the library.

use dosnes::{
    Affinity, Dosnes, Kernel, Named, Normalization, Reduction, RepulsionMethod, Space,
    init::Init,
    neighbors::Metric,
    normalization::Diagonal,
    optimize::{Optimizer, Radius},
};
use numpy::PyReadonlyArray2;
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyDict};

/// The options that a preset sets itself, with the values that leave them to it.
const OF_PRESETS: [(&str, &str); 7] = [
    ("normalize", "'auto'"),
    ("diagonal", "'zero'"),
    ("steps", "None"),
    ("softness", "1.0"),
    ("strict", "False"),
    ("optimizer", "'auto'"),
    ("radius", "'auto'"),
];

/// The options of all stages.
pub(crate) fn read(dictionary: &Bound<'_, PyDict>) -> PyResult<Dosnes> {
    let given = Dictionary(dictionary);
    let mut dosnes = match given.text("preset")?.as_deref() {
        None => Dosnes::sphere(),
        Some("layout") => {
            given.check_preset()?;
            Dosnes::layout()
        }
        Some(other) => return Err(PyValueError::new_err(format!("preset={other:?}: use \"layout\" or None"))),
    };
    let preset = given.text("preset")?.is_some();
    if let Some(perplexity) = given.number("perplexity")? {
        dosnes = dosnes.perplexity(perplexity);
    }
    if let Some(neighbors) = given.count("n_neighbors")? {
        dosnes = dosnes.neighbors(neighbors);
    }
    if let Some(metric) = given.choice::<Metric>("metric")? {
        dosnes = dosnes.metric(metric);
    }
    if let Some(affinity) = given.choice::<Affinity>("affinity")? {
        dosnes = dosnes.affinity(affinity);
    }
    if let Some(reduction) = given.reduction()? {
        dosnes = dosnes.reduction(reduction);
    }
    if !preset {
        if let Some(method) = given.choice::<Normalization>("normalize")? {
            dosnes = dosnes.normalization(method);
        }
        if let Some(steps) = given.count("steps")? {
            dosnes = dosnes.steps(steps);
        }
        if let Some(diagonal) = given.choice::<Diagonal>("diagonal")? {
            dosnes = dosnes.diagonal(diagonal);
        }
        if let Some(strict) = given.truth("strict")? {
            dosnes = dosnes.strict(strict);
        }
        if let Some(softness) = given.number("softness")? {
            dosnes = dosnes.softness(softness);
        }
        if let Some(optimizer) = given.choice::<Optimizer>("optimizer")? {
            dosnes = dosnes.optimizer(optimizer);
        }
        if let Some(radius) = given.radius()? {
            dosnes = dosnes.radius(radius);
        }
    }
    if let Some(space) = given.choice::<Space>("space")? {
        dosnes = dosnes.space(space);
    }
    if let Some(kernel) = given.choice::<Kernel>("kernel")? {
        dosnes = dosnes.kernel(kernel);
    }
    if let Some(method) = given.choice::<RepulsionMethod>("method")? {
        dosnes = dosnes.repulsion(method);
    }
    if let Some(exaggeration) = given.number_or_auto("early_exaggeration")? {
        dosnes = dosnes.exaggeration(exaggeration);
    }
    if let Some(iterations) = given.count("max_iter")? {
        dosnes = dosnes.max_iterations(iterations);
    }
    if let Some(rate) = given.number_or_auto("learning_rate")? {
        dosnes = dosnes.learning_rate(rate);
    }
    if let Some(init) = given.init()? {
        dosnes = dosnes.init(init);
    }
    if let Some(seed) = given.value("random_state")? {
        dosnes = dosnes.seed(seed.extract()?);
    }
    Ok(dosnes)
}

/// The choice with this name, for the parameter `name`.
pub(crate) fn named<T: Named>(name: &str, text: &str) -> PyResult<T> {
    T::from_name(text).map_err(|error| PyValueError::new_err(format!("{name}={text:?}: {error}")))
}

/// Options by name. What is missing or None is left to the library.
struct Dictionary<'a, 'py>(&'a Bound<'py, PyDict>);

impl<'py> Dictionary<'_, 'py> {
    fn value(&self, name: &str) -> PyResult<Option<Bound<'py, PyAny>>> {
        Ok(self.0.get_item(name)?.filter(|value| !value.is_none()))
    }

    fn text(&self, name: &str) -> PyResult<Option<String>> {
        let Some(value) = self.value(name)? else { return Ok(None) };
        value.extract().map(Some).map_err(|_| wrong_type(name, "a text", &value))
    }

    fn truth(&self, name: &str) -> PyResult<Option<bool>> {
        let Some(value) = self.value(name)? else { return Ok(None) };
        value.extract().map(Some).map_err(|_| wrong_type(name, "True or False", &value))
    }

    fn number(&self, name: &str) -> PyResult<Option<f64>> {
        let Some(value) = self.value(name)? else { return Ok(None) };
        let number = if value.is_instance_of::<PyBool>() { None } else { value.extract().ok() };
        number.map(Some).ok_or_else(|| wrong_type(name, "a number", &value))
    }

    /// A number; "auto" leaves it to the library.
    fn number_or_auto(&self, name: &str) -> PyResult<Option<f64>> {
        match self.text(name) {
            Ok(Some(text)) if text == "auto" => Ok(None),
            Ok(Some(text)) => Err(PyValueError::new_err(format!("{name}={text:?}: use \"auto\" or a number"))),
            _ => self.number(name),
        }
    }

    fn count(&self, name: &str) -> PyResult<Option<usize>> {
        let Some(value) = self.value(name)? else { return Ok(None) };
        // A negative number is a wrong value of the right type.
        let whole: Option<i64> = if value.is_instance_of::<PyBool>() { None } else { value.extract().ok() };
        let whole = whole.ok_or_else(|| wrong_type(name, "a whole number", &value))?;
        let count = usize::try_from(whole);
        count.map(Some).map_err(|_| PyValueError::new_err(format!("{name} is {whole}, but it must not be negative")))
    }

    fn choice<T: Named>(&self, name: &str) -> PyResult<Option<T>> {
        self.text(name)?.map(|text| named(name, &text)).transpose()
    }

    fn reduction(&self) -> PyResult<Option<Reduction>> {
        match self.text("pca") {
            Ok(None) => Ok(None),
            Ok(Some(text)) => match text.as_str() {
                "auto" => Ok(Some(Reduction::Auto)),
                "none" => Ok(Some(Reduction::None)),
                _ => Err(PyValueError::new_err(format!(
                    "pca={text:?}: use \"auto\", \"none\" or a number of components"
                ))),
            },
            Err(_) => match self.count("pca")? {
                Some(0) => {
                    Err(PyValueError::new_err("pca is 0, but it must be at least 1; use \"none\" for no reduction"))
                }
                count => Ok(count.map(Reduction::Components)),
            },
        }
    }

    fn radius(&self) -> PyResult<Option<Radius>> {
        match self.text("radius") {
            Ok(None) => Ok(None),
            Ok(Some(text)) => match text.as_str() {
                "auto" => Ok(Some(Radius::Auto)),
                "free" => Ok(Some(Radius::Free)),
                _ => {
                    Err(PyValueError::new_err(format!("radius={text:?}: use \"auto\", \"free\" or the largest radius")))
                }
            },
            Err(_) => Ok(self.number("radius")?.map(Radius::AtMost)),
        }
    }

    fn init(&self) -> PyResult<Option<Init>> {
        let Some(value) = self.value("init")? else { return Ok(None) };
        if let Ok(array) = value.extract::<PyReadonlyArray2<'_, f64>>() {
            return Ok(Some(Init::Given(array.as_array().to_owned())));
        }
        match self.text("init") {
            Ok(Some(text)) => match text.as_str() {
                "auto" => Ok(Some(Init::Auto)),
                "random" => Ok(Some(Init::Random)),
                "spectral" => Ok(Some(Init::Spectral)),
                _ => Err(PyValueError::new_err(format!(
                    "init={text:?}: use \"auto\", \"random\", \"spectral\" or an array of positions"
                ))),
            },
            _ => Err(wrong_type("init", "a text or an array with one row of coordinates for each item", &value)),
        }
    }

    /// What a preset sets must not be set by the user too.
    fn check_preset(&self) -> PyResult<()> {
        for (name, default) in OF_PRESETS {
            if let Some(value) = self.value(name)?
                && value.repr()? != default
            {
                return Err(PyValueError::new_err(format!(
                    "preset=\"layout\" sets {name} itself; leave {name} at {default}, or leave the preset out"
                )));
            }
        }
        Ok(())
    }
}

fn wrong_type(name: &str, expected: &str, value: &Bound<'_, PyAny>) -> PyErr {
    let kind = value.get_type().name().map_or_else(|_| "something else".to_owned(), |name| name.to_string());
    PyTypeError::new_err(format!("{name} must be {expected}, not {kind}"))
}

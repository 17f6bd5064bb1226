//! Settings: pairs of names and values, as text, which metrics and plans are compiled from.

use std::collections::HashMap;
use std::str::FromStr;

use crate::simd::Level;

/// Pairs of names and values.
pub trait Named<'a>: IntoIterator<Item = (&'a str, &'a str)> {}
impl<'a, T: IntoIterator<Item = (&'a str, &'a str)>> Named<'a> for T {}

/// The highest n-gram order: each has its integers in every row.
const MOST_ORDERS: usize = 1_000;

/// A value that a setting chooses by its name; the first one is the default.
pub trait Choice: Copy + 'static {
    const CHOICES: &'static [(&'static str, Self)];
}

impl Choice for bool {
    const CHOICES: &'static [(&'static str, Self)] = &[("no", false), ("yes", true)];
}

/// Defines an enum as a [`Choice`]: each value has its name in settings.
macro_rules! choices {
    ($(#[$about:meta])* $vis:vis enum $choice:ident {
        $($(#[$note:meta])* $value:ident = $name:literal,)+
    }) => {
        $(#[$about])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        $vis enum $choice { $($(#[$note])* $value,)+ }

        impl $crate::settings::Choice for $choice {
            const CHOICES: &'static [(&'static str, Self)] = &[$(($name, Self::$value)),+];
        }
    };
}
pub(crate) use choices;

/// Settings that are not read yet.
pub struct Settings<'a>(pub HashMap<&'a str, &'a str>);

impl Settings<'_> {
    /// The choice set, or the first one.
    pub fn one_of<T: Copy>(&mut self, name: &str, choices: &[(&str, T)]) -> Result<T, String> {
        let Some(value) = self.0.remove(name) else {
            return Ok(choices[0].1);
        };
        let entry = choices.iter().find(|(choice, _)| *choice == value);
        entry.map(|&(_, choice)| choice).ok_or_else(|| {
            let names: Vec<_> = choices.iter().map(|&(name, _)| name).collect();
            refused(name, value, &format!("one of {}", names.join(", ")))
        })
    }

    /// A choice by its name.
    pub fn choice<T: Choice>(&mut self, name: &str) -> Result<T, String> {
        self.one_of(name, T::CHOICES)
    }

    /// The instruction set, by default the fastest available.
    pub fn level(&mut self) -> Result<Level, String> {
        let levels = Level::available().into_iter();
        let levels: Vec<_> = levels.map(|level| (level.name(), level)).collect();
        self.one_of("simd", &levels)
    }

    pub fn number<T: FromStr>(&mut self, name: &str, default: T) -> Result<T, String> {
        let Some(value) = self.0.remove(name) else {
            return Ok(default);
        };
        value.parse().map_err(|_| refused(name, value, "a number"))
    }

    /// A number of n-gram orders, from `least` on.
    pub fn orders(&mut self, name: &str, least: usize, default: usize) -> Result<usize, String> {
        let orders = self.number(name, default)?;
        if (least..=MOST_ORDERS).contains(&orders) {
            return Ok(orders);
        }
        let range = format!("{least} to {MOST_ORDERS}");
        Err(refused(name, &orders.to_string(), &range))
    }

    /// An error if a setting is unknown, which means that it was not read.
    pub fn check_all_read(self) -> Result<(), String> {
        match self.0.into_keys().next() {
            None => Ok(()),
            Some(name) => Err(format!("no setting is named {name:?}")),
        }
    }

    pub fn words<W: FromIterator<Vec<u8>>>(&mut self, name: &str) -> W {
        let words = self.0.remove(name).unwrap_or_default().split(',');
        words
            .filter(|word| !word.is_empty())
            .map(|word| word.as_bytes().to_vec())
            .collect()
    }

    /// Numbers of a fixed count, by default zeros.
    pub fn array<const N: usize>(&mut self, name: &str) -> Result<[f64; N], String> {
        let numbers = self.numbers(name)?.unwrap_or_else(|| vec![0.0; N]);
        let count = numbers.len();
        <[f64; N]>::try_from(numbers).map_err(|_| format!("{name} has {count} numbers, not {N}"))
    }

    /// One number for each order.
    pub fn weights(&mut self, name: &str, orders: usize) -> Result<Option<Vec<f64>>, String> {
        let weights = self.numbers(name)?;
        if weights
            .as_ref()
            .is_some_and(|weights| weights.len() != orders)
        {
            return Err(format!("{name} need one number for each order"));
        }
        Ok(weights)
    }

    pub fn numbers(&mut self, name: &str) -> Result<Option<Vec<f64>>, String> {
        let Some(value) = self.0.remove(name) else {
            return Ok(None);
        };
        let parsed: Result<_, _> = value.split(',').map(str::parse).collect();
        parsed
            .map(Some)
            .map_err(|_| refused(name, value, "numbers"))
    }
}

fn refused(name: &str, value: &str, expected: &str) -> String {
    format!("{name} cannot be {value:?}; it must be {expected}")
}

//! Records: the fields of structs by name, those of tuples one after the other.

use super::Shown;
use super::entry::{Entry, item, missing};
use super::list::Seq;
use super::map::Map;
use super::union::Tagged;
use super::value::Value;
use crate::de::Plan;
use crate::de::plan::RecordPlan;
use crate::error::{Error, Result};
use crate::private::DATE_FIELD;
use crate::shape::Form;
use crate::vector::{RecordVector, Vector};

/// A record.
#[derive(Clone, Copy)]
pub(super) struct Record<'a, 'v> {
    entry: Entry<'a, 'v>,
    pub(super) plan: &'v RecordPlan,
    vector: &'v RecordVector,
}

/// Which fields of a record are shown.
enum Order<'v> {
    All,
    /// All; those that the struct does not list are not looked at.
    Known(&'static [&'static str]),
    /// These.
    Listed(&'v [u32]),
}

impl<'a, 'v> Record<'a, 'v> {
    /// The record that an entry is, if it is one.
    pub(super) fn from_entry(entry: Entry<'a, 'v>) -> Option<Self> {
        match (entry.vector, entry.plan) {
            (Vector::Record(vector), Plan::Record(plan)) => Some(Self { entry, plan, vector }),
            _ => None,
        }
    }

    /// A field; `None` where it is absent.
    pub(super) fn field(&self, number: usize) -> Result<Option<Entry<'a, 'v>>> {
        let (Some(field), Some(vector)) = (self.plan.fields.get(number), self.vector.fields.get(number))
        else {
            return Err(missing());
        };
        let value = Entry { plan: &field.plan, vector, ..self.entry };
        if !field.absent {
            return Ok(Some(value));
        }
        let value = value.read()?;
        match (value.vector, value.plan) {
            (Vector::Optional(list), Plan::Optional(plan)) => {
                let index = item(list, value.index)?;
                Ok(index.map(|index| Entry { plan: &plan.item, vector: &list.item, index, ..value }))
            }
            _ => Ok(Some(value)),
        }
    }

    /// All fields by name.
    pub(super) fn fields(self) -> Shown<'a, 'v> {
        Shown::Map(Map::Fields(Fields::from_record(self, Order::All)))
    }

    /// All fields, one after the other.
    pub(super) fn tuple(self) -> Shown<'a, 'v> {
        Shown::Seq(Seq::Tuple(Tuple { record: self, at: 0 }))
    }

    /// What a struct with these names is shown. The first struct that is read from a record is shown all names,
    /// so that it may refuse those that it does not know; once it has taken them, what it has fields for.
    pub(super) fn struct_fields(self, names: &'static [&'static str]) -> Result<Shown<'a, 'v>> {
        let order = match self.plan.listed(names) {
            Some(listed) => Order::Listed(listed),
            None => {
                self.require(|name| names.contains(&name))?;
                Order::Known(names)
            }
        };
        Ok(Shown::Map(Map::Fields(Fields::from_record(self, order))))
    }

    /// Misses all fields at once that were not read.
    fn require_all(&self) -> Result<()> {
        match self.vector.fields.first() {
            Some(Vector::Unread(_)) => self.require(|_| true),
            _ => Ok(()),
        }
    }

    /// Misses the fields of these names at once that were not read.
    #[cold]
    fn require(&self, wanted: impl Fn(&str) -> bool) -> Result<()> {
        let fields = self.plan.fields.iter().zip(&self.vector.fields);
        let mut unread = fields.filter_map(|(field, vector)| match vector {
            Vector::Unread(node) if wanted(self.plan.name_of(field)) => Some(*node),
            _ => None,
        });
        match unread.next() {
            Some(first) => Err(self.entry.context.missed.note(std::iter::once(first).chain(unread))),
            None => Ok(()),
        }
    }
}

impl<'a, 'v> Entry<'a, 'v> {
    /// What the file says that a record is.
    pub(super) fn shown_record(
        self,
        plan: &'v RecordPlan,
        vector: &'v RecordVector,
    ) -> Result<Shown<'a, 'v>> {
        let record = Record { entry: self, plan, vector };
        Ok(match plan.form {
            Form::Struct => {
                record.require_all()?;
                record.fields()
            }
            Form::Tuple => {
                record.require_all()?;
                record.tuple()
            }
            _ => Shown::Map(Map::Tagged(Tagged::from_entry(self, plan))),
        })
    }

    /// What the variant of an enum holds, without its name.
    pub(super) fn shown_content(self) -> Result<Shown<'a, 'v>> {
        let record = Record::from_entry(self).ok_or_else(missing)?;
        match record.plan.form {
            Form::NewtypeVariant => record.field(0)?.ok_or_else(missing)?.shown(),
            Form::TupleVariant => Ok(record.tuple()),
            _ => Ok(record.fields()),
        }
    }

    /// What a struct with these fields is shown.
    pub(super) fn shown_struct(self, names: &'static [&'static str]) -> Result<Shown<'a, 'v>> {
        match Record::from_entry(self) {
            Some(record) if record.plan.form == Form::Struct => record.struct_fields(names),
            _ => self.shown(),
        }
    }
}

/// The fields of a record by name; absent ones are not shown.
pub(super) struct Fields<'a, 'v> {
    record: Record<'a, 'v>,
    order: Order<'v>,
    at: usize,
    /// The value of the last one, until it is taken.
    value: Option<Value<'a, 'v>>,
    last: &'v str,
}

impl<'a, 'v> Fields<'a, 'v> {
    fn from_record(record: Record<'a, 'v>, order: Order<'v>) -> Self {
        Self { record, order, at: 0, value: None, last: "" }
    }

    /// The name of the next field that is there.
    pub(super) fn next(&mut self) -> Result<Option<&'v str>> {
        loop {
            let number = match &self.order {
                Order::All | Order::Known(_) => self.at,
                Order::Listed(numbers) => match numbers.get(self.at) {
                    Some(number) => *number as usize,
                    None => return Ok(None),
                },
            };
            self.at += 1;
            let Record { entry, plan, vector } = self.record;
            let (Some(field), Some(vector)) = (plan.fields.get(number), vector.fields.get(number)) else {
                return Ok(None);
            };
            self.last = plan.name_of(field);
            let value = match &self.order {
                Order::Known(known) if !known.contains(&self.last) => {
                    Some(Entry { plan: &field.plan, vector, ..entry })
                }
                _ => self.record.field(number)?,
            };
            if let Some(value) = value {
                self.value = Some(Value::Entry(value));
                return Ok(Some(self.last));
            }
        }
    }

    /// The record, if the struct that it is shown to is not the one that was read there first.
    pub(super) fn unknown(&self) -> Option<&'v RecordPlan> {
        matches!(self.order, Order::Known(_)).then_some(self.record.plan)
    }

    /// The string of a date of toml.
    pub(super) fn string(&self) -> Result<Option<Value<'a, 'v>>> {
        match self.record.plan.fields.as_slice() {
            [field] if self.record.plan.name_of(field) == DATE_FIELD => {
                Ok(self.record.field(0)?.map(Value::Entry))
            }
            _ => Ok(None),
        }
    }

    /// The value of the last one.
    pub(super) fn value(&mut self) -> Option<Value<'a, 'v>> {
        self.value.take()
    }

    /// The name of the last one.
    pub(super) fn last(&self) -> &'v str {
        self.last
    }
}

/// The fields of a tuple; ends at the first that is absent.
pub(crate) struct Tuple<'a, 'v> {
    record: Record<'a, 'v>,
    /// How many have been taken.
    at: usize,
}

impl<'a, 'v> Tuple<'a, 'v> {
    pub(super) fn next(&mut self) -> Result<Option<Value<'a, 'v>>> {
        if self.at >= self.record.plan.fields.len() {
            return Ok(None);
        }
        let value = self.record.field(self.at);
        self.at += 1;
        Ok(value.map_err(|error: Error| error.in_field(self.last()))?.map(Value::Entry))
    }

    /// The name of the last one.
    pub(super) fn last(&self) -> &'v str {
        let plan = self.record.plan;
        let field = self.at.checked_sub(1).and_then(|last| plan.fields.get(last));
        field.map_or("", |field| plan.name_of(field))
    }
}

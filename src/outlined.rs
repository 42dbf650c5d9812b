//! Values whose drop is compiled once.

use std::mem::ManuallyDrop;
use std::ops::{Deref, DerefMut};

/// A value that a function of this crate drops. The drop of a plain field, with that of all that is in it, is compiled again in each
/// crate that drops the field.
pub(crate) struct Outlined<T: DropOutlined>(
    /// There until it is taken or dropped.
    ManuallyDrop<Option<T>>,
);

/// What is dropped by a function of its own.
pub(crate) trait DropOutlined: Sized {
    /// Drops a value. It must not be inlined, and its type must have no parameters but lifetimes.
    fn drop_outlined(value: Self);
}

/// Has a type dropped by a function of its own.
macro_rules! drop_outlined {
    ($type:ty $(, $lifetime:lifetime)*) => {
        impl<$($lifetime),*> crate::outlined::DropOutlined for $type {
            #[inline(never)]
            fn drop_outlined(_: Self) {}
        }
    };
}

pub(crate) use drop_outlined;

impl<T: DropOutlined> Outlined<T> {
    pub(crate) fn new(value: T) -> Self {
        Self(ManuallyDrop::new(Some(value)))
    }

    /// The value, which its holder does not drop any more.
    pub(crate) fn into_inner(mut self) -> T {
        match self.0.take() {
            Some(value) => value,
            None => gone(),
        }
    }
}

impl<T: DropOutlined> Deref for Outlined<T> {
    type Target = T;

    #[inline]
    fn deref(&self) -> &T {
        match &*self.0 {
            Some(value) => value,
            None => gone(),
        }
    }
}

impl<T: DropOutlined> DerefMut for Outlined<T> {
    #[inline]
    fn deref_mut(&mut self) -> &mut T {
        match &mut *self.0 {
            Some(value) => value,
            None => gone(),
        }
    }
}

impl<T: DropOutlined> Drop for Outlined<T> {
    #[inline]
    fn drop(&mut self) {
        if let Some(value) = self.0.take() {
            T::drop_outlined(value);
        }
    }
}

/// Nothing is held by a value that is dropped or moved, which nobody can ask.
#[cold]
fn gone() -> ! {
    unreachable!("a value is there until its holder is dropped")
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::rc::Rc;

    struct Counted {
        count: Rc<()>,
    }

    drop_outlined!(Counted);

    #[test]
    fn values_are_dropped_once() {
        let count = Rc::new(());
        let held = [(); 3].map(|()| Outlined::new(Counted { count: Rc::clone(&count) }));
        assert_eq!(Rc::strong_count(&count), 4);
        let [first, second, third] = held;
        drop(first);
        let mut second = second.into_inner();
        assert_eq!(Rc::strong_count(&count), 3);
        second.count = Rc::new(());
        assert_eq!(Rc::strong_count(&count), 2);
        assert_eq!(Rc::strong_count(&third.count), 2);
        drop(third);
        assert_eq!(Rc::strong_count(&count), 1);
    }
}

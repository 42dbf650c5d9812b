//! The traits of compounds that both paths implement: all of them push a value, then finish.

/// Compounds that have one value after the other, by `push` and `finish`.
macro_rules! values {
    ($error:ty: $($trait:ident $method:ident $type:ident;)*) => {
        $(impl serde::ser::$trait for $type<'_> {
            type Ok = ();
            type Error = $error;

            #[inline(always)]
            fn $method<T: ?Sized + serde::Serialize>(&mut self, value: &T) -> std::result::Result<(), $error> {
                self.push(value)
            }

            #[inline(always)]
            fn end(self) -> std::result::Result<(), $error> {
                self.finish()
            }
        })*
    };
}

/// Compounds that have named fields, by `field`, `skip` and `finish`.
macro_rules! fields {
    ($error:ty: $($trait:ident $type:ident;)*) => {
        $(impl serde::ser::$trait for $type<'_> {
            type Ok = ();
            type Error = $error;

            #[inline(always)]
            fn serialize_field<T: ?Sized + serde::Serialize>(
                &mut self,
                key: &'static str,
                value: &T,
            ) -> std::result::Result<(), $error> {
                self.field(key, value)
            }

            #[inline]
            fn skip_field(&mut self, key: &'static str) -> std::result::Result<(), $error> {
                self.skip(key)
            }

            #[inline(always)]
            fn end(self) -> std::result::Result<(), $error> {
                self.finish()
            }
        })*
    };
}

pub(super) use {fields, values};

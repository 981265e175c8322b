//! Defines the variants of an enum and their names in one place.

/// Defines `ALL` and `name` of an enum, from its variants in the order of lists and their names in descriptions and
/// in JSON. With `parsed as "…"`, which is the kind of thing for error messages, the enum can also be read from these
/// names.
macro_rules! names {
    ($choice:ident { $($variant:ident = $name:literal,)+ } $(parsed as $what:literal)?) => {
        impl $choice {
            /// All variants, in the order of lists.
            pub const ALL: [Self; [$($name),+].len()] = [$(Self::$variant),+];

            /// Returns the name in descriptions and in JSON.
            pub fn name(self) -> &'static str {
                match self {
                    $(Self::$variant => $name,)+
                }
            }
        }

        $(impl std::str::FromStr for $choice {
            type Err = $crate::error::Error;
            fn from_str(text: &str) -> $crate::error::Result<Self> {
                $crate::error::find_by_name($what, text, &Self::ALL, Self::name)
            }
        })?
    };
}

//! The variants of a choice and their names, written once.

/// Gives an enum `ALL` and `name`, from its variants in the order of lists and their names in descriptions and in JSON. With
/// `parsed as "…"`, which says what it is, it is read from its name too.
macro_rules! names {
    ($choice:ident { $($variant:ident = $name:literal,)+ } $(parsed as $what:literal)?) => {
        impl $choice {
            /// All of them, in the order of lists.
            pub const ALL: [Self; [$($name),+].len()] = [$(Self::$variant),+];

            /// Its name in descriptions and in JSON.
            pub fn name(self) -> &'static str {
                match self {
                    $(Self::$variant => $name,)+
                }
            }
        }

        $(impl std::str::FromStr for $choice {
            type Err = $crate::error::Error;
            fn from_str(text: &str) -> $crate::error::Result<Self> {
                $crate::error::by_name($what, text, &Self::ALL, Self::name)
            }
        })?
    };
}

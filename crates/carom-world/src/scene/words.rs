//! The library speaks of flags of the command; in a scene the same things are keys.

/// A sentence with `--key VALUE` as scenes write it, `key = VALUE`.
pub(super) fn scene_words(sentence: &str) -> String {
    let plain = sentence
        .replace("describe both bodies with --body", "give a material of both bodies")
        .replace("give --body twice", "give a material of both bodies")
        .replace(" (Damping::Exact)", "");
    let mut words = plain.split(' ').peekable();
    let mut said: Vec<String> = Vec::new();
    while let Some(word) = words.next() {
        let flag = word.split_once("--");
        let flag = flag.filter(|(_, name)| name.starts_with(|c: char| c.is_ascii_lowercase()));
        let Some((before, flag)) = flag else {
            said.push(word.into());
            continue;
        };
        let key = flag.replace('-', "_");
        let value = words.next_if(|next| is_value(next.trim_end_matches([',', ';', ')', '.'])));
        said.push(match value {
            None => format!("{before}{key}"),
            Some(value) => {
                let bare = value.trim_end_matches([',', ';', ')', '.']);
                let after = value.strip_prefix(bare).unwrap_or_default();
                match bare.split_once('=') {
                    Some((name, value)) => format!("{before}{key} = {{ {name} = {value} }}{after}"),
                    None if bare.len() == 1 => format!("{before}{key} = {bare}{after}"),
                    None => format!("{before}{key} = \"{bare}\"{after}"),
                }
            }
        });
    }
    said.join(" ")
}

/// What follows a flag and belongs to it: a letter for a number, a name to choose, or a pair of both.
fn is_value(word: &str) -> bool {
    let letter = word.len() == 1 && word.starts_with(|c: char| c.is_ascii_uppercase());
    letter || word == "exact" || word == "force" || word.contains('=')
}

#[cfg(test)]
mod tests {
    use super::scene_words;

    #[test]
    fn flags_become_keys() {
        for (flags, keys) in [
            ("give --restitution E, above 0", "give restitution = E, above 0"),
            ("use less damping, or --exit force", "use less damping, or exit = \"force\""),
            ("leave out --calibration or --damping", "leave out calibration or damping"),
            ("set it with --set pi=VALUE", "set it with set = { pi = VALUE }"),
            ("a - b -- c", "a - b -- c"),
            ("nothing to say", "nothing to say"),
        ] {
            assert_eq!(scene_words(flags), keys);
        }
    }
}

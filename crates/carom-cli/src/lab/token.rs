//! The token: a random word in the link of `carom lab`. It excludes other users of the machine, who can reach the port as well.
//!
//! The link sets a cookie and redirects to the page without the token. Programs send `Authorization: Bearer TOKEN`.

use crate::failure::Failure;

/// Length of a token (bytes).
const TOKEN_BYTES: usize = 16;

/// Token that clients must send; `None` if all users of the machine have access.
#[derive(Clone, Debug, Default)]
pub struct Token(Option<String>);

/// Parts of a request that may carry the token.
#[derive(Clone, Copy, Debug, Default)]
pub struct Credentials<'a> {
    /// `token` in the query of the address.
    pub query: Option<&'a str>,
    /// The header `Cookie`.
    pub cookies: Option<&'a str>,
    /// The header `Authorization`.
    pub authorization: Option<&'a str>,
}

impl Token {
    /// Creates a random token.
    pub fn new() -> Result<Self, Failure> {
        let mut bytes = [0u8; TOKEN_BYTES];
        getrandom::fill(&mut bytes).map_err(|why| {
            Failure::System(format!(
                "the system gives no random numbers for a token: {why}; start the lab with --no-token"
            ))
        })?;
        Ok(Self(Some(bytes.iter().map(|byte| format!("{byte:02x}")).collect())))
    }

    /// Creates the absence of a token: all users of this machine have access.
    pub fn disabled() -> Self {
        Self(None)
    }

    /// Returns the query of the link to open, with its question mark.
    pub fn query(&self) -> String {
        self.0.as_ref().map_or(String::new(), |token| format!("?token={token}"))
    }

    /// Returns whether a request may be answered.
    pub fn admits(&self, credentials: Credentials, port: u16) -> bool {
        let Some(token) = &self.0 else { return true };
        let name = cookie_name(port);
        let cookie = credentials.cookies.unwrap_or_default().split(';').find_map(|pair| {
            let (key, value) = pair.trim().split_once('=')?;
            (key == name).then_some(value)
        });
        let bearer = credentials.authorization.and_then(|text| text.strip_prefix("Bearer "));
        [cookie, bearer, credentials.query]
            .into_iter()
            .flatten()
            .any(|given| equal_in_constant_time(given, token))
    }

    /// Returns the cookie to set for a link with the right token; `None` for other requests.
    pub fn cookie(&self, query: Option<&str>, port: u16) -> Option<String> {
        let token = self.0.as_ref()?;
        query.filter(|given| equal_in_constant_time(given, token))?;
        Some(format!("{}={token}; Path=/; HttpOnly; SameSite=Lax", cookie_name(port)))
    }
}

/// Returns the name of the cookie. It contains the port, because all ports of a host share their cookies.
fn cookie_name(port: u16) -> String {
    format!("carom_lab_{port}")
}

/// Compares in a time that does not depend on where the texts differ.
fn equal_in_constant_time(given: &str, token: &str) -> bool {
    given.len() == token.len()
        && given.bytes().zip(token.bytes()).fold(0, |differ, (a, b)| differ | (a ^ b)) == 0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_requests_with_the_token_are_admitted() {
        let token = Token::new().unwrap();
        assert_ne!(token.query(), Token::new().unwrap().query());
        let query = token.query();
        let word = query.strip_prefix("?token=").unwrap();
        assert_eq!(word.len(), 32);
        let cookies = format!("a=b; carom_lab_80={word}");
        let bearer = format!("Bearer {word}");
        let nothing = Credentials::default();
        for (credentials, fine) in [
            (nothing, false),
            (Credentials { query: Some(word), ..nothing }, true),
            (Credentials { query: Some("0"), ..nothing }, false),
            (Credentials { cookies: Some(&cookies), ..nothing }, true),
            (Credentials { cookies: Some(word), ..nothing }, false),
            (Credentials { authorization: Some(&bearer), ..nothing }, true),
            (Credentials { authorization: Some(word), ..nothing }, false),
        ] {
            assert_eq!(token.admits(credentials, 80), fine, "{credentials:?}");
            assert!(Token::disabled().admits(credentials, 80));
        }
        assert!(!token.admits(Credentials { cookies: Some(&cookies), ..nothing }, 81));
        assert!(token.cookie(Some(word), 80).unwrap().contains("HttpOnly"));
        assert!(
            token.cookie(Some("x"), 80).is_none()
                && Token::disabled().cookie(Some(word), 80).is_none()
        );
    }
}

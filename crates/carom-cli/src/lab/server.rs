//! HTTP server on loopback, with limits and security headers.
//!
//! Answers are computed on worker threads, in lanes: quick requests wait only for quick ones, so that a slider does not wait for a
//! scene. A request that takes too long, or waits too long for a free core, gets an error; the server continues. The number of
//! connections, the number of bytes of bodies being received, and the time that a head or a body may take are limited as well.
//! Answers that never change are computed only once.

use super::endpoints::{self, Answer, Endpoint, RequestClass};
use super::stop::Stop;
use super::token::{Credentials, Token};
use super::{guard, page};
use crate::failure::Failure;
use axum::body::{Body, Bytes};
use axum::http::request::Parts;
use axum::http::{HeaderMap, Method, Request, Response, StatusCode, header};
use carom::message::WordedAction;
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper_util::rt::{TokioIo, TokioTimer};
use std::collections::HashMap;
use std::convert::Infallible;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::net::{Ipv4Addr, SocketAddr};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;
use tokio::net::TcpListener;
use tokio::sync::Semaphore;

/// Largest body of a request.
const MAX_REQUEST_BYTES: usize = 16 << 20;
/// Size up to which bodies are always read; larger ones share [`BODY_BUDGET`].
const SMALL_BODY: usize = 64 << 10;
/// Largest number of bytes of larger bodies in memory, over all requests.
const BODY_BUDGET: usize = 64 << 20;
/// Longest time that a body may take to arrive.
const BODY_TIME: Duration = Duration::from_secs(20);
/// Longest time that the head of a request may take to arrive; also the longest time that a connection may be idle.
const HEAD_TIME: Duration = Duration::from_secs(20);
/// Largest number of simultaneous connections.
const MAX_CONNECTIONS: usize = 512;
/// Longest wait for a free core, and longest wait for the answer after that.
const MAX_WAIT: Duration = Duration::from_secs(20);
/// Longest wait for the answer to a long request, which reports its progress and ends when its client disconnects.
const MAX_LONG_WAIT: Duration = Duration::from_secs(120);
/// Policy by which pages of this server load nothing from other servers and cannot be embedded in other pages. Inline styles are
/// allowed because figures contain their style sheet.
const CONTENT_SECURITY_POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; \
    img-src 'self' blob: data:; connect-src 'self'; base-uri 'none'; form-action 'none'; \
    frame-ancestors 'none'";

/// A server that is bound to its port but does not serve yet.
pub struct Server {
    listener: std::net::TcpListener,
    address: SocketAddr,
    token: Token,
}

/// State shared by all requests.
struct ServerState {
    port: u16,
    token: Token,
    /// Free cores for quick and for long requests.
    quick: Arc<Semaphore>,
    long: Arc<Semaphore>,
    /// Size of larger bodies that may still be read (KiB).
    bodies: Arc<Semaphore>,
    /// Answers that never change, by path.
    constants: Mutex<HashMap<String, (&'static str, Bytes)>>,
}

impl Server {
    /// Binds to loopback; port 0 selects a free port.
    pub fn bind(port: u16, token: Token) -> Result<Self, Failure> {
        let refuse = |why: std::io::Error| {
            Failure::System(format!(
                "cannot listen on 127.0.0.1:{port}: {why}; another lab may be running, choose another --port, or 0 for any"
            ))
        };
        let listener = std::net::TcpListener::bind((Ipv4Addr::LOCALHOST, port)).map_err(refuse)?;
        listener.set_nonblocking(true).map_err(refuse)?;
        let address = listener.local_addr().map_err(refuse)?;
        Ok(Self { listener, address, token })
    }

    /// Returns the address to open.
    pub fn url(&self) -> String {
        format!("http://{}/", self.address)
    }

    /// Serves until the process ends.
    pub fn serve(self) -> Result<(), Failure> {
        let refuse = |why: std::io::Error| Failure::System(format!("the lab stopped: {why}"));
        let cores = std::thread::available_parallelism().map_or(1, usize::from);
        let runtime = tokio::runtime::Builder::new_multi_thread()
            .worker_threads(1)
            .max_blocking_threads(2 * cores + 2)
            .enable_io()
            .enable_time()
            .build()
            .map_err(refuse)?;
        let shared = Arc::new(ServerState {
            port: self.address.port(),
            token: self.token,
            quick: Arc::new(Semaphore::new(cores)),
            long: Arc::new(Semaphore::new(cores)),
            bodies: Arc::new(Semaphore::new(BODY_BUDGET >> 10)),
            constants: Mutex::default(),
        });
        runtime.block_on(async {
            let listener = TcpListener::from_std(self.listener).map_err(refuse)?;
            let connections = Arc::new(Semaphore::new(MAX_CONNECTIONS));
            // The semaphore is never closed.
            while let Ok(permit) = connections.clone().acquire_owned().await {
                // Accepting fails for single connections, for example if the client has given up.
                let Ok((stream, _)) = listener.accept().await else {
                    tokio::time::sleep(Duration::from_millis(10)).await;
                    continue;
                };
                let shared = shared.clone();
                tokio::spawn(async move {
                    let _permit = permit;
                    let service = service_fn(|request: Request<hyper::body::Incoming>| {
                        let shared = shared.clone();
                        async move { Ok::<_, Infallible>(answer(&shared, request.map(Body::new)).await) }
                    });
                    // Errors mean that the client disconnected or timed out.
                    let _ = http1::Builder::new()
                        .timer(TokioTimer::new())
                        .header_read_timeout(HEAD_TIME)
                        .serve_connection(TokioIo::new(stream), service)
                        .await;
                });
            }
            Ok(())
        })
    }
}

/// A response that ends the handling of a request: an error, or a redirect.
type Refusal = Box<Response<Body>>;

/// Answers any request.
async fn answer(shared: &ServerState, request: Request<Body>) -> Response<Body> {
    let (parts, body) = request.into_parts();
    handle(shared, &parts, body).await.unwrap_or_else(|refusal| *refusal)
}

/// Answers a request for a page or an endpoint.
async fn handle(
    shared: &ServerState,
    parts: &Parts,
    body: Body,
) -> Result<Response<Body>, Refusal> {
    admit(shared, parts)?;
    let path = parts.uri.path();
    // HEAD is handled as GET; the body is left out when the answer is sent.
    let method = if parts.method == Method::HEAD { &Method::GET } else { &parts.method };
    let not_found = |why: String| refuse(StatusCode::NOT_FOUND, &why);
    let Some(endpoint_path) = path.strip_prefix("/api/v1/") else {
        let accept = header_text(&parts.headers, header::ACCEPT).unwrap_or_default();
        return match page::find(path, accept, shared.port) {
            Some((kind, body)) if method == Method::GET => {
                Ok(constant(&parts.headers, kind, body.into()))
            }
            Some(_) => Err(not_allowed("pages are asked for with GET", "GET, HEAD")),
            None => Err(not_found(format!(
                "there is nothing at {path}; the page is at / and the API is described at /api"
            ))),
        };
    };
    let Some((endpoint, word)) = endpoints::find(endpoint_path).find(|(e, _)| method == e.method)
    else {
        let methods: Vec<_> = endpoints::find(endpoint_path).map(|(e, _)| e.method).collect();
        let why = format!("{path} is asked for with {}; /api shows how", methods.join(" or "));
        return Err(match methods.is_empty() {
            true => not_found(format!("no endpoint {path}; /api lists them all")),
            false => not_allowed(&why, &methods.join(", ").replace("GET", "GET, HEAD")),
        });
    };
    let constants = || shared.constants.lock().unwrap_or_else(PoisonError::into_inner);
    if endpoint.lane == RequestClass::Constant
        && let Some((kind, body)) = constants().get(path).cloned()
    {
        return Ok(constant(&parts.headers, kind, body));
    }
    // The budget is held as long as the request: what was read stays in memory until its answer is sent.
    let (body, _budget) = read(shared, &parts.headers, body).await?;
    let Answer { kind, body } = compute(shared, endpoint, word, body).await?;
    let body = Bytes::from(body);
    if endpoint.lane != RequestClass::Constant {
        return Ok(respond(StatusCode::OK, kind, body));
    }
    constants().insert(path.to_string(), (kind, body.clone()));
    Ok(constant(&parts.headers, kind, body))
}

/// Accepts requests that come from this machine, from no foreign page, and with the token. The link with the token sets a cookie.
fn admit(shared: &ServerState, parts: &Parts) -> Result<(), Refusal> {
    let text = |name| header_text(&parts.headers, name);
    if let Err(why) = guard::admits(text(header::HOST), text(header::ORIGIN), shared.port) {
        return Err(refuse(StatusCode::FORBIDDEN, &why));
    }
    let query = parts.uri.query().unwrap_or_default();
    let query = query.split('&').find_map(|word| word.strip_prefix("token="));
    let path = parts.uri.path();
    let page = parts.method == Method::GET && !path.starts_with("/api/v1/");
    if page && let Some(cookie) = shared.token.cookie(query, shared.port) {
        let redirect = Response::builder()
            .status(StatusCode::SEE_OTHER)
            .header(header::LOCATION, path)
            .header(header::SET_COOKIE, cookie)
            .header(header::CACHE_CONTROL, "no-store")
            .header(header::REFERRER_POLICY, "no-referrer")
            .body(Body::empty());
        return Err(Box::new(redirect.unwrap_or_default()));
    }
    let shown = Credentials {
        query,
        cookies: text(header::COOKIE),
        authorization: text(header::AUTHORIZATION),
    };
    match shared.token.admits(shown, shared.port) {
        true => Ok(()),
        false => {
            let why = "this lab requires its token: open the link that `carom lab` printed, send the token as \
                       `Authorization: Bearer TOKEN`, or start the lab with --no-token";
            let mut response = refuse(StatusCode::UNAUTHORIZED, why);
            let value = header::HeaderValue::from_static("Bearer");
            response.headers_mut().insert(header::WWW_AUTHENTICATE, value);
            Err(response)
        }
    }
}

/// Reads a body. A large one waits until there is room for it.
async fn read(
    shared: &ServerState,
    headers: &HeaderMap,
    body: Body,
) -> Result<(Bytes, Option<tokio::sync::OwnedSemaphorePermit>), Refusal> {
    let refused = |status, why: String| Err(refuse(status, &why));
    let announced = header_text(headers, header::CONTENT_LENGTH).and_then(|text| text.parse().ok());
    let chunked = headers.contains_key(header::TRANSFER_ENCODING);
    let size: usize = announced.unwrap_or(if chunked { MAX_REQUEST_BYTES } else { 0 });
    let large = format!("the request is larger than {} MiB; send less", MAX_REQUEST_BYTES >> 20);
    if size > MAX_REQUEST_BYTES {
        return refused(StatusCode::PAYLOAD_TOO_LARGE, large);
    }
    let mut budget = None;
    if size > SMALL_BODY {
        let wanted = u32::try_from(size.div_ceil(1 << 10)).unwrap_or(u32::MAX);
        let room = shared.bodies.clone().acquire_many_owned(wanted);
        match tokio::time::timeout(MAX_WAIT, room).await {
            Ok(Ok(permit)) => budget = Some(permit),
            _ => {
                let why = "other large requests are on their way; ask again later".to_string();
                return refused(StatusCode::SERVICE_UNAVAILABLE, why);
            }
        }
    }
    match tokio::time::timeout(BODY_TIME, axum::body::to_bytes(body, MAX_REQUEST_BYTES)).await {
        Ok(Ok(bytes)) => Ok((bytes, budget)),
        Ok(Err(_)) => refused(StatusCode::PAYLOAD_TOO_LARGE, large),
        Err(_) => {
            let seconds = BODY_TIME.as_secs();
            let why = format!("the request did not arrive within {seconds} s; send it again");
            refused(StatusCode::REQUEST_TIMEOUT, why)
        }
    }
}

/// Computes an answer on a free core of its lane.
async fn compute(
    shared: &ServerState,
    endpoint: &'static Endpoint,
    word: &str,
    body: Bytes,
) -> Result<Answer, Refusal> {
    let refused = |status, why: String| Err(refuse(status, &why));
    let wrong = if (endpoint.has)(word) { StatusCode::BAD_REQUEST } else { StatusCode::NOT_FOUND };
    let word = word.to_string();
    // This future is dropped when the client disconnects; dropping `_waiting` then stops the computation.
    let (stop, _waiting) = Stop::new();
    let (lane, most) = match endpoint.lane {
        RequestClass::Long => (&shared.long, MAX_LONG_WAIT),
        RequestClass::Quick | RequestClass::Constant => (&shared.quick, MAX_WAIT),
    };
    let Ok(permit) = tokio::time::timeout(MAX_WAIT, lane.clone().acquire_owned()).await else {
        let seconds = MAX_WAIT.as_secs();
        let why = format!(
            "other requests have kept this machine busy for {seconds} s, and nothing was computed for this one; ask again later"
        );
        return refused(StatusCode::SERVICE_UNAVAILABLE, why);
    };
    let work = tokio::task::spawn_blocking(move || {
        // The permit is held until the computation ends, even if the client has disconnected.
        let _permit = permit;
        (endpoint.run)(&word, &body, &stop.start_clock())
    });
    match tokio::time::timeout(most, work).await {
        Ok(Ok(Ok(answer))) => Ok(answer),
        Ok(Ok(Err(Failure::Input(why)))) => refused(wrong, why),
        Ok(Ok(Err(Failure::Refused(error)))) => {
            let message = error.message();
            let (why, advice) = (message.to_string(), message.advice());
            Err(refuse_with(wrong, &why, &advice, error.parameter()))
        }
        Ok(Ok(Err(failure))) => {
            refused(StatusCode::INTERNAL_SERVER_ERROR, failure.sentence().into_owned())
        }
        Ok(Err(_)) => {
            refused(StatusCode::INTERNAL_SERVER_ERROR, "the computation failed".to_string())
        }
        Err(_) => {
            let seconds = most.as_secs();
            let why =
                format!("computing this takes longer than {seconds} s; ask for less at a time");
            refused(StatusCode::SERVICE_UNAVAILABLE, why)
        }
    }
}

fn header_text(headers: &HeaderMap, name: header::HeaderName) -> Option<&str> {
    // "?" is not a valid host or token and is refused like any other wrong value.
    headers.get(name).map(|value| value.to_str().unwrap_or("?"))
}

/// Returns an error as JSON.
fn refuse(status: StatusCode, why: &str) -> Refusal {
    refuse_with(status, why, &[], None)
}

/// Returns a refusal of the method, with the methods that are allowed.
fn not_allowed(why: &str, methods: &str) -> Refusal {
    let mut response = refuse(StatusCode::METHOD_NOT_ALLOWED, why);
    if let Ok(value) = header::HeaderValue::from_str(methods) {
        response.headers_mut().insert(header::ALLOW, value);
    }
    response
}

/// Returns a refusal with advice as data and the parameter that it concerns.
fn refuse_with(
    status: StatusCode,
    why: &str,
    advice: &[WordedAction],
    parameter: Option<&str>,
) -> Refusal {
    let body = serde_json::json!({ "error": why, "advice": advice, "parameter": parameter });
    let body = body.to_string() + "\n";
    Box::new(respond(status, "application/json", body.into()))
}

/// Sends an answer that never changes; a client that already has it gets the status "not modified".
fn constant(headers: &HeaderMap, kind: &'static str, body: Bytes) -> Response<Body> {
    let mut hash = DefaultHasher::new();
    (env!("CARGO_PKG_VERSION"), &body).hash(&mut hash);
    let tag = format!("\"{:016x}\"", hash.finish());
    let known = header_text(headers, header::IF_NONE_MATCH).is_some_and(|tags| tags.contains(&tag));
    let mut response = match known {
        true => respond(StatusCode::NOT_MODIFIED, kind, Bytes::new()),
        false => respond(StatusCode::OK, kind, body),
    };
    let headers = response.headers_mut();
    headers.insert(header::CACHE_CONTROL, header::HeaderValue::from_static("private, no-cache"));
    if let Ok(tag) = header::HeaderValue::from_str(&tag) {
        headers.insert(header::ETAG, tag);
    }
    response
}

fn respond(status: StatusCode, kind: &'static str, body: Bytes) -> Response<Body> {
    let built = Response::builder()
        .status(status)
        .header(header::CONTENT_TYPE, kind)
        .header(header::CACHE_CONTROL, "no-store")
        .header(header::X_CONTENT_TYPE_OPTIONS, "nosniff")
        .header(header::REFERRER_POLICY, "no-referrer")
        .header(header::CONTENT_SECURITY_POLICY, CONTENT_SECURITY_POLICY)
        .body(Body::from(body));
    // Building the response cannot fail, because all headers are valid constants.
    built.unwrap_or_default()
}

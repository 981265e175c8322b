//! HTTP server on loopback, with limits and security headers.
//!
//! Answers are computed on worker threads, at most as many at a time as there are cores. A request that takes too
//! long, or waits too long for a free core, gets an error; the server continues.

use super::endpoints::{self, Answer};
use super::stop::Stop;
use super::{guard, page};
use crate::failure::Failure;
use axum::body::Body;
use axum::extract::{Request, State};
use axum::http::{HeaderMap, Method, Response, StatusCode, header};
use carom::message::WordedAction;
use std::net::{Ipv4Addr, SocketAddr};
use std::sync::Arc;
use std::time::Duration;
use tokio::net::TcpListener;
use tokio::sync::Semaphore;

/// Largest body of a request.
const MAX_REQUEST_BYTES: usize = 16 << 20;
/// Longest wait for a free core, and longest wait for the answer after that.
const MAX_WAIT: Duration = Duration::from_secs(20);
/// Pages of this server load nothing from other servers and cannot be embedded in other pages. Inline styles are
/// allowed because figures contain their style sheet.
const CONTENT_SECURITY_POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; \
    img-src 'self' blob: data:; connect-src 'self'; base-uri 'none'; form-action 'none'; \
    frame-ancestors 'none'";

/// A server that is bound and not yet serving.
pub struct Server {
    listener: std::net::TcpListener,
    address: SocketAddr,
}

/// State shared by all requests.
#[derive(Clone)]
struct ServerState {
    port: u16,
    cores: Arc<Semaphore>,
}

impl Server {
    /// Binds loopback; port 0 takes one that is free.
    pub fn bind(port: u16) -> Result<Self, Failure> {
        let refuse = |why: std::io::Error| {
            Failure::System(format!(
                "cannot listen on 127.0.0.1:{port}: {why}; another lab may be running, choose another --port, or 0 for any"
            ))
        };
        let listener = std::net::TcpListener::bind((Ipv4Addr::LOCALHOST, port)).map_err(refuse)?;
        listener.set_nonblocking(true).map_err(refuse)?;
        let address = listener.local_addr().map_err(refuse)?;
        Ok(Self { listener, address })
    }

    /// The address to open.
    pub fn url(&self) -> String {
        format!("http://{}/", self.address)
    }

    /// Serves until the process ends.
    pub fn serve(self) -> Result<(), Failure> {
        let refuse = |why: std::io::Error| Failure::System(format!("the lab stopped: {why}"));
        let cores = std::thread::available_parallelism().map_or(1, usize::from);
        let runtime = tokio::runtime::Builder::new_multi_thread()
            .worker_threads(1)
            .max_blocking_threads(cores + 2)
            .enable_io()
            .enable_time()
            .build()
            .map_err(refuse)?;
        runtime.block_on(async {
            let listener = TcpListener::from_std(self.listener).map_err(refuse)?;
            let shared =
                ServerState { port: self.address.port(), cores: Arc::new(Semaphore::new(cores)) };
            let router = axum::Router::new().fallback(answer).with_state(shared);
            axum::serve(listener, router).await.map_err(refuse)
        })
    }
}

/// Answers any request.
async fn answer(State(shared): State<ServerState>, request: Request) -> Response<Body> {
    let (parts, body) = request.into_parts();
    let text = |name| header_text(&parts.headers, name);
    if let Err(why) = guard::admits(text(header::HOST), text(header::ORIGIN), shared.port) {
        return refuse(StatusCode::FORBIDDEN, &why);
    }
    let path = parts.uri.path();
    let Some(endpoint_path) = path.strip_prefix("/api/v1/") else {
        return match (page::find(path, shared.port), &parts.method) {
            (Some((kind, body)), &Method::GET | &Method::HEAD) => {
                respond(StatusCode::OK, kind, body)
            }
            (Some(_), _) => refuse(StatusCode::METHOD_NOT_ALLOWED, "pages are asked for with GET"),
            (None, _) => refuse(
                StatusCode::NOT_FOUND,
                &format!(
                    "there is nothing at {path}; the page is at / and the API is described at /api"
                ),
            ),
        };
    };
    let endpoint_path = endpoint_path.to_string();
    let Some((endpoint, word)) =
        endpoints::find(&endpoint_path).find(|(e, _)| parts.method == e.method)
    else {
        let methods: Vec<_> = endpoints::find(&endpoint_path).map(|(e, _)| e.method).collect();
        return match methods.is_empty() {
            true => {
                refuse(StatusCode::NOT_FOUND, &format!("no endpoint {path}; /api lists them all"))
            }
            false => refuse(
                StatusCode::METHOD_NOT_ALLOWED,
                &format!("{path} is asked for with {}; /api shows how", methods.join(" or ")),
            ),
        };
    };
    let Ok(body) = axum::body::to_bytes(body, MAX_REQUEST_BYTES).await else {
        let why = format!("the request is larger than {} MiB; send less", MAX_REQUEST_BYTES >> 20);
        return refuse(StatusCode::PAYLOAD_TOO_LARGE, &why);
    };
    let word = word.to_string();
    // axum drops this future when the client disconnects; dropping `_waiting` then stops the computation.
    let (stop, _waiting) = Stop::new();
    let Ok(permit) = tokio::time::timeout(MAX_WAIT, shared.cores.acquire_owned()).await else {
        let why = format!(
            "other requests have kept this machine busy for {} s, and nothing was computed for this one; ask again later",
            MAX_WAIT.as_secs()
        );
        return refuse(StatusCode::SERVICE_UNAVAILABLE, &why);
    };
    let work = tokio::task::spawn_blocking(move || {
        // Held until the computation ends, even if the client has disconnected.
        let _permit = permit;
        (endpoint.run)(&word, &body, &stop.begin())
    });
    match tokio::time::timeout(MAX_WAIT, work).await {
        Ok(Ok(Ok(Answer { kind, body }))) => respond(StatusCode::OK, kind, body),
        Ok(Ok(Err(Failure::Input(why)))) => refuse(StatusCode::BAD_REQUEST, &why),
        Ok(Ok(Err(Failure::Refused(error)))) => {
            let message = error.message();
            refuse_with(StatusCode::BAD_REQUEST, &message.to_string(), &message.advice())
        }
        Ok(Ok(Err(failure))) => refuse(StatusCode::INTERNAL_SERVER_ERROR, &failure.sentence()),
        Ok(Err(_)) => refuse(StatusCode::INTERNAL_SERVER_ERROR, "the computation broke off"),
        Err(_) => refuse(
            StatusCode::SERVICE_UNAVAILABLE,
            &format!(
                "computing this takes longer than {} s; ask for less at a time",
                MAX_WAIT.as_secs()
            ),
        ),
    }
}

fn header_text(headers: &HeaderMap, name: header::HeaderName) -> Option<&str> {
    // The guard refuses `?`, as it does any other host.
    headers.get(name).map(|value| value.to_str().unwrap_or("?"))
}

/// An error as JSON.
fn refuse(status: StatusCode, why: &str) -> Response<Body> {
    refuse_with(status, why, &[])
}

/// A refusal with advice as data.
fn refuse_with(status: StatusCode, why: &str, advice: &[WordedAction]) -> Response<Body> {
    let body = serde_json::json!({ "error": why, "advice": advice }).to_string() + "\n";
    respond(status, "application/json", body.into_bytes())
}

fn respond(status: StatusCode, kind: &'static str, body: Vec<u8>) -> Response<Body> {
    let built = Response::builder()
        .status(status)
        .header(header::CONTENT_TYPE, kind)
        .header(header::CACHE_CONTROL, "no-store")
        .header(header::X_CONTENT_TYPE_OPTIONS, "nosniff")
        .header(header::REFERRER_POLICY, "no-referrer")
        .header(header::CONTENT_SECURITY_POLICY, CONTENT_SECURITY_POLICY)
        .body(Body::from(body));
    // Cannot fail: all headers are valid constants.
    built.unwrap_or_default()
}

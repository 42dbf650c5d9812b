//! TLS between the processes of a cluster. Each has a certificate, and accepts those signed by the same authority.
//!
//! The servers of Ballista have no TLS. With it, they listen on the loopback, and a proxy in the same process terminates TLS.

use crate::cluster::CONNECT;
use ballista_core::utils::create_grpc_client_endpoint;
use datafusion::error::{DataFusionError, Result};
use std::error::Error;
use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock};
use std::time::Duration;
use tokio::io::copy_bidirectional;
use tokio::net::{TcpListener, TcpStream};
use tokio::time::{sleep, timeout};
use tokio_rustls::TlsAcceptor;
use tokio_rustls::rustls::crypto::ring::default_provider;
use tokio_rustls::rustls::pki_types::pem::PemObject;
use tokio_rustls::rustls::pki_types::{CertificateDer, PrivateKeyDer};
use tokio_rustls::rustls::server::WebPkiClientVerifier;
use tokio_rustls::rustls::{RootCertStore, ServerConfig};
use tonic::transport::{Certificate, ClientTlsConfig, Endpoint, Identity};

/// The files of a folder: the certificate of this process, its key, and the certificate of the authority.
const CERTIFICATE: &str = "cert.pem";
const KEY: &str = "key.pem";
const AUTHORITY: &str = "ca.pem";
/// The variable of the environment that names the folder.
const VARIABLE: &str = "TREVNI_TLS";
/// How long to wait before the next connection is taken, after one could not be.
const PAUSE: Duration = Duration::from_millis(100);

/// The configuration of all connections of this process.
static TLS: OnceLock<Tls> = OnceLock::new();

struct Tls {
    client: ClientTlsConfig,
    server: TlsAcceptor,
}

/// Turns on TLS for all connections between this process and the others of a cluster. The folder has `cert.pem`, the certificate of this
/// process for the name by which others reach it; `key.pem`, its private key; and `ca.pem`, the certificate of the authority that signs
/// those of all processes. If `folder` is `None`, the environment variable `TREVNI_TLS` gives it; if that is not set, TLS stays off.
///
/// # Errors
///
/// Files that are missing, damaged, or do not belong together.
pub fn use_folder(folder: Option<PathBuf>) -> Result<()> {
    let named = || std::env::var_os(VARIABLE).filter(|name| !name.is_empty()).map(PathBuf::from);
    let Some(folder) = folder.or_else(named) else { return Ok(()) };
    let tls = Tls::read(&folder).map_err(|error| {
        DataFusionError::Configuration(format!("TLS by the files of {}: {error}", folder.display()))
    })?;
    // A second call has the folder of the first one.
    let _ = TLS.set(tls);
    Ok(())
}

impl Tls {
    fn read(folder: &Path) -> Result<Self, Box<dyn Error + Send + Sync>> {
        let read = |name: &str| {
            let path = folder.join(name);
            std::fs::read(&path).map_err(|error| format!("{name}: {error}"))
        };
        let (certificate, key, authority) = (read(CERTIFICATE)?, read(KEY)?, read(AUTHORITY)?);
        let certificates = CertificateDer::pem_slice_iter(&certificate).collect::<Result<Vec<_>, _>>();
        let certificates = certificates.map_err(|error| format!("{CERTIFICATE}: {error}"))?;
        let private = PrivateKeyDer::from_pem_slice(&key).map_err(|error| format!("{KEY}: {error}"))?;
        let mut roots = RootCertStore::empty();
        for root in CertificateDer::pem_slice_iter(&authority) {
            roots.add(root.map_err(|error| format!("{AUTHORITY}: {error}"))?)?;
        }
        let provider = Arc::new(default_provider());
        let verifier =
            WebPkiClientVerifier::builder_with_provider(Arc::new(roots), Arc::clone(&provider)).build()?;
        let config = ServerConfig::builder_with_provider(provider).with_safe_default_protocol_versions()?;
        let mut config =
            config.with_client_cert_verifier(verifier).with_single_cert(certificates, private)?;
        config.alpn_protocols = vec![b"h2".to_vec(), b"http/1.1".to_vec()];
        let client = ClientTlsConfig::new()
            .ca_certificate(Certificate::from_pem(authority))
            .identity(Identity::from_pem(certificate, key));
        Ok(Self { client, server: TlsAcceptor::from(Arc::new(config)) })
    }
}

/// Whether connections use TLS.
pub(crate) fn is_on() -> bool {
    TLS.get().is_some()
}

/// An endpoint with TLS, if it is on.
pub(crate) fn secured(endpoint: Endpoint) -> Result<Endpoint, Box<dyn Error + Send + Sync>> {
    let Some(tls) = TLS.get() else { return Ok(endpoint) };
    // Ballista's own URLs say http.
    let authority = endpoint.uri().authority().ok_or("a URL without a host")?;
    let endpoint = create_grpc_client_endpoint(format!("https://{authority}"), None)?;
    Ok(endpoint.tls_config(tls.client.clone())?)
}

/// The address that a server listens on whose proxy listens on `outside`.
pub(crate) fn inside(outside: IpAddr) -> IpAddr {
    match outside == Ipv4Addr::LOCALHOST {
        true => Ipv4Addr::new(127, 0, 0, 2).into(),
        false => Ipv4Addr::LOCALHOST.into(),
    }
}

/// Accepts connections with TLS, and forwards their bytes to a server of this process. Never ends.
pub(crate) async fn proxy(listener: TcpListener, server: SocketAddr) {
    let Some(tls) = TLS.get() else { return };
    loop {
        let Ok((socket, client)) = listener.accept().await else {
            sleep(PAUSE).await;
            continue;
        };
        let _ = socket.set_nodelay(true);
        tokio::spawn(async move {
            let mut outside = match timeout(CONNECT, tls.server.accept(socket)).await {
                Ok(Ok(outside)) => outside,
                Ok(Err(error)) => return log::info!("refused a connection of {client}: {error}"),
                // Others look whether this process lives.
                Err(_) => return,
            };
            if let Ok(mut inside) = TcpStream::connect(server).await {
                let _ = inside.set_nodelay(true);
                let _ = copy_bidirectional(&mut outside, &mut inside).await;
            }
        });
    }
}

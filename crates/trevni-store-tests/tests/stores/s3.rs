//! A server of S3 over a folder.

use hyper::server::conn::http1::Builder;
use hyper_util::rt::TokioIo;
use s3s::auth::SimpleAuth;
use s3s::service::S3ServiceBuilder;
use std::path::{Path, PathBuf};
use std::process::Command;
use tokio::net::TcpListener;
use tokio::runtime::Runtime;

pub(crate) struct Bucket {
    pub(crate) address: String,
    pub(crate) folder: tempfile::TempDir,
    _runtime: Runtime,
}

impl Bucket {
    pub(crate) fn start() -> Self {
        let folder = tempfile::tempdir().unwrap();
        std::fs::create_dir(folder.path().join("bucket")).unwrap();
        let mut service = S3ServiceBuilder::new(s3s_fs::FileSystem::new(folder.path()).unwrap());
        service.set_auth(SimpleAuth::from_single("key", "the-secret"));
        let service = service.build();
        let runtime = Runtime::new().unwrap();
        let listener = runtime.block_on(TcpListener::bind("127.0.0.1:0")).unwrap();
        let address = format!("http://{}", listener.local_addr().unwrap());
        runtime.spawn(async move {
            while let Ok((socket, _)) = listener.accept().await {
                let service = service.clone();
                tokio::spawn(async move {
                    let _ = Builder::new().serve_connection(TokioIo::new(socket), service).await;
                });
            }
        });
        Self { address, folder, _runtime: runtime }
    }

    pub(crate) fn path(&self, key: &str) -> PathBuf {
        self.folder.path().join("bucket").join(key)
    }

    pub(crate) fn put(&self, key: &str, bytes: impl AsRef<[u8]>) {
        let path = self.path(key);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, bytes).unwrap();
    }

    /// The files of the bucket, and those that the server keeps of uploads, by name.
    pub(crate) fn files(&self) -> Vec<String> {
        let mut found = Vec::new();
        walk(self.folder.path(), &mut found);
        let name = |path: &PathBuf| path.strip_prefix(self.folder.path()).unwrap().display().to_string();
        let mut found: Vec<String> = found.iter().map(name).collect();
        found.sort();
        found
    }

    /// The command line with credentials of this bucket, in an empty folder.
    pub(crate) fn trevni(&self, folder: &Path, args: &[&str]) -> Command {
        let mut command = trevni(folder, args);
        command
            .env("AWS_ACCESS_KEY_ID", "key")
            .env("AWS_SECRET_ACCESS_KEY", "the-secret")
            .env("AWS_REGION", "us-east-1")
            .env("AWS_ENDPOINT_URL", &self.address);
        command
    }
}

/// The command line, without credentials.
pub(crate) fn trevni(folder: &Path, args: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_trevni-stores"));
    for (name, _) in std::env::vars_os() {
        let is_other = name.to_string_lossy().to_lowercase();
        if is_other.starts_with("aws_") || is_other.ends_with("_proxy") {
            command.env_remove(name);
        }
    }
    command.current_dir(folder).args(args);
    command
}

fn walk(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).unwrap().flatten() {
        let path = entry.path();
        if path.is_dir() { walk(&path, found) } else { found.push(path) }
    }
}

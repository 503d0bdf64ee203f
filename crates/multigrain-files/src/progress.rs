//! How a caller follows a long read.

/// Is told of bytes as they are read, from any thread.
pub trait Progress: Sync {
    /// So many more bytes are done.
    fn advance(&self, bytes: u64);
}

/// Nobody is told.
impl Progress for () {
    fn advance(&self, _bytes: u64) {}
}

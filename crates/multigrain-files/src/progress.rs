//! How a caller follows a long read.

/// Hears of bytes as they are read, from any thread.
pub trait Progress: Sync {
    /// This many more bytes are done.
    fn advance(&self, bytes: u64);

    /// Something about the file that its reader should know: what is wrong with it, though it can be read.
    fn note(&self, _text: &str) {}
}

/// Nobody hears of it.
impl Progress for () {
    fn advance(&self, _bytes: u64) {}
}

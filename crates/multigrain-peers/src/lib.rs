//! Benches beside other libraries. A crate of its own, so that tests need not compile those.

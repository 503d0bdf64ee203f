//! What went wrong, as a code and as text.

use std::cell::RefCell;
use std::ffi::{CString, c_char};
use std::panic::{AssertUnwindSafe, catch_unwind};

/// How a call ended.
#[repr(C)]
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum MgStatus {
    /// All is well.
    Ok = 0,
    /// A pointer that must not be null was.
    NullPointer = 1,
    /// Particles, box or settings that cannot be worked with.
    InvalidInput = 2,
    /// A mistake in the library. Please report it.
    Internal = 3,
    /// The caller's own question whether to stop was answered with yes.
    Stopped = 4,
}

thread_local! {
    static LAST_ERROR: RefCell<CString> = RefCell::new(CString::default());
}

/// What went wrong in the last call on this thread that failed, as text that is valid until the next one; never null.
#[unsafe(no_mangle)]
pub extern "C" fn mg_last_error() -> *const c_char {
    LAST_ERROR.with_borrow(|text| text.as_ptr())
}

/// A failure on its way out.
pub(crate) struct Failure {
    pub status: MgStatus,
    pub text: String,
}

impl Failure {
    pub fn null(what: &str) -> Self {
        Self { status: MgStatus::NullPointer, text: format!("{what} is a null pointer") }
    }

    pub fn invalid(text: impl ToString) -> Self {
        Self { status: MgStatus::InvalidInput, text: text.to_string() }
    }
}

impl From<multigrain::Error> for Failure {
    fn from(error: multigrain::Error) -> Self {
        match error {
            multigrain::Error::Stopped => Self { status: MgStatus::Stopped, text: error.to_string() },
            error => Self::invalid(error),
        }
    }
}

/// Does `work`, and keeps the text of what goes wrong.
pub(crate) fn guarded(work: impl FnOnce() -> Result<(), Failure>) -> MgStatus {
    let failure = match catch_unwind(AssertUnwindSafe(work)) {
        Ok(Ok(())) => return MgStatus::Ok,
        Ok(Err(failure)) => failure,
        Err(_) => {
            Failure { status: MgStatus::Internal, text: "the library made a mistake: please report it".to_owned() }
        }
    };
    let text = CString::new(failure.text.replace('\0', " ")).unwrap_or_default();
    LAST_ERROR.set(text);
    failure.status
}

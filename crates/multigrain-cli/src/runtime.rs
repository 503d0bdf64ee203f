//! What Rust's runtime does otherwise than users of a command expect: out of memory is an abort, and a standard output that was closed
//! swallows all that is written to it.

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;
#[cfg(all(target_os = "linux", target_env = "gnu"))]
use std::io::Write;
#[cfg(all(target_os = "linux", target_env = "gnu"))]
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

thread_local! {
    /// Whether memory is only asked for to see if it can be had.
    static ASKING: Cell<bool> = const { Cell::new(false) };
}

/// The system's allocator. Where it has nothing more to give, the program ends in one line.
pub struct EndingAllocator;

/// Whether so much memory can be had: asked for and given back untouched, so that limits on the process are found.
pub fn can_have(bytes: usize) -> bool {
    ASKING.set(true);
    let is_given = Vec::<u8>::new().try_reserve_exact(bytes).is_ok();
    ASKING.set(false);
    is_given
}

/// What the system gave. Where that is nothing, and nobody asked just to see, the program ends here: what would follow is an abort.
#[inline]
fn given(memory: *mut u8, bytes: usize) -> *mut u8 {
    if memory.is_null() && !ASKING.try_with(Cell::get).unwrap_or(false) {
        end_without_memory(bytes);
    }
    memory
}

#[cold]
#[cfg(all(target_os = "linux", target_env = "gnu"))]
fn end_without_memory(bytes: usize) {
    let mut text = [0u8; 200];
    let mut rest = &mut text[..];
    // Numbers are written without memory, and fit.
    let _ = writeln!(rest, "error: out of memory: {bytes} bytes more could not be had");
    let _ = writeln!(rest, "hint: take fewer particles, or a machine with more memory");
    let length = 200 - rest.len();
    // SAFETY: both take any numbers; the text is as long as it says. Nothing of this process is used after it: other threads may be
    // at work, and whatever they hold is never let go.
    #[allow(unsafe_code)]
    unsafe {
        libc::write(2, text.as_ptr().cast(), length);
        libc::_exit(crate::failure::FAILED.into());
    }
}

/// Elsewhere the abort is all there is.
#[cold]
#[cfg(not(all(target_os = "linux", target_env = "gnu")))]
fn end_without_memory(_bytes: usize) {}

// SAFETY: every call goes to the system's allocator with the same arguments and hands back its answer.
#[allow(unsafe_code)]
unsafe impl GlobalAlloc for EndingAllocator {
    // SAFETY: the contract of `alloc` is the system's, which the caller keeps.
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        // SAFETY: the caller's promise on `layout` is passed on unchanged.
        given(unsafe { System.alloc(layout) }, layout.size())
    }

    // SAFETY: the contract of `alloc_zeroed` is the system's, which the caller keeps.
    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        // SAFETY: the caller's promise on `layout` is passed on unchanged.
        given(unsafe { System.alloc_zeroed(layout) }, layout.size())
    }

    // SAFETY: the contract of `dealloc` is the system's, which the caller keeps.
    unsafe fn dealloc(&self, memory: *mut u8, layout: Layout) {
        // SAFETY: `memory` came from `System` with this `layout`, by the caller's promise.
        unsafe { System.dealloc(memory, layout) }
    }

    // SAFETY: the contract of `realloc` is the system's, which the caller keeps.
    unsafe fn realloc(&self, memory: *mut u8, layout: Layout, new_size: usize) -> *mut u8 {
        // SAFETY: `memory` came from `System` with this `layout`, by the caller's promise.
        given(unsafe { System.realloc(memory, layout, new_size) }, new_size)
    }
}

/// Whether standard output was closed when the program was started. Rust's runtime puts `/dev/null` in its place, so that all that is
/// written seems to go well; this looks before the runtime does.
#[cfg(all(target_os = "linux", target_env = "gnu"))]
static STDOUT_IS_CLOSED: AtomicBool = AtomicBool::new(false);

// SAFETY: the system calls what this section lists before `main`; the function asks for a flag of a descriptor and notes the answer.
#[cfg(all(target_os = "linux", target_env = "gnu"))]
#[allow(unsafe_code)]
#[unsafe(link_section = ".init_array")]
#[used]
static LOOK_AT_STDOUT: extern "C" fn() = {
    extern "C" fn look() {
        // SAFETY: asks for a flag, changes nothing.
        let is_closed = unsafe { libc::fcntl(1, libc::F_GETFD) } == -1;
        STDOUT_IS_CLOSED.store(is_closed, Relaxed);
    }
    look
};

/// Whether there is no standard output to write to.
pub fn stdout_is_closed() -> bool {
    #[cfg(all(target_os = "linux", target_env = "gnu"))]
    return STDOUT_IS_CLOSED.load(Relaxed);
    #[cfg(not(all(target_os = "linux", target_env = "gnu")))]
    return false;
}

#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    (multigrain_fuzz::target("surface").run)(bytes);
});

//! Files of a series for ParaView, as one.

use std::fmt::Write;

/// A `.pvd` file: the files of a series with their times.
pub fn collection(files: &[(f64, String)]) -> String {
    let mut text = "<?xml version=\"1.0\"?>\n<VTKFile type=\"Collection\" version=\"0.1\">\n<Collection>\n".to_owned();
    for (time, file) in files {
        let _ = writeln!(text, "<DataSet timestep=\"{time:?}\" file=\"{file}\"/>");
    }
    text.push_str("</Collection>\n</VTKFile>\n");
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_file_has_its_time() {
        let text = collection(&[(0.5, "a.vtp".to_owned()), (1.0, "b.vtp".to_owned())]);
        assert!(text.contains("<DataSet timestep=\"0.5\" file=\"a.vtp\"/>\n<DataSet timestep=\"1.0\""), "{text}");
    }
}

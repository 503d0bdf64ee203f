//! Files that are often at hand and that nothing here reads: what they are, and how they become what is read.

use crate::error::{Error, hinted};

/// What is read, for files that are nothing known.
pub const WHAT_IS_READ: &str = "input is .csv, .npy, .xyz, .dump, .lammpstrj, .vtp, .stl, .vtu or .h5; all but the last may have .gz or .zst behind it";

/// What a file begins with, what it is, and what to do.
const KINDS: [(&[u8], &str, &str); 12] = [
    (
        b"PK\x03\x04",
        "a ZIP archive, as of a spreadsheet or of numpy.savez",
        "save the sheet as CSV, or one array with numpy.save",
    ),
    (b"\xd0\xcf\x11\xe0", "a spreadsheet of the old kind", "save the sheet as CSV"),
    (b"\xff\xfe", "text in UTF-16", "save it as CSV in UTF-8"),
    (b"\xfe\xff", "text in UTF-16", "save it as CSV in UTF-8"),
    (b"\xfd7zXZ\0", "compressed by xz", "unpack it first, or compress it by gzip or zstd"),
    (b"BZh", "compressed by bzip2", "unpack it first, or compress it by gzip or zstd"),
    (b"%PDF", "a PDF document", WHAT_IS_READ),
    (b"\x89PNG", "a picture", WHAT_IS_READ),
    (b"PAR1", "a Parquet file", WHAT_IS_READ),
    (b"# vtk DataFile", "a VTK file of the old kind", "save it as XML: points as .vtp, cells as .vtu"),
    (b"ply\n", "a PLY mesh", "save it as .stl"),
    (b"ply\r\n", "a PLY mesh", "save it as .stl"),
];

/// An error for a file that is known for something else than particles.
pub fn recognized(file: &[u8], extension: &str) -> Option<Error> {
    if extension == "obj" {
        return Some(hinted(
            "meshes in OBJ files are walls of scenes and no particles",
            "save it as .stl for one particle per face",
        ));
    }
    let (_, what, hint) = KINDS.iter().find(|(start, ..)| file.starts_with(start))?;
    Some(hinted(format!("this is {what}"), *hint))
}

#[cfg(test)]
mod tests {
    use super::super::read_bytes;

    #[test]
    fn files_of_others_are_called_by_name() {
        for (extension, start, expected) in [
            ("npz", &b"PK\x03\x04rest"[..], "a ZIP archive"),
            ("csv", b"\xff\xfex\0,\0y\0", "UTF-16"),
            ("", b"%PDF-1.4", "PDF"),
            ("vtk", b"# vtk DataFile Version 3.0\nx\nASCII\n", "old kind"),
            ("obj", b"v 0 0 0\n", "walls of scenes"),
            ("xz", b"\xfd7zXZ\0\0", "xz"),
        ] {
            let error = read_bytes(extension, start.to_vec()).unwrap_err();
            assert!(error.to_string().contains(expected), "{error}");
            assert!(error.hint().is_some());
        }
        let error = read_bytes("csv", b"\0x\0,\0y\0,\0r\0\n".to_vec()).unwrap_err();
        assert_eq!(error.to_string(), "line 1: the header is not text in UTF-8");
        let error = read_bytes("csv", b"x,y,r\r1,2,3\r".to_vec()).unwrap_err();
        assert_eq!(error.to_string(), "line 1: the lines end with carriage returns alone");
        let error = read_bytes("csv", b"x,y,r\n1,5,2,5,0,5\n".to_vec()).unwrap_err();
        assert_eq!(error.hint(), Some("if numbers have decimal commas, write decimal points, such as 1.5"));
        let collection = b"<?xml version=\"1.0\"?><VTKFile type=\"Collection\"><Collection></Collection></VTKFile>";
        let error = read_bytes("pvd", collection.to_vec()).unwrap_err();
        assert!(error.hint().unwrap().contains("one of the files"), "{error}");
        let empty = read_bytes("vtp", b"<VTKFile type=\"PolyData\"></VTKFile>".to_vec()).unwrap_err();
        assert_eq!(empty.to_string(), "line 1, <VTKFile>: there is no <PolyData> in it");
        let cut = read_bytes("npy", b"\x93NUMPY\x01\0\x70\0{".to_vec()).unwrap_err();
        assert_eq!(format!("{cut:#}"), "the file is cut short in its header");
    }
}

//! Pages that must not be larger than this many bytes.

use super::Page;
use super::html::PROGRAM;
use crate::error::{Result, hinted};

/// The smallest size that may be asked for.
const MIN_SIZE: u64 = 100_000;

/// Frames that a film is not made shorter than.
const MIN_FRAMES: usize = 20;

/// How often a page is made again before the smallest one is taken.
const MAX_ROUNDS: usize = 12;

/// A page that was thinned.
pub struct Thinned {
    /// The page.
    pub html: String,
    /// What was left out.
    pub notes: Vec<String>,
}

impl Page {
    /// The page in at most `max_size` bytes, as far as that goes: first contacts are left out, then frames, then grains.
    /// What was left out is noted on the page.
    pub fn html_within(mut self, max_size: Option<u64>) -> Result<Thinned> {
        let all = self.frames.first().map_or(0, super::PageFrame::len);
        let all_frames = self.frames.len();
        let own_notes = self.notes.clone();
        let (mut left_out, mut share) = (false, 1.0f64);
        if let Some(max_size) = max_size.filter(|&max_size| max_size < MIN_SIZE) {
            let message = format!("a page of {max_size} bytes is too small: its program alone takes {PROGRAM}");
            return Err(hinted(message, format!("allow {MIN_SIZE} bytes at least, better some megabytes")));
        }
        let mut html = self.html()?;
        for _ in 0..MAX_ROUNDS {
            let Some(max_size) = max_size.filter(|&max_size| html.len() as u64 > max_size) else { break };
            // Only what is beside the program can be made smaller.
            let excess = (html.len() - PROGRAM) as f64 / (max_size as f64 - PROGRAM as f64);
            if self.frames.iter().any(|frame| frame.contacts.as_ref().is_some_and(|contacts| !contacts.is_empty())) {
                self.frames.iter_mut().for_each(|frame| frame.contacts = None);
                left_out = true;
            } else if self.frames.len() > MIN_FRAMES {
                let keep = ((self.frames.len() as f64 / (1.05 * excess)) as usize).max(MIN_FRAMES);
                self.keep_frames(keep);
            } else if self.frames.iter().all(|frame| frame.len() <= 1) {
                break;
            } else {
                let kept = (1.0 / (1.05 * excess)).min(0.95);
                share *= kept;
                self.keep_grains(share);
            }
            self.notes = own_notes.clone();
            if left_out {
                self.notes.push("Contacts are left out to keep the page small (--max-size).".to_owned());
            }
            if self.frames.len() < all_frames {
                self.notes.push(format!(
                    "{} of {all_frames} frames are shown to keep the page small (--max-size).",
                    self.frames.len()
                ));
            }
            let now = self.frames.first().map_or(0, super::PageFrame::len);
            if share < 1.0 {
                self.notes.push(format!(
                    "{now} of {all} grains are shown, chosen at random, to keep the page small (--max-size)."
                ));
            }
            html = self.html()?;
        }
        let notes = self.notes[own_notes.len()..].to_vec();
        Ok(Thinned { html, notes })
    }

    /// Keeps this many frames, evenly, the first and the last among them.
    fn keep_frames(&mut self, count: usize) {
        let last = self.frames.len() - 1;
        let mut kept: Vec<usize> = (0..count).map(|k| k * last / (count - 1).max(1)).collect();
        kept.dedup();
        let mut number = 0;
        self.frames.retain(|_| {
            number += 1;
            kept.binary_search(&(number - 1)).is_ok()
        });
    }

    /// Keeps a share of the grains: in all frames those with the same numbers. What was kept with a smaller share is kept with a larger one.
    fn keep_grains(&mut self, share: f64) {
        let limit = (share * f64::from(u32::MAX)) as u32;
        for frame in &mut self.frames {
            let ids = frame.ids.clone();
            frame.retain(|k| scattered(ids.as_ref().map_or(k as u32, |ids| ids[k])) <= limit);
        }
    }
}

/// A number as if drawn at random, always the same for the same number.
fn scattered(number: u32) -> u32 {
    let mut x = number.wrapping_add(0x9e37_79b9);
    x = (x ^ (x >> 16)).wrapping_mul(0x85eb_ca6b);
    x = (x ^ (x >> 13)).wrapping_mul(0xc2b2_ae35);
    x ^ (x >> 16)
}

#[cfg(test)]
mod tests {
    use super::super::{PageContact, PageFrame};
    use super::*;

    fn page(grains: usize, frames: usize) -> Page {
        let frame = |time: usize| {
            let place = |k: usize| f64::from(scattered((k * 7 + time * 1013) as u32));
            PageFrame {
                dimension: 3,
                centers: (0..grains).map(|k| [place(3 * k), place(3 * k + 1), place(3 * k + 2)]).collect(),
                radii: vec![1e6; grains],
                contacts: Some(vec![PageContact { pair: [0, 1], shift: [0; 3], value: 1.0 }]),
                ..PageFrame::default()
            }
        };
        Page::new("many", (0..frames).map(frame).collect())
    }

    #[test]
    fn pages_are_as_small_as_asked_for_and_say_so() {
        let whole = page(20_000, 1).html().unwrap().len() as u64;
        let same = page(20_000, 1).html_within(Some(whole)).unwrap();
        assert!(same.notes.is_empty() && same.html.len() as u64 == whole);
        let thinned = page(20_000, 1).html_within(Some(whole / 2)).unwrap();
        assert!(thinned.html.len() as u64 <= whole / 2);
        assert_eq!(thinned.notes.len(), 2);
        assert!(thinned.notes[1].contains(" of 20000 grains are shown"), "{:?}", thinned.notes);
        assert!(thinned.html.contains(&thinned.notes[1]));
    }

    #[test]
    fn pages_smaller_than_their_program_are_refused() {
        let error = page(10, 1).html_within(Some(10_000)).err().unwrap().to_string();
        assert!(error.starts_with("a page of 10000 bytes is too small"), "{error}");
        let smallest = page(20_000, 3).html_within(Some(MIN_SIZE)).unwrap().html.len();
        assert!((PROGRAM..=MIN_SIZE as usize).contains(&smallest), "{smallest}");
    }

    #[test]
    fn films_lose_frames_first_and_keep_first_and_last() {
        let mut film = page(300, 200);
        film.frames.iter_mut().zip(0..).for_each(|(frame, k)| frame.step = Some(k));
        let whole = film.html().unwrap().len() as u64;
        let thinned = film.clone().html_within(Some(whole / 2)).unwrap();
        assert!(thinned.html.len() as u64 <= whole / 2);
        assert!(thinned.notes.iter().any(|note| note.contains("of 200 frames")), "{:?}", thinned.notes);
        film.keep_frames(20);
        let steps: Vec<u64> = film.frames.iter().filter_map(|frame| frame.step).collect();
        assert_eq!((steps.len(), steps[0], steps[19]), (20, 0, 199));
    }
}

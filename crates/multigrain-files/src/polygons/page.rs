//! A film of polygons: one page that needs nothing else.

use super::{Drawn, View};
use std::fmt::Write;

/// Frames of a simulation, collected for a page that plays them. Shapes are stored once, places for every frame. Bodies must
/// be the same, in the same order, in all frames.
#[derive(Debug, Clone)]
pub struct Film {
    title: String,
    view: View,
    shapes: String,
    times: Vec<String>,
    frames: Vec<String>,
}

impl Film {
    /// A film without frames.
    pub fn new(title: &str, view: View) -> Self {
        Self { title: title.to_owned(), view, shapes: String::new(), times: Vec::new(), frames: Vec::new() }
    }

    /// Adds a frame.
    pub fn frame(&mut self, time: f64, drawn: &[Drawn<'_>]) {
        // About a tenth of a pixel.
        let digits = (1.0 + self.view.scale().log10()).ceil().clamp(0.0, 17.0) as usize;
        if self.frames.is_empty() {
            let shapes = drawn.iter().map(|drawn| {
                let corners = drawn.body.polygon().corners().iter();
                let corners: Vec<String> = corners.map(|[x, y]| format!("{x:.digits$},{y:.digits$}")).collect();
                format!("[{}]", corners.join(","))
            });
            self.shapes = shapes.collect::<Vec<_>>().join(",\n");
        }
        let places = drawn.iter().map(|drawn| {
            let (frame, [x, y]) = (drawn.body.frame(), drawn.body.frame().position());
            // Colors change from frame to frame where they tell speeds.
            let [red, green, blue] = drawn.color.map(u32::from);
            format!("{x:.digits$},{y:.digits$},{:.3},{}", frame.angle(), red << 16 | green << 8 | blue)
        });
        self.frames.push(format!("[{}]", places.collect::<Vec<_>>().join(",")));
        self.times.push(format!("{time:?}"));
    }

    /// Whether it has no frames.
    pub fn is_empty(&self) -> bool {
        self.frames.is_empty()
    }

    /// Takes the frames of a page of this film whose times are to be kept, in place of its own; none if it is no such page.
    pub fn read_back(&mut self, page: &str, keep: impl Fn(f64) -> bool) {
        (self.times, self.frames) = (Vec::new(), Vec::new());
        let Some([shapes, times, frames]) = lists_of(page) else { return };
        let (times, frames): (Vec<&str>, Vec<&str>) = (times.split(',').collect(), frames.split(",\n").collect());
        if times.len() != frames.len() {
            return;
        }
        for (time, frame) in times.into_iter().zip(frames) {
            if time.parse().is_ok_and(&keep) {
                self.times.push(time.to_owned());
                self.frames.push(frame.to_owned());
            }
        }
        self.shapes = shapes.to_owned();
    }

    /// The page.
    pub fn page(&self) -> String {
        let (View { lo, hi, .. }, [width, height]) = (self.view, self.view.size());
        let title = &self.title;
        let mut page = format!(
            "<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><title>{title}</title>\n<style>{STYLE}</style></head>\n\
             <body><h1>{title}</h1><canvas id=\"c\" width=\"{width}\" height=\"{height}\"></canvas>\n\
             <p><button id=\"play\">pause</button> <input id=\"at\" type=\"range\" min=\"0\" max=\"{last}\" value=\"0\"> \
             <span id=\"time\"></span></p>\n<script>\n",
            last = self.frames.len().saturating_sub(1),
        );
        let _ = writeln!(page, "const lo=[{:?},{:?}],hi=[{:?},{:?}];", lo[0], lo[1], hi[0], hi[1]);
        let _ = writeln!(page, "const shapes=[\n{}];", self.shapes);
        let _ = writeln!(page, "const times=[{}];", self.times.join(","));
        let _ = writeln!(page, "const frames=[\n{}];", self.frames.join(",\n"));
        page.push_str(SCRIPT);
        page.push_str("</script></body></html>\n");
        page
    }
}

/// What stands in the lists of a page: shapes, times, frames.
fn lists_of(page: &str) -> Option<[&str; 3]> {
    let (_, rest) = page.split_once("\nconst shapes=[\n")?;
    let (shapes, rest) = rest.split_once("];\nconst times=[")?;
    let (times, rest) = rest.split_once("];\nconst frames=[\n")?;
    let (frames, _) = rest.split_once("];\n")?;
    Some([shapes, times, frames])
}

const STYLE: &str = "body{font:14px sans-serif;margin:1em}canvas{border:1px solid #ccc;max-width:100%}input{width:60%}";

const SCRIPT: &str = "\
const canvas=document.getElementById('c'),g=canvas.getContext('2d'),at=document.getElementById('at');
const scale=Math.max(canvas.width,canvas.height)/Math.max(hi[0]-lo[0],hi[1]-lo[1]);
let playing=true;
function draw(k){
  g.setTransform(1,0,0,1,0,0);g.clearRect(0,0,canvas.width,canvas.height);
  const frame=frames[k];
  shapes.forEach((shape,n)=>{
    const c=Math.cos(frame[4*n+2]),s=Math.sin(frame[4*n+2]);
    g.beginPath();
    for(let m=0;m<shape.length;m+=2){
      const x=frame[4*n]+c*shape[m]-s*shape[m+1],y=frame[4*n+1]+s*shape[m]+c*shape[m+1];
      g.lineTo((x-lo[0])*scale,(hi[1]-y)*scale);
    }
    g.closePath();g.fillStyle='#'+frame[4*n+3].toString(16).padStart(6,'0');g.fill();g.strokeStyle='#222';g.lineWidth=0.5;g.stroke();
  });
  document.getElementById('time').textContent='time '+times[k].toPrecision(4);
}
const button=document.getElementById('play');
function play(on){playing=on;button.textContent=on?'pause':'play';}
at.oninput=()=>{play(false);draw(+at.value);};
button.onclick=()=>play(!playing);
setInterval(()=>{if(playing){at.value=(+at.value+1)%frames.length;draw(+at.value);}},40);
draw(0);
";

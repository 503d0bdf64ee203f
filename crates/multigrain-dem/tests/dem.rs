//! All tests of whole simulations, in one program: each program compiles the simulator again. A file of this folder belongs
//! into this list.

mod boxes;
mod change;
mod chung_ooi;
mod clumps;
mod conservation;
mod energy;
mod everything;
mod flows;
mod golden;
mod guests;
mod impact;
mod laws;
mod mixture;
mod motion;
mod order;
mod pipeline;
mod polygons;
mod safety;
mod same_bits;
mod size_ratio;
mod walls;

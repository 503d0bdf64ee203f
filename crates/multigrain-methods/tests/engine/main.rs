//! Every method against brute force: agreement on random systems, hostile input, laws, counted work.
//!
//! All suites iterate `Method::ALL`, so a new method is covered by its line in the registry.

mod agreement;
mod check;
mod hgrid_work;
mod hostile;
mod laws;
mod layout;
mod oracle;
mod reach_of_methods;
mod scene;
mod sets;
mod settings;
mod sheared;
mod strays;
mod threads;
mod variants;
mod warm;
mod with_skin;
mod work;

//! What is written down while a scene runs.

use super::store::{Checkpoint, Store};
use crate::failure::Failure;
use crate::output::csv;
use carom_world::{Ended, Observer, Piece, Scene, State, Touch, World};
use std::fmt::Write;

const TRAJECTORY: &str = "time_s,body,x_m,y_m,z_m,qw,qx,qy,qz,vx_m_per_s,vy_m_per_s,vz_m_per_s,wx_rad_per_s,wy_rad_per_s,wz_rad_per_s";
const CONTACTS: &str = "time_s,contact,place,indentation_m,rate_m_per_s,force_N,friction_N,x_m,y_m,z_m,nx,ny,nz,fx_N,fy_N,fz_N";
const ENERGIES: &str = "time_s,kinetic_J,potential_J,stored_J,lost_in_contacts_J,lost_to_friction_J,lost_in_dampers_J,work_of_forces_J,work_of_drives_J,error_J";
const EVENTS: &str = "time_s,event,contact,place,speed_m_per_s,begun_s,indentation_max_m,force_max_N,lost_J,friction_J";

/// Rows that wait to be written.
pub struct Recorder {
    interval: f64,
    duration: f64,
    /// Samples taken.
    pub samples: u64,
    /// Largest kinetic and stored energy seen (J).
    pub largest: f64,
    notes: Vec<(String, String)>,
    trajectory: String,
    contacts: String,
    energies: String,
    events: String,
}

impl Recorder {
    /// For a new run.
    pub fn new(scene: &Scene) -> Self {
        Self {
            interval: scene.sample,
            duration: scene.duration,
            samples: 0,
            largest: 0.0,
            notes: Vec::new(),
            trajectory: String::new(),
            contacts: String::new(),
            energies: String::new(),
            events: String::new(),
        }
    }

    /// For a run that goes on.
    pub fn resume(scene: &Scene, checkpoint: &Checkpoint) -> Self {
        Self {
            samples: checkpoint.samples,
            largest: f64::from_bits(checkpoint.largest),
            notes: checkpoint.notes.clone(),
            ..Self::new(scene)
        }
    }

    /// Notes of before and of now, each once: kind and sentence.
    pub fn all_notes(&self, state: &State) -> Vec<(String, String)> {
        let mut notes = self.notes.clone();
        for note in state.notes() {
            let entry = (note.kind().to_string(), note.to_string());
            if !notes.contains(&entry) {
                notes.push(entry);
            }
        }
        notes
    }

    /// Writes what waits.
    pub fn flush(&mut self, store: &mut Store) -> Result<(), Failure> {
        for (name, header, rows) in [
            ("trajectory", TRAJECTORY, &mut self.trajectory),
            ("contacts", CONTACTS, &mut self.contacts),
            ("energies", ENERGIES, &mut self.energies),
            ("events", EVENTS, &mut self.events),
        ] {
            store.append(name, header, rows)?;
            rows.clear();
        }
        Ok(())
    }
}

/// A name as a cell.
fn cell(name: &str) -> String {
    csv::line([name]).trim_end().to_string()
}

impl Observer for Recorder {
    fn next(&self) -> f64 {
        let next = self.samples as f64 * self.interval;
        // The end is always sampled, also where the interval does not divide the duration.
        let last = ((self.samples.max(1) - 1) as f64) * self.interval;
        match next > self.duration && last < self.duration * (1.0 - 1e-12) {
            true => self.duration,
            false => next,
        }
    }

    fn sample(&mut self, piece: &Piece) {
        self.samples += 1;
        let (t, world) = (piece.time, piece.world);
        for (index, body) in world.bodies().iter().enumerate() {
            let Some(pose) = piece.body(index) else { continue };
            let (x, q, v, w) = (pose.position, pose.rotation, pose.velocity, pose.spin);
            // Writing to a text cannot fail.
            let _ = writeln!(
                self.trajectory,
                "{t},{},{},{},{},{},{},{},{},{},{},{},{},{},{}",
                cell(&body.name),
                x.x,
                x.y,
                x.z,
                q.w,
                q.v.x,
                q.v.y,
                q.v.z,
                v.x,
                v.y,
                v.z,
                w.x,
                w.y,
                w.z
            );
        }
        for f in piece.forces() {
            let (p, n, s) = (f.point, f.normal, f.normal * f.force + f.friction);
            let _ = writeln!(
                self.contacts,
                "{t},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{}",
                cell(&world.contacts()[f.contact].name),
                f.place,
                f.indentation,
                f.rate,
                f.force,
                f.friction.length(),
                p.x,
                p.y,
                p.z,
                n.x,
                n.y,
                n.z,
                s.x,
                s.y,
                s.z
            );
        }
        let e = piece.state().energies(world);
        self.largest = self.largest.max(e.kinetic + e.stored);
        let _ = writeln!(
            self.energies,
            "{t},{},{},{},{},{},{},{},{},{}",
            e.kinetic,
            e.potential,
            e.stored,
            e.lost_in_contacts,
            e.lost_to_friction,
            e.lost_in_dampers,
            e.work_of_forces,
            e.work_of_drives,
            e.error
        );
    }

    fn began(&mut self, world: &World, time: f64, touch: &Touch) {
        let (contact, place) = touch.site(world);
        let name = cell(&world.contacts()[contact].name);
        let _ = writeln!(self.events, "{time},touch,{name},{place},{},,,,,", touch.speed);
    }

    fn ended(&mut self, world: &World, ended: &Ended) {
        let name = cell(&world.contacts()[ended.contact].name);
        let _ = writeln!(
            self.events,
            "{},part,{name},{},{},{},{},{},{},{}",
            ended.ended,
            ended.place,
            ended.rebound,
            ended.begun,
            ended.indentation_max,
            ended.force_max,
            ended.lost,
            ended.friction
        );
    }
}

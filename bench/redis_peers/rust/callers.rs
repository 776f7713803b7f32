// What the programs of this folder share: the work, its clock and its processor time. See ../README.md.

use std::time::Instant;

pub const KEYS: usize = 10_000;

pub struct Work {
    pub address: String,
    pub callers: usize,
    pub operations: usize,
    pub keys: Vec<String>,
}

impl Work {
    // PROGRAM HOST PORT CALLERS OPERATIONS
    pub fn from_arguments() -> Work {
        let words: Vec<String> = std::env::args().collect();
        let callers: usize = words[3].parse().unwrap();
        let operations: usize = words[4].parse().unwrap();
        Work {
            address: format!("redis://{}:{}/", words[1], words[2]),
            callers,
            operations: operations / callers * callers,
            keys: (0..KEYS).map(|i| format!("key:{i:012}")).collect(),
        }
    }

    pub fn each(&self) -> usize {
        self.operations / self.callers
    }

    pub fn key(&self, caller: usize, turn: usize) -> &str {
        &self.keys[(turn * self.callers + caller) % KEYS]
    }
}

pub struct Watch {
    began: Instant,
    used: f64,
}

impl Watch {
    pub fn start() -> Watch {
        Watch {
            began: Instant::now(),
            used: processor_seconds(),
        }
    }

    pub fn print(&self, operations: usize) {
        println!(
            r#"{{"operations": {}, "seconds": {:.6}, "cpu_seconds": {:.6}}}"#,
            operations,
            self.began.elapsed().as_secs_f64(),
            processor_seconds() - self.used
        );
    }
}

// Of all threads of this process.
fn processor_seconds() -> f64 {
    let mut usage: libc::rusage = unsafe { std::mem::zeroed() };
    unsafe { libc::getrusage(libc::RUSAGE_SELF, &mut usage) };
    let seconds = |time: libc::timeval| time.tv_sec as f64 + time.tv_usec as f64 / 1e6;
    seconds(usage.ru_utime) + seconds(usage.ru_stime)
}

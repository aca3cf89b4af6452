// SPDX-License-Identifier: BSL-1.0
//
// The rows of the benchmarks, with the standard library of Rust.
//
//   peer_rust move FROM TO               standard input to standard output; FROM, TO: file, pipe, tcp, unix
//   peer_rust zero_to_null buf_reader | limit_of_buf_reader | into_buf_writer
//   peer_rust small_file BYTES FOLDER
//   peer_rust memory_to_writer
//
// Writes "<nanoseconds> <nanoseconds of cpu> <bytes>" to descriptor 3: of the whole move, or of one turn of a loop.
use std::fs::{File, OpenOptions};
use std::hint::black_box;
use std::io::{self, BufReader, BufWriter, Read, Seek, Write};
use std::net::TcpStream;
use std::os::fd::FromRawFd;
use std::os::unix::net::UnixStream;
use std::time::{Duration, Instant};

extern "C" {
    // struct rusage of 64-bit Linux: two timevals, then fourteen longs.
    fn getrusage(who: i32, usage: *mut [i64; 18]) -> i32;
}

fn cpu() -> Duration {
    let mut usage = [0i64; 18];
    assert!(unsafe { getrusage(0, &mut usage) } == 0);
    Duration::from_micros(((usage[0] + usage[2]) * 1_000_000 + usage[1] + usage[3]) as u64)
}

fn report(wall: u128, cpu: u128, bytes: u64) {
    let mut out = unsafe { File::from_raw_fd(3) };
    writeln!(out, "{wall} {cpu} {bytes}").unwrap();
}

fn move_once(from: &str, to: &str) {
    macro_rules! to_kind {
        ($from:expr) => {
            match to {
                "tcp" => io::copy($from, unsafe { &mut TcpStream::from_raw_fd(1) }),
                "unix" => io::copy($from, unsafe { &mut UnixStream::from_raw_fd(1) }),
                _ => io::copy($from, unsafe { &mut File::from_raw_fd(1) }),
            }
        };
    }
    let cpu_start = cpu();
    let start = Instant::now();
    let bytes = match from {
        "tcp" => to_kind!(unsafe { &mut TcpStream::from_raw_fd(0) }),
        "unix" => to_kind!(unsafe { &mut UnixStream::from_raw_fd(0) }),
        _ => to_kind!(unsafe { &mut File::from_raw_fd(0) }),
    }
    .unwrap();
    report(start.elapsed().as_nanos(), (cpu() - cpu_start).as_nanos(), bytes);
}

// Warms up, then repeats for long enough; reports one turn.
fn repeat<F: FnMut() -> u64>(mut turn: F) {
    let mut bytes = 0;
    let warm = Instant::now();
    let mut turns: u64 = 0;
    while warm.elapsed() < Duration::from_millis(20) {
        for _ in 0..16 {
            bytes = turn();
        }
        turns += 16;
    }
    turns *= 3;
    let start = Instant::now();
    for _ in 0..turns {
        bytes = turn();
    }
    let each = start.elapsed().as_nanos() as f64 / turns as f64;
    let mut out = unsafe { File::from_raw_fd(3) };
    writeln!(out, "{each:.3} 0 {bytes}").unwrap();
}

const MIB: u64 = 1 << 20;
const BUFFER: usize = 256 << 10;

fn zero_to_null(way: &str) {
    let zero = File::open("/dev/zero").unwrap();
    let mut null = OpenOptions::new().write(true).open("/dev/null").unwrap();
    match way {
        "buf_reader" => repeat(|| io::copy(&mut BufReader::with_capacity(BUFFER, (&zero).take(MIB)), &mut null).unwrap()),
        "limit_of_buf_reader" => {
            let mut source = BufReader::with_capacity(BUFFER, &zero);
            repeat(|| io::copy(&mut (&mut source).take(MIB), &mut null).unwrap())
        }
        _ => {
            let mut destination = BufWriter::with_capacity(BUFFER, null);
            repeat(|| {
                let n = io::copy(&mut (&zero).take(MIB), &mut destination).unwrap();
                destination.flush().unwrap();
                n
            })
        }
    }
}

fn small_file(size: usize, folder: &str) {
    let (from, to) = (format!("{folder}/rust-from"), format!("{folder}/rust-to"));
    std::fs::write(&from, vec![b'x'; size]).unwrap();
    let mut source = File::open(&from).unwrap();
    let mut destination = File::create(&to).unwrap();
    repeat(|| {
        source.rewind().unwrap();
        destination.rewind().unwrap();
        io::copy(&mut source, &mut destination).unwrap()
    });
    std::fs::remove_file(from).unwrap();
    std::fs::remove_file(to).unwrap();
}

fn memory_to_writer() {
    let source = [0u8; 16];
    let mut target = [0u8; 64];
    repeat(|| {
        let mut from = black_box(&source[..]);
        let mut to = &mut target[..];
        let copied = black_box(io::copy(&mut from, &mut to).unwrap());
        black_box(&mut target);
        copied
    });
}

fn main() {
    let arguments: Vec<String> = std::env::args().collect();
    match arguments[1].as_str() {
        "move" => move_once(&arguments[2], &arguments[3]),
        "zero_to_null" => zero_to_null(&arguments[2]),
        "small_file" => small_file(arguments[2].parse().unwrap(), &arguments[3]),
        _ => memory_to_writer(),
    }
}

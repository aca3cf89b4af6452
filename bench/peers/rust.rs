// SPDX-License-Identifier: BSL-1.0
//
// The rows of the benchmarks, with the standard library of Rust.
//
//   peer_rust move FROM TO               standard input to standard output; FROM, TO: file, pipe, tcp, unix
//   peer_rust zero_to_null buf_reader | limit_of_buf_reader | into_buf_writer
//   peer_rust small_file BYTES FOLDER
//   peer_rust memory_to_room BYTES | memory_to_fresh BYTES
//   peer_rust small_writes BYTES known|unknown | small_reads BYTES known|unknown
//   peer_rust read_all file BYTES FOLDER | read_all pipe BYTES
//   peer_rust skip file BYTES FOLDER | skip pipe BYTES | skip tcp BYTES
//   peer_rust lines AVERAGE FOLDER
//
// Writes "<nanoseconds> <nanoseconds of cpu> <bytes>" to descriptor 3: of the whole move, or of one turn of a loop.
use std::fs::{File, OpenOptions};
use std::hint::black_box;
use std::io::{self, BufRead, BufReader, BufWriter, Read, Seek, SeekFrom, Write};
use std::net::{TcpListener, TcpStream};
use std::os::fd::{AsRawFd, FromRawFd};
use std::os::unix::net::UnixStream;
use std::thread;
use std::time::{Duration, Instant};

extern "C" {
    // struct rusage of 64-bit Linux: two timevals, then fourteen longs.
    fn getrusage(who: i32, usage: *mut [i64; 18]) -> i32;
    fn fcntl(fd: i32, command: i32, argument: i32) -> i32;
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

// Warms up, then repeats for long enough; reports one of the operations of which a turn has so many.
fn repeat_many<F: FnMut() -> u64>(operations: u64, mut turn: F) {
    let mut bytes = 0;
    // Where calls and allocations are counted, not time.
    if let Ok(turns) = std::env::var("SLUICE_BENCH_TURNS") {
        for _ in 0..turns.parse().unwrap() {
            bytes = turn();
        }
        let mut out = unsafe { File::from_raw_fd(3) };
        writeln!(out, "0 0 {bytes}").unwrap();
        return;
    }
    let warm = Instant::now();
    let mut turns: u64 = 0;
    while warm.elapsed() < Duration::from_millis(20) {
        bytes = turn();
        turns += 1;
    }
    turns *= 3;
    let start = Instant::now();
    for _ in 0..turns {
        bytes = turn();
    }
    let each = start.elapsed().as_nanos() as f64 / (turns * operations) as f64;
    let mut out = unsafe { File::from_raw_fd(3) };
    writeln!(out, "{each:.3} 0 {bytes}").unwrap();
}

fn repeat<F: FnMut() -> u64>(turn: F) {
    repeat_many(1, turn)
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

fn memory_to_room(size: usize) {
    let source = vec![b'x'; size];
    let mut target = vec![0u8; size];
    repeat(|| {
        let mut from = black_box(&source[..]);
        let mut to = &mut target[..];
        let copied = black_box(io::copy(&mut from, &mut to).unwrap());
        black_box(&mut target);
        copied
    });
}

fn memory_to_fresh(size: usize) {
    let source = vec![b'x'; size];
    repeat(|| {
        let mut from = black_box(&source[..]);
        let mut to = Vec::new();
        io::copy(&mut from, &mut to).unwrap();
        black_box(to).len() as u64
    });
}

const SMALL_BUFFER: usize = 64 << 10;
const BATCH: u64 = 16384;

fn small_writes<const N: usize>(known: bool) {
    let null = OpenOptions::new().write(true).open("/dev/null").unwrap();
    let mut to = BufWriter::with_capacity(SMALL_BUFFER, null);
    let text = black_box([b'x'; N]);
    repeat_many(BATCH, || {
        for _ in 0..BATCH {
            if known {
                to.write_all(&text).unwrap();
            } else {
                to.write_all(&text[..black_box(N)]).unwrap();
            }
        }
        N as u64
    });
}

fn small_reads<const N: usize>(known: bool) {
    let mut from = BufReader::with_capacity(SMALL_BUFFER, File::open("/dev/zero").unwrap());
    let mut room = [0u8; N];
    repeat_many(BATCH, || {
        for _ in 0..BATCH {
            if known {
                from.read_exact(&mut room).unwrap();
            } else {
                from.read_exact(&mut room[..black_box(N)]).unwrap();
            }
            black_box(&mut room);
        }
        N as u64
    });
}

macro_rules! of_size {
    ($what:ident, $size:expr, $known:expr) => {
        match $size {
            1 => $what::<1>($known),
            8 => $what::<8>($known),
            _ => $what::<64>($known),
        }
    };
}

// Writes so many bytes in pieces, from a thread of its own.
fn feed<W: Write + Send + 'static>(mut to: W, mut bytes: u64, piece: usize) -> thread::JoinHandle<()> {
    thread::spawn(move || {
        let text = vec![b'x'; piece];
        while bytes != 0 {
            let n = std::cmp::min(bytes, piece as u64);
            to.write_all(&text[..n as usize]).unwrap();
            bytes -= n;
        }
    })
}

fn read_all_file(size: usize, folder: &str) {
    let path = format!("{folder}/rust-from");
    std::fs::write(&path, vec![b'x'; size]).unwrap();
    let mut source = File::open(&path).unwrap();
    std::fs::remove_file(path).unwrap();
    repeat(|| {
        source.rewind().unwrap();
        let mut all = Vec::new();
        source.read_to_end(&mut all).unwrap();
        black_box(all).len() as u64
    });
}

fn read_all_pipe(bytes: u64) {
    repeat(|| {
        let (mut source, target) = io::pipe().unwrap();
        let feeder = feed(target, bytes, SMALL_BUFFER);
        let mut all = Vec::new();
        source.read_to_end(&mut all).unwrap();
        feeder.join().unwrap();
        black_box(all).len() as u64
    });
}

// A little further each time, as a reader of records goes.
fn skip_file(step: u64, folder: &str) {
    let path = format!("{folder}/rust-from");
    let mut source = File::create(&path).unwrap();
    source.set_len(1 << 30).unwrap();
    std::fs::remove_file(path).unwrap();
    repeat(|| {
        if source.seek(SeekFrom::Current(step as i64)).unwrap() > 1 << 29 {
            source.rewind().unwrap();
        }
        step
    });
}

fn skip_stream<R: Read, W: Write + Send + 'static>(source: R, target: W, bytes: u64) -> u64 {
    let feeder = feed(target, bytes, MIB as usize);
    let passed = io::copy(&mut source.take(bytes), &mut io::sink()).unwrap();
    feeder.join().unwrap();
    passed
}

fn skip(channel: &str, bytes: u64) {
    const F_SETPIPE_SZ: i32 = 1031;
    match channel {
        "pipe" => repeat(|| {
            let (source, target) = io::pipe().unwrap();
            unsafe { fcntl(target.as_raw_fd(), F_SETPIPE_SZ, MIB as i32) };
            skip_stream(source, target, bytes)
        }),
        _ => repeat(|| {
            let listener = TcpListener::bind("127.0.0.1:0").unwrap();
            let target = TcpStream::connect(listener.local_addr().unwrap()).unwrap();
            let source = listener.accept().unwrap().0;
            skip_stream(source, target, bytes)
        }),
    }
}

fn lines(average: usize, folder: &str) {
    let path = format!("{folder}/rust-lines");
    let mut text = Vec::new();
    let mut random: u64 = 1;
    while text.len() < TEXT {
        random = random.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        text.resize(text.len() + average / 2 + (random >> 33) as usize % average, b'x');
        text.push(b'\n');
    }
    std::fs::write(&path, text).unwrap();
    repeat(|| {
        let mut source = BufReader::with_capacity(SMALL_BUFFER, File::open(&path).unwrap());
        let mut line = Vec::new();
        let mut bytes = 0;
        while source.read_until(b'\n', &mut line).unwrap() != 0 {
            bytes += line.len();
            line.clear();
        }
        assert!(bytes >= TEXT);
        TEXT as u64
    });
    std::fs::remove_file(path).unwrap();
}

const TEXT: usize = 64 << 20;

fn main() {
    let arguments: Vec<String> = std::env::args().collect();
    let text = |i: usize| arguments[i].as_str();
    let number = |i: usize| arguments[i].parse::<usize>().unwrap();
    match (text(1), text(2)) {
        ("move", from) => move_once(from, text(3)),
        ("zero_to_null", way) => zero_to_null(way),
        ("small_file", _) => small_file(number(2), text(3)),
        ("memory_to_room", _) => memory_to_room(number(2)),
        ("memory_to_fresh", _) => memory_to_fresh(number(2)),
        ("small_writes", _) => of_size!(small_writes, number(2), text(3) == "known"),
        ("small_reads", _) => of_size!(small_reads, number(2), text(3) == "known"),
        ("read_all", "file") => read_all_file(number(3), text(4)),
        ("read_all", _) => read_all_pipe(number(3) as u64),
        ("skip", "file") => skip_file(number(3) as u64, text(4)),
        ("skip", channel) => skip(channel, number(3) as u64),
        ("lines", _) => lines(number(2), text(3)),
        _ => panic!("no such row"),
    }
}

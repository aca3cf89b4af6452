// SPDX-License-Identifier: BSL-1.0
//
// The rows of the benchmarks, with the standard library of Go.
//
//	peer_go move FROM TO               standard input to standard output; FROM, TO: file, pipe, tcp, unix
//	peer_go zero_to_null buf_reader | limit_of_buf_reader | into_buf_writer
//	peer_go small_file BYTES FOLDER
//	peer_go memory_to_fresh BYTES
//	peer_go small_writes BYTES known|unknown | small_reads BYTES known|unknown
//	peer_go read_all file BYTES FOLDER | read_all pipe BYTES
//	peer_go skip file BYTES FOLDER | skip pipe BYTES | skip tcp BYTES
//	peer_go lines AVERAGE FOLDER
//	peer_go gunzip PATH
//
// Writes "<nanoseconds> <nanoseconds of cpu> <bytes>" to descriptor 3: of the whole move, or of one turn of a loop.
package main

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"fmt"
	"io"
	"net"
	"os"
	"runtime"
	"strconv"
	"syscall"
	"time"
)

func must(err error) {
	if err != nil {
		panic(err)
	}
}

func cpu() int64 {
	var usage syscall.Rusage
	must(syscall.Getrusage(syscall.RUSAGE_SELF, &usage))
	return usage.Utime.Nano() + usage.Stime.Nano()
}

func report(wall float64, cpu int64, count int64) {
	fmt.Fprintf(os.NewFile(3, "report"), "%.3f %d %d\n", wall, cpu, count)
}

func stream(fd uintptr, kind string) io.ReadWriter {
	file := os.NewFile(fd, kind)
	if kind == "tcp" || kind == "unix" {
		connection, err := net.FileConn(file)
		must(err)
		return connection.(io.ReadWriter)
	}
	return file
}

func moveOnce(from, to string) {
	source, destination := stream(0, from), stream(1, to)
	cpuStart, start := cpu(), time.Now()
	n, err := io.Copy(destination, source)
	must(err)
	report(float64(time.Since(start).Nanoseconds()), cpu()-cpuStart, n)
}

// Warms up, then repeats for long enough; reports one of the operations of which a turn has so many.
func repeatMany(operations int, turn func() int64) {
	var count int64
	turns := 0
	// Where calls and allocations are counted, not time.
	if asked := os.Getenv("SLUICE_BENCH_TURNS"); asked != "" {
		for turns = number(asked); turns > 0; turns-- {
			count = turn()
		}
		report(0, 0, count)
		reportMemory()
		return
	}
	for warm := time.Now(); time.Since(warm) < 20*time.Millisecond; turns++ {
		count = turn()
	}
	turns *= 3
	start := time.Now()
	for i := 0; i < turns; i++ {
		count = turn()
	}
	report(float64(time.Since(start).Nanoseconds())/float64(turns*operations), 0, count)
}

func repeat(turn func() int64) { repeatMany(1, turn) }

// Go takes its memory from no C library, where the driver could count it.
func reportMemory() {
	path := os.Getenv("SLUICE_BENCH_MEMORY")
	if path == "" {
		return
	}
	var memory runtime.MemStats
	runtime.ReadMemStats(&memory)
	must(os.WriteFile(path, []byte(fmt.Sprintln(memory.Mallocs, memory.TotalAlloc)), 0o666))
}

func gunzip(path string) {
	packed, err := os.ReadFile(path)
	must(err)
	room := make([]byte, 256<<10)
	repeat(func() int64 {
		source, err := gzip.NewReader(bytes.NewReader(packed))
		must(err)
		return copied(io.CopyBuffer(struct{ io.Writer }{io.Discard}, struct{ io.Reader }{source}, room))
	})
}

func copied(n int64, err error) int64 {
	must(err)
	return n
}

func zeroToNull(way string) {
	const mib, buffer = 1 << 20, 256 << 10
	zero, err := os.Open("/dev/zero")
	must(err)
	null, err := os.OpenFile("/dev/null", os.O_WRONLY, 0)
	must(err)
	switch way {
	case "buf_reader":
		source := bufio.NewReaderSize(nil, buffer)
		repeat(func() int64 {
			source.Reset(io.LimitReader(zero, mib))
			return copied(io.Copy(null, source))
		})
	case "limit_of_buf_reader":
		source := bufio.NewReaderSize(zero, buffer)
		repeat(func() int64 { return copied(io.Copy(null, io.LimitReader(source, mib))) })
	default:
		destination := bufio.NewWriterSize(null, buffer)
		repeat(func() int64 {
			n := copied(io.Copy(destination, io.LimitReader(zero, mib)))
			must(destination.Flush())
			return n
		})
	}
}

func smallFile(size int, folder string) {
	from, to := folder+"/go-from", folder+"/go-to"
	must(os.WriteFile(from, bytes.Repeat([]byte("x"), size), 0o666))
	source, err := os.Open(from)
	must(err)
	destination, err := os.Create(to)
	must(err)
	repeat(func() int64 {
		source.Seek(0, io.SeekStart)
		destination.Seek(0, io.SeekStart)
		return copied(io.Copy(destination, source))
	})
	os.Remove(from)
	os.Remove(to)
}

func memoryToFresh(size int) {
	source := bytes.Repeat([]byte("x"), size)
	repeat(func() int64 {
		var target bytes.Buffer
		return copied(io.Copy(&target, bytes.NewReader(source)))
	})
}

const (
	smallBuffer = 64 << 10
	batch       = 16384
)

func smallWrites(size int) {
	null, err := os.OpenFile("/dev/null", os.O_WRONLY, 0)
	must(err)
	target := bufio.NewWriterSize(null, smallBuffer)
	text := make([]byte, size)
	repeatMany(batch, func() int64 {
		for i := 0; i < batch; i++ {
			if _, err := target.Write(text); err != nil {
				panic(err)
			}
		}
		return int64(size)
	})
}

func smallReads(size int) {
	zero, err := os.Open("/dev/zero")
	must(err)
	source := bufio.NewReaderSize(zero, smallBuffer)
	room := make([]byte, size)
	repeatMany(batch, func() int64 {
		for i := 0; i < batch; i++ {
			if n, err := source.Read(room); err != nil || n != size {
				panic("short read")
			}
		}
		return int64(size)
	})
}

// Writes so many bytes in pieces.
func feed(target io.WriteCloser, count int64, piece int) {
	text := bytes.Repeat([]byte("x"), piece)
	for count > 0 {
		n, err := target.Write(text[:min(count, int64(piece))])
		must(err)
		count -= int64(n)
	}
	target.Close()
}

func min(a, b int64) int64 {
	if a < b {
		return a
	}
	return b
}

func readAllFile(size int, folder string) {
	path := folder + "/go-from"
	must(os.WriteFile(path, bytes.Repeat([]byte("x"), size), 0o666))
	repeat(func() int64 {
		all, err := os.ReadFile(path)
		return copied(int64(len(all)), err)
	})
	os.Remove(path)
}

func readAllPipe(count int64) {
	repeat(func() int64 {
		source, target, err := os.Pipe()
		must(err)
		go feed(target, count, smallBuffer)
		all, err := io.ReadAll(source)
		source.Close()
		return copied(int64(len(all)), err)
	})
}

// A little further each time, as a reader of records goes.
func skipFile(step int64, folder string) {
	path := folder + "/go-from"
	source, err := os.Create(path)
	must(err)
	must(source.Truncate(1 << 30))
	os.Remove(path)
	repeat(func() int64 {
		at, err := source.Seek(step, io.SeekCurrent)
		must(err)
		if at > 1<<29 {
			source.Seek(0, io.SeekStart)
		}
		return step
	})
}

func skip(channel string, count int64) {
	const setPipeSize, mib = 1031, 1 << 20
	repeat(func() int64 {
		var source io.ReadCloser
		var target io.WriteCloser
		if channel == "pipe" {
			from, to, err := os.Pipe()
			must(err)
			syscall.Syscall(syscall.SYS_FCNTL, to.Fd(), setPipeSize, mib)
			source, target = from, to
		} else {
			listener, err := net.Listen("tcp", "127.0.0.1:0")
			must(err)
			target, err = net.Dial("tcp", listener.Addr().String())
			must(err)
			source, err = listener.Accept()
			must(err)
			listener.Close()
		}
		go feed(target, count, mib)
		n := copied(io.CopyN(io.Discard, source, count))
		source.Close()
		return n
	})
}

func lines(average int, folder string) {
	const textSize = 64 << 20
	path := folder + "/go-lines"
	var text bytes.Buffer
	random := uint64(1)
	for text.Len() < textSize {
		random = random*6364136223846793005 + 1442695040888963407
		text.Write(bytes.Repeat([]byte("x"), average/2+int(random>>33)%average))
		text.WriteByte('\n')
	}
	must(os.WriteFile(path, text.Bytes(), 0o666))
	repeat(func() int64 {
		file, err := os.Open(path)
		must(err)
		source := bufio.NewReaderSize(file, smallBuffer)
		count := 0
		for {
			line, err := source.ReadSlice('\n')
			count += len(line)
			if err == io.EOF {
				break
			}
			must(err)
		}
		file.Close()
		if count < textSize {
			panic("short text")
		}
		return textSize
	})
	os.Remove(path)
}

func number(text string) int {
	n, err := strconv.Atoi(text)
	must(err)
	return n
}

func main() {
	arguments := os.Args
	switch arguments[1] {
	case "move":
		moveOnce(arguments[2], arguments[3])
	case "zero_to_null":
		zeroToNull(arguments[2])
	case "small_file":
		smallFile(number(arguments[2]), arguments[3])
	case "memory_to_fresh":
		memoryToFresh(number(arguments[2]))
	case "small_writes":
		smallWrites(number(arguments[2]))
	case "small_reads":
		smallReads(number(arguments[2]))
	case "read_all":
		if arguments[2] == "file" {
			readAllFile(number(arguments[3]), arguments[4])
		} else {
			readAllPipe(int64(number(arguments[3])))
		}
	case "skip":
		if arguments[2] == "file" {
			skipFile(int64(number(arguments[3])), arguments[4])
		} else {
			skip(arguments[2], int64(number(arguments[3])))
		}
	case "gunzip":
		gunzip(arguments[2])
	case "lines":
		lines(number(arguments[2]), arguments[3])
	}
}

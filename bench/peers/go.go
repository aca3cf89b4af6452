// SPDX-License-Identifier: BSL-1.0
//
// The rows of the benchmarks, with the standard library of Go.
//
//	peer_go move FROM TO               standard input to standard output; FROM, TO: file, pipe, tcp, unix
//	peer_go zero_to_null buf_reader | limit_of_buf_reader | into_buf_writer
//	peer_go small_file BYTES FOLDER
//
// Writes "<nanoseconds> <nanoseconds of cpu> <bytes>" to descriptor 3: of the whole move, or of one turn of a loop.
package main

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"net"
	"os"
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

// Warms up, then repeats for long enough; reports one turn.
func repeat(turn func() int64) {
	var count int64
	turns := 0
	for warm := time.Now(); time.Since(warm) < 20*time.Millisecond; turns += 16 {
		for i := 0; i < 16; i++ {
			count = turn()
		}
	}
	turns *= 3
	start := time.Now()
	for i := 0; i < turns; i++ {
		count = turn()
	}
	report(float64(time.Since(start).Nanoseconds())/float64(turns), 0, count)
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

func main() {
	switch os.Args[1] {
	case "move":
		moveOnce(os.Args[2], os.Args[3])
	case "zero_to_null":
		zeroToNull(os.Args[2])
	case "small_file":
		size, err := strconv.Atoi(os.Args[2])
		must(err)
		smallFile(size, os.Args[3])
	}
}

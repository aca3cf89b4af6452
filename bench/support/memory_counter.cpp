// SPDX-License-Identifier: BSL-1.0
//
// Counts what a program takes from the C library: a shared library for LD_PRELOAD. At the end it writes
// "<allocations> <bytes>" to the file that SLUICE_BENCH_MEMORY names.
//
// A block that grows by realloc(3) or mremap(2) counts once, with what it has grown by. Of mmap(2) only writable
// private memory counts.
//
#include <dlfcn.h>
#include <fcntl.h>
#include <malloc.h>
#include <sys/mman.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <cstdarg>
#include <cstddef>
#include <cstdio>
#include <cstdlib>

extern "C" {
void* __libc_malloc(std::size_t size);
void* __libc_calloc(std::size_t count, std::size_t size);
void* __libc_realloc(void* memory, std::size_t size);
void* __libc_memalign(std::size_t alignment, std::size_t size);
}

namespace {

constinit std::atomic<unsigned long long> allocations{0};
constinit std::atomic<unsigned long long> bytes{0};

void* counted(void* memory, std::size_t size) noexcept {
  if (memory != nullptr) {
    ++allocations;
    bytes += size;
  }
  return memory;
}

void* counted_mapping(void* memory, std::size_t size, int protection, int flags) noexcept {
  if (memory != MAP_FAILED && (protection & PROT_WRITE) != 0 && (flags & MAP_ANONYMOUS) != 0) counted(memory, size);
  return memory;
}

struct at_end {
  ~at_end() {
    const char* const path = std::getenv("SLUICE_BENCH_MEMORY");
    const int fd = path != nullptr ? ::open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666) : -1;
    if (fd < 0) return;
    ::dprintf(fd, "%llu %llu\n", allocations.load(), bytes.load());
    ::close(fd);
  }
} const report;

}  // namespace

extern "C" {

void* malloc(std::size_t size) { return counted(__libc_malloc(size), size); }

void* calloc(std::size_t count, std::size_t size) { return counted(__libc_calloc(count, size), count * size); }

void* realloc(void* memory, std::size_t size) {
  const std::size_t before = memory != nullptr ? ::malloc_usable_size(memory) : 0;
  void* const other = __libc_realloc(memory, size);
  if (memory == nullptr) return counted(other, size);
  if (other != nullptr && size > before) bytes += size - before;
  return other;
}

void* aligned_alloc(std::size_t alignment, std::size_t size) { return counted(__libc_memalign(alignment, size), size); }

int posix_memalign(void** memory, std::size_t alignment, std::size_t size) {
  *memory = counted(__libc_memalign(alignment, size), size);
  return *memory != nullptr ? 0 : ENOMEM;
}

void* mmap(void* address, std::size_t size, int protection, int flags, int fd, off_t offset) {
  static const auto original = reinterpret_cast<decltype(&mmap)>(::dlsym(RTLD_NEXT, "mmap"));
  return counted_mapping(original(address, size, protection, flags, fd, offset), size, protection, flags);
}

void* mmap64(void* address, std::size_t size, int protection, int flags, int fd, off64_t offset) {
  static const auto original = reinterpret_cast<decltype(&mmap64)>(::dlsym(RTLD_NEXT, "mmap64"));
  return counted_mapping(original(address, size, protection, flags, fd, offset), size, protection, flags);
}

void* mremap(void* address, std::size_t old_size, std::size_t size, int flags, ...) {
  static const auto original = reinterpret_cast<decltype(&mremap)>(::dlsym(RTLD_NEXT, "mremap"));
  void* to = nullptr;
  if ((flags & MREMAP_FIXED) != 0) {
    std::va_list arguments;
    va_start(arguments, flags);
    to = va_arg(arguments, void*);
    va_end(arguments);
  }
  void* const memory = original(address, old_size, size, flags, to);
  if (memory != MAP_FAILED && size > old_size) bytes += size - old_size;
  return memory;
}

}  // extern "C"

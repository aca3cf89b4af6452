// SPDX-License-Identifier: BSL-1.0
//
// Moving past values without recursion, and the index of a tree on the way.
//
#include <sluice/codec/thrift/detail/input.hpp>

#include <array>
#include <limits>

namespace sluice::thrift::detail {
namespace {

/// What is being passed: a struct, or the elements or entries of a container.
struct level {
  ttype first = ttype::stop;   // of the elements or keys; stop for a struct
  ttype second = ttype::stop;  // of the elements or values
  std::uint64_t left = 0;      // elements; or keys and values together, so that the even ones are keys
  std::size_t extent = 0;      // its place in the index

  bool is_struct() const noexcept { return first == ttype::stop; }
  ttype next() noexcept { return --left % 2 != 0 ? first : second; }
};

/// Memory is taken only for unusually deep values.
class levels {
 public:
  bool empty() const noexcept { return size_ == 0; }
  std::size_t size() const noexcept { return size_; }
  level& top() noexcept { return size_ <= near_.size() ? near_[size_ - 1] : far_.back(); }
  void push(const level& one) {
    if (size_ < near_.size())
      near_[size_] = one;
    else
      far_.push_back(one);
    ++size_;
  }
  void pop() noexcept {
    if (size_ > near_.size()) far_.pop_back();
    --size_;
  }

 private:
  std::size_t size_ = 0;
  std::array<level, 64> near_;
  std::vector<level> far_;
};

struct no_index {
  static std::uint64_t here() noexcept { return 0; }
  static std::size_t open(std::uint64_t) noexcept { return 0; }
  static bool close(std::size_t) noexcept { return true; }
};

class indexing {
 public:
  indexing(input& in, std::vector<extent>& index) noexcept : in_(&in), index_(&index) {}

  std::uint64_t here() const noexcept { return in_->offset(); }
  std::size_t open(std::uint64_t begin) const {
    index_->push_back({static_cast<std::uint32_t>(begin)});
    return index_->size() - 1;
  }
  bool close(std::size_t place) const noexcept {
    constexpr std::uint64_t most = std::numeric_limits<std::uint32_t>::max();
    if (here() > most || index_->size() > most) return in_->fail(io_errc::limit_exceeded);
    (*index_)[place].end = static_cast<std::uint32_t>(here());
    (*index_)[place].next = static_cast<std::uint32_t>(index_->size());
    return true;
  }

 private:
  input* in_;
  std::vector<extent>* index_;
};

template <class Index>
class walk {
 public:
  walk(input& in, Index index) noexcept : in_(in), index_(index), base_(in.depth()) {}

  bool value(ttype type) { return begin(type) && rest(); }
  bool elements(const list_header& header) { return contents(header, index_.here()) && rest(); }
  bool entries(const map_header& header) { return contents(header, index_.here()) && rest(); }

 private:
  // Passes all that is open.
  bool rest() {
    while (!levels_.empty()) {
      level& top = levels_.top();
      ttype type{};
      if (top.is_struct()) {
        if (!in_.get_type(type)) return false;
        if (type == ttype::stop) {
          if (!close()) return false;
          continue;
        }
        if (!in_.pass(2)) return false;
      } else if (top.left == 0) {
        if (!close()) return false;
        continue;
      } else {
        type = top.next();
      }
      if (!begin(type)) return false;
    }
    return true;
  }

  // A value, or its beginning: what it holds is then open. Of a struct also its first field, so that one without any is
  // never open.
  bool begin(ttype type) {
    for (;;) {
      if (base_ + levels_.size() >= in_.max_depth()) return in_.fail(io_errc::limit_exceeded);
      if (const std::size_t size = fixed_size(type)) return in_.pass(size);
      const std::uint64_t here = index_.here();
      switch (type) {
        case ttype::binary: {
          std::uint32_t length = 0;
          return in_.get_length(length) && in_.pass(length);
        }
        case ttype::struct_:
          if (!in_.get_type(type)) return false;
          if (type == ttype::stop) return true;
          levels_.push({.extent = index_.open(here)});
          if (!in_.pass(2)) return false;
          break;
        case ttype::list:
        case ttype::set: {
          list_header header;
          return in_.get_list(header) && contents(header, here);
        }
        case ttype::map: {
          map_header header;
          return in_.get_map(header) && contents(header, here);
        }
        default: return in_.fail(io_errc::invalid_data);
      }
    }
  }

  bool contents(const list_header& header, std::uint64_t here) {
    return contents(header.element, header.element, header.size, fixed_size(header.element), header.size, here);
  }
  bool contents(const map_header& header, std::uint64_t here) {
    const std::size_t key = fixed_size(header.key);
    const std::size_t mapped = fixed_size(header.mapped);
    return contents(header.key, header.mapped, header.size, key != 0 && mapped != 0 ? key + mapped : 0,
                    std::uint64_t{header.size} * 2, here);
  }
  bool contents(ttype first, ttype second, std::uint64_t size, std::size_t fixed, std::uint64_t values,
                std::uint64_t here) {
    if (size == 0) return true;
    if (fixed == 0) {
      levels_.push({first, second, values, index_.open(here)});
      return true;
    }
    if (base_ + levels_.size() + 1 >= in_.max_depth()) return in_.fail(io_errc::limit_exceeded);
    return in_.pass(size * fixed);
  }

  bool close() {
    const std::size_t extent = levels_.top().extent;
    levels_.pop();
    return index_.close(extent);
  }

  input& in_;
  Index index_;
  std::size_t base_;
  levels levels_;
};

}  // namespace

bool input::skip(ttype type) { return walk(*this, no_index()).value(type); }
bool input::skip_elements(list_header header) { return walk(*this, no_index()).elements(header); }
bool input::skip_entries(map_header header) { return walk(*this, no_index()).entries(header); }

bool input::index(ttype type, std::vector<extent>& index) {
  copied_ = pos_;
  return walk(*this, indexing(*this, index)).value(type);
}

bool input::record(ttype type, std::vector<extent>& index, bytes& copy) {
  struct copying {
    input& in;
    ~copying() { in.copy_ = nullptr; }
  } const guard{*this};
  copy_ = &copy;
  copied_ = pos_;
  if (!walk(*this, indexing(*this, index)).value(type)) return false;
  copy.insert(copy.end(), copied_, pos_);
  copied_ = pos_;
  return true;
}

}  // namespace sluice::thrift::detail

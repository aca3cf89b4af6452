// SPDX-License-Identifier: BSL-1.0
#include <sluice/codec/thrift/value.hpp>

namespace sluice::thrift {
namespace {

constexpr std::size_t list_header_size = 5;
constexpr std::size_t map_header_size = 6;

constexpr bool is_list(ttype type) noexcept { return type == ttype::list || type == ttype::set; }

}  // namespace

std::size_t value::size() const noexcept {
  if (type_ == ttype::binary) return detail::load<std::uint32_t>(here());
  if (is_list(type_)) return detail::load<std::uint32_t>(here() + 1);
  if (type_ == ttype::map) return detail::load<std::uint32_t>(here() + 2);
  return 0;
}

ttype value::element_type() const noexcept {
  return is_list(type_) || type_ == ttype::map ? detail::load<ttype>(here()) : ttype::stop;
}

ttype value::mapped_type() const noexcept {
  return type_ == ttype::map ? detail::load<ttype>(here() + 1) : ttype::stop;
}

// As the walk that made the index decides it.
bool value::is_indexed() const noexcept {
  if (type_ == ttype::struct_) return *here() != std::byte{0};
  if (is_list(type_)) return size() != 0 && fixed_size(element_type()) == 0;
  return type_ == ttype::map && size() != 0 && (fixed_size(element_type()) == 0 || fixed_size(mapped_type()) == 0);
}

std::size_t value::end() const noexcept {
  if (is_indexed()) return index_[place_].end;
  if (type_ == ttype::struct_) return offset_ + 1;
  if (type_ == ttype::binary) return offset_ + 4 + size();
  if (is_list(type_)) return offset_ + list_header_size + size() * fixed_size(element_type());
  if (type_ == ttype::map)
    return offset_ + map_header_size + size() * (fixed_size(element_type()) + fixed_size(mapped_type()));
  return offset_ + fixed_size(type_);
}

std::size_t value::place_behind() const noexcept { return is_indexed() ? index_[place_].next : place_; }
std::size_t value::first_place_inside() const noexcept { return is_indexed() ? place_ + 1 : place_; }

value value::at(std::size_t offset, std::size_t place, ttype type) const noexcept {
  value other(data_, index_, type);
  other.offset_ = static_cast<std::uint32_t>(offset);
  other.place_ = static_cast<std::uint32_t>(place);
  return other;
}

std::span<const std::byte> value::encoded() const noexcept {
  if (type_ == ttype::stop) return {};
  return {here(), end() - offset_};
}

std::optional<value> value::find(std::int16_t id) const noexcept {
  std::optional<value> last;
  for (const named_value field : fields())
    if (field.id == id) last = field.value;
  return last;
}

template <class Item>
value_iterator<Item>::value_iterator(const value& whole) noexcept : whole_(whole), offset_(whole.offset_) {
  place_ = whole.first_place_inside();
  if constexpr (std::same_as<Item, named_value>) {
    if (whole.type_ == ttype::struct_) left_ = *whole.here() == std::byte{0} ? 0 : 1;
  } else if constexpr (std::same_as<Item, value>) {
    if (!is_list(whole.type_)) return;
    left_ = whole.size();
    offset_ += list_header_size;
  } else {
    if (whole.type_ != ttype::map) return;
    left_ = whole.size();
    offset_ += map_header_size;
  }
}

template <class Item>
value value_iterator<Item>::next(ttype type, std::size_t header) const noexcept {
  return whole_.at(offset_ + header, place_, type);
}

template <class Item>
Item value_iterator<Item>::operator*() const noexcept {
  const std::byte* const at = whole_.data_ + offset_;
  if constexpr (std::same_as<Item, named_value>) {
    return {detail::load<std::int16_t>(at + 1), next(detail::load<ttype>(at), 3)};
  } else if constexpr (std::same_as<Item, value>) {
    return next(whole_.element_type(), 0);
  } else {
    const value key = next(whole_.element_type(), 0);
    return {key, whole_.at(key.end(), key.place_behind(), whole_.mapped_type())};
  }
}

template <class Item>
value_iterator<Item>& value_iterator<Item>::operator++() noexcept {
  const auto last = [this] {
    if constexpr (std::same_as<Item, named_value>)
      return (**this).value;
    else if constexpr (std::same_as<Item, value>)
      return **this;
    else
      return (**this).mapped;
  }();
  place_ = last.place_behind();
  offset_ = last.end();
  if constexpr (std::same_as<Item, named_value>)
    left_ = whole_.data_[offset_] == std::byte{0} ? 0 : 1;
  else
    --left_;
  return *this;
}

template class value_iterator<value>;
template class value_iterator<named_value>;
template class value_iterator<entry>;

result<void> read_tree(protocol_reader& from, tree& into, ttype type) {
  detail::input& in = detail::input_of(from);
  into.data_ = {};
  into.type_ = ttype::stop;
  into.owned_.clear();
  into.index_.clear();
  if (!in.begin_value() || !in.record(type, into.index_, into.owned_)) return fail(in.error());
  into.data_ = into.owned_;
  into.type_ = type;
  return {};
}

result<tree> read_tree(protocol_reader& from, ttype type) {
  result<tree> all{std::in_place};
  if (const auto read = read_tree(from, *all, type); !read) all = fail(read.error());
  return all;
}

result<tree> view_tree(std::span<const std::byte> memory, const limits& most, ttype type) {
  result<tree> all{std::in_place};
  detail::input in(memory, most);
  if (!in.begin_value() || !in.index(type, all->index_)) {
    all = fail(in.error());
    return all;
  }
  all->data_ = memory.first(static_cast<std::size_t>(in.pos() - memory.data()));
  all->type_ = type;
  return all;
}

}  // namespace sluice::thrift

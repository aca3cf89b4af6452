// SPDX-License-Identifier: BSL-1.0
//
// An object of a forgotten type: owned, inside the handle where it is small, or only referred to.
//
//   class erased_object;
//
#ifndef SLUICE_DETAIL_ERASED_OBJECT_HPP
#define SLUICE_DETAIL_ERASED_OBJECT_HPP

#include <cstddef>
#include <memory>
#include <type_traits>
#include <utility>

namespace sluice::detail {

/// How the object ends and moves.
struct erased_life {
  void (*destroy)(void* object) noexcept;
  void (*relocate)(void* from, void* to) noexcept;  // null: on the heap, only the pointer moves
};

class erased_object {
 public:
  static constexpr std::size_t inline_size = 6 * sizeof(void*);

  template <class T>
  static constexpr bool fits =
      sizeof(T) <= inline_size && alignof(T) <= alignof(std::max_align_t) && std::is_nothrow_move_constructible_v<T>;

  erased_object() noexcept = default;
  erased_object(erased_object&& other) noexcept { take(other); }
  erased_object& operator=(erased_object&& other) noexcept {
    if (this != &other) {
      reset();
      take(other);
    }
    return *this;
  }
  ~erased_object() { reset(); }

  /// Makes a T, on an empty handle.
  template <class T, class... Args>
  void emplace(Args&&... args) {
    if constexpr (fits<T>) {
      object_ = std::construct_at(reinterpret_cast<T*>(storage_), std::forward<Args>(args)...);
      life_ = &life_inside<T>;
    } else {
      object_ = new T(std::forward<Args>(args)...);
      life_ = &life_on_heap<T>;
    }
  }

  /// Refers to an object that somebody else owns, on an empty handle.
  void refer(void* object) noexcept { object_ = object; }

  void* get() const noexcept { return object_; }

  void reset() noexcept {
    if (life_) life_->destroy(object_);
    object_ = nullptr;
    life_ = nullptr;
  }

 private:
  template <class T>
  static constexpr erased_life life_inside{[](void* object) noexcept { std::destroy_at(static_cast<T*>(object)); },
                                           [](void* from, void* to) noexcept {
                                             T* const old = static_cast<T*>(from);
                                             std::construct_at(static_cast<T*>(to), std::move(*old));
                                             std::destroy_at(old);
                                           }};

  template <class T>
  static constexpr erased_life life_on_heap{[](void* object) noexcept { delete static_cast<T*>(object); }, nullptr};

  void take(erased_object& other) noexcept {
    life_ = std::exchange(other.life_, nullptr);
    object_ = std::exchange(other.object_, nullptr);
    if (life_ && life_->relocate) {
      life_->relocate(object_, storage_);
      object_ = storage_;
    }
  }

  alignas(std::max_align_t) std::byte storage_[inline_size];
  void* object_ = nullptr;
  const erased_life* life_ = nullptr;  // null: not owned
};

}  // namespace sluice::detail

#endif

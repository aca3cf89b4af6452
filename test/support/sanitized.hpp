// SPDX-License-Identifier: BSL-1.0
//
// Whether this build, and the tool with it, has a sanitizer in it.
//
#ifndef SLUICE_TEST_SUPPORT_SANITIZED_HPP
#define SLUICE_TEST_SUPPORT_SANITIZED_HPP

namespace sluice::test {

#if defined(__SANITIZE_ADDRESS__)
inline constexpr bool sanitized = true;
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(undefined_behavior_sanitizer)
inline constexpr bool sanitized = true;
#else
inline constexpr bool sanitized = false;
#endif
#else
inline constexpr bool sanitized = false;
#endif

}  // namespace sluice::test

#endif

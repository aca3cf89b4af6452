// SPDX-License-Identifier: BSL-1.0
#include <sluice/copy_options.hpp>
#include <sluice/result.hpp>

#include <gtest/gtest.h>

#include <array>
#include <memory>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace {

using namespace sluice;

constexpr std::array all_codes{
    io_errc::unexpected_eof, io_errc::write_zero,   io_errc::bad_count, io_errc::buffer_too_small,
    io_errc::limit_exceeded, io_errc::invalid_data, io_errc::truncated, io_errc::checksum_mismatch,
    io_errc::same_file,      io_errc::unsupported,  io_errc::cancelled,
};

static_assert(std::is_error_code_enum_v<io_errc>);
static_assert(static_cast<int>(io_errc::unexpected_eof) == 1, "0 would be success");
static_assert(std::is_same_v<result<int>, std::expected<int, std::error_code>>);

// The message of the what() of whatever `call` throws.
template <class Exception, class Call>
Exception thrown_by(Call call) {
  try {
    call();
  } catch (const Exception& e) {
    return e;
  }
  throw std::logic_error("nothing was thrown");
}

TEST(io_category, has_a_name_and_is_one_object) {
  EXPECT_STREQ(io_category().name(), "sluice");
  EXPECT_EQ(&io_category(), &io_category());
  EXPECT_EQ(&make_error_code(io_errc::truncated).category(), &io_category());
}

TEST(io_category, every_code_has_a_message_of_its_own) {
  std::set<std::string> messages;
  for (const io_errc code : all_codes) {
    const std::string message = std::error_code(code).message();
    EXPECT_FALSE(message.empty());
    EXPECT_NE(message, "unknown error") << static_cast<int>(code);
    EXPECT_TRUE(messages.insert(message).second) << message;
  }
  EXPECT_EQ(messages.size(), all_codes.size());
}

TEST(io_category, a_number_that_is_no_code_has_a_message_too) {
  EXPECT_EQ(io_category().message(0), "unknown error");
  EXPECT_EQ(io_category().message(-1), "unknown error");
  EXPECT_EQ(io_category().message(static_cast<int>(all_codes.size()) + 1), "unknown error");
}

TEST(io_category, codes_convert_and_compare) {
  for (const io_errc code : all_codes) {
    const std::error_code error = code;
    EXPECT_TRUE(error);
    EXPECT_EQ(error, code);
    EXPECT_EQ(error.value(), static_cast<int>(code));
    for (const io_errc other : all_codes) EXPECT_EQ(error == other, code == other);
  }
  EXPECT_NE(std::error_code(io_errc::unexpected_eof), std::error_code(1, std::system_category()));
}

TEST(io_category, two_codes_are_equivalent_to_the_standard_ones) {
  EXPECT_EQ(std::error_code(io_errc::unsupported), std::errc::operation_not_supported);
  EXPECT_EQ(std::error_code(io_errc::cancelled), std::errc::operation_canceled);
  for (const io_errc code : all_codes) {
    EXPECT_EQ(std::error_code(code) == std::errc::operation_not_supported, code == io_errc::unsupported);
    EXPECT_EQ(std::error_code(code) == std::errc::operation_canceled, code == io_errc::cancelled);
    EXPECT_NE(std::error_code(code), std::errc::io_error);
  }
}

TEST(result, fail_makes_a_result_of_any_type) {
  const result<int> number = fail(io_errc::truncated);
  const result<void> nothing = fail(std::make_error_code(std::errc::io_error));
  ASSERT_FALSE(number);
  ASSERT_FALSE(nothing);
  EXPECT_EQ(number.error(), io_errc::truncated);
  EXPECT_EQ(nothing.error(), std::errc::io_error);
}

TEST(or_throw, gives_the_value) {
  EXPECT_EQ(or_throw(result<int>(7)), 7);
  static_assert(std::is_void_v<decltype(or_throw(result<void>()))>);
  EXPECT_NO_THROW(or_throw(result<void>()));
}

TEST(or_throw, moves_what_can_only_be_moved) {
  const auto seven = or_throw(result<std::unique_ptr<int>>(std::make_unique<int>(7)));
  EXPECT_EQ(*seven, 7);
}

TEST(or_throw, throws_the_code) {
  const auto own = thrown_by<std::system_error>([] { or_throw(result<int>(fail(io_errc::invalid_data))); });
  EXPECT_EQ(own.code(), io_errc::invalid_data);
  EXPECT_NE(std::string(own.what()).find("invalid data"), std::string::npos) << own.what();

  const auto system = thrown_by<std::system_error>(
      [] { or_throw(result<void>(fail(std::error_code(ENOSPC, std::system_category())))); });
  EXPECT_EQ(system.code(), std::errc::no_space_on_device);
}

TEST(or_throw, of_a_copy_gives_the_count) {
  EXPECT_EQ(or_throw(std::expected<std::uintmax_t, copy_error>(std::uintmax_t{12})), 12U);
}

TEST(or_throw, of_a_failed_copy_names_the_side_and_the_bytes) {
  const auto failed = [](copy_side side, std::uintmax_t bytes) {
    return thrown_by<copy_failure>([&] {
      or_throw(std::expected<std::uintmax_t, copy_error>(std::unexpected(
          copy_error{std::make_error_code(std::errc::no_space_on_device), bytes, side, {std::byte{1}, std::byte{2}}})));
    });
  };

  const copy_failure writer = failed(copy_side::writer, 4711);
  EXPECT_EQ(writer.code(), std::errc::no_space_on_device);
  EXPECT_NE(std::string(writer.what()).find("writing"), std::string::npos) << writer.what();
  EXPECT_NE(std::string(writer.what()).find("4711"), std::string::npos) << writer.what();
  EXPECT_NE(std::string(writer.what()).find(writer.code().message()), std::string::npos) << writer.what();
  EXPECT_EQ(writer.error().bytes, 4711U);
  EXPECT_EQ(writer.error().side, copy_side::writer);
  EXPECT_EQ(writer.error().unwritten, (std::vector{std::byte{1}, std::byte{2}}));

  const copy_failure reader = failed(copy_side::reader, 0);
  EXPECT_NE(std::string(reader.what()).find("reading"), std::string::npos) << reader.what();
  EXPECT_EQ(std::string(reader.what()).find("writing"), std::string::npos) << reader.what();
}

TEST(or_throw, a_failed_copy_is_a_system_error) {
  const std::expected<std::uintmax_t, copy_error> failed =
      std::unexpected(copy_error{io_errc::same_file, 0, copy_side::none, {}});
  EXPECT_THROW(or_throw(failed), std::system_error);
}

}  // namespace

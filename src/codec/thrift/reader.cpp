// SPDX-License-Identifier: BSL-1.0
#include <sluice/codec/thrift/reader.hpp>

namespace sluice::thrift {

result<std::string> protocol_reader::read_string_slow() {
  result<std::string> value{std::in_place};
  if (!in_.get_string(*value)) value = fail(in_.error());
  return value;
}

}  // namespace sluice::thrift

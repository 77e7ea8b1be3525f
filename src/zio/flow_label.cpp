// SPDX-License-Identifier: Apache-2.0
#include "zio/flow_label.hpp"

#include <tgmap/zio/label.hpp>

namespace tgmap {
inline namespace v0 {
namespace zio {

std::string_view text_of(const cbor_value& label, std::string_view key) noexcept {
  const auto found = label.view().find(key);
  return found ? found->get<std::string_view>().value_or("") : "";
}

std::optional<std::uint64_t> number_of(const cbor_value& label, std::string_view key) noexcept {
  const auto found = label.view().find(key);
  if (!found) return std::nullopt;
  if (const auto whole = found->get<std::uint64_t>()) return whole;
  constexpr double beyond = 9007199254740992;  // 2^53
  const auto number = found->get<double>();
  if (found->kind() != cbor_kind::floating || !number || !(*number >= 0 && *number < beyond)) return std::nullopt;
  const auto whole = static_cast<std::uint64_t>(*number);
  return static_cast<double>(whole) == *number ? std::optional(whole) : std::nullopt;
}

std::string with_flow(const std::string& label) {
  cbor_value read = read_label(label);
  if (read.kind() == cbor_kind::null) read = cbor_value::map();
  if (!read.is_map()) detail::raise({.code = errc::bad_label});
  if (text_of(read, "flow") == "DAT") return label;
  read.update(cbor_value::map({{"flow", "DAT"}}));
  return write_label(read);
}

}  // namespace zio
}  // namespace v0
}  // namespace tgmap

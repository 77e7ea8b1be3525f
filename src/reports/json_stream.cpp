// SPDX-License-Identifier: Apache-2.0
#include "reports/json_stream.hpp"

#include <algorithm>
#include <utility>

namespace tgmap::reports {

json_limit json_limit::for_metadata(std::uint64_t input, const std::optional<std::uint64_t>& asked) noexcept {
  constexpr std::uint64_t per_byte = 40, base = std::uint64_t{1} << 16;
  if (asked) return {input, *asked};
  return {input, input > (UINT64_MAX - base) / per_byte ? UINT64_MAX : per_byte * input + base};
}

namespace {

json_text::text_style reference_style(bool is_indented) {
  json_text::text_style out = json_text::reference_style;
  out.is_indented = is_indented;
  return out;
}

}  // namespace

json_stream::json_stream(core::text_sink& to, bool is_indented, const json_limit& limit)
    : limited_(to, limit), writer_(limited_, reference_style(is_indented)), keys_(limit.max_bytes) {}

void json_stream::put(const cbor_view& item) {
  if (!json_text::put_cbor(writer_, item, keys_)) limited_.stop();
}

void json_stream::put(const metadata& keys) {
  std::vector<member> all;
  for (metadata::entry& each : keys.entries()) all.push_back({std::move(each.key), each.value});
  put(std::move(all));
}

void json_stream::put(std::vector<member>&& all) {
  std::ranges::stable_sort(all, {}, &member::name);
  writer_.begin_object();
  for (std::size_t i = 0; i < all.size() && !exceeded(); ++i) {
    if (i + 1 < all.size() && all[i + 1].name == all[i].name) continue;
    writer_.key(all[i].name);
    if (const cbor_view* const item = std::get_if<cbor_view>(&all[i].what))
      put(*item);
    else
      reports::put(writer_, std::get<json>(all[i].what));
  }
  writer_.end_object();
}

bool json_stream::limited_sink::take(std::string_view text) {
  if (exceeded_) return false;
  if (text.size() > limit_.max_bytes - written_) return stop(), false;
  written_ += text.size();
  return to_.take(text);
}

}  // namespace tgmap::reports

// SPDX-License-Identifier: Apache-2.0
#include "cli/print/json_stream.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "cli/app/cli_error.hpp"
#include "cli/print/json.hpp"

namespace tgmap::cli {

json_limit json_limit::for_metadata(std::uint64_t input, const std::optional<std::uint64_t>& asked) noexcept {
  constexpr std::uint64_t per_byte = 40, base = std::uint64_t{1} << 16;
  if (asked) return {input, *asked};
  return {input, input > (UINT64_MAX - base) / per_byte ? UINT64_MAX : per_byte * input + base};
}

json_stream& json_stream::key(std::string_view name) {
  before_value();
  write(json_string(name));
  write(pretty_ ? ": " : ":");
  after_key_ = true;
  return *this;
}

void json_stream::put(const sorted_json& small) {
  if (small.is_object()) {
    begin_object();
    for (const auto& [name, each] : small.items()) key(name).put(each);
    return end_object();
  }
  if (small.is_array()) {
    begin_array();
    for (const auto& each : small) put(each);
    return end_array();
  }
  before_value();
  write(compact(small));
}

void json_stream::put(const cbor_view& item) { put(item, 0); }

void json_stream::put(const metadata& keys) {
  std::vector<member> all;
  for (metadata::entry& each : keys.entries()) all.push_back({std::move(each.key), each.value});
  put_sorted(all, 0);
}

void json_stream::put(std::vector<member>&& all) { put_sorted(all, 0); }

void json_stream::put(const cbor_view& item, unsigned depth) {
  if (depth > max_json_depth) return put(sorted_json("..."));
  switch (item.kind()) {
    case cbor_kind::tag: return put(item.untagged(), depth + 1);
    case cbor_kind::array:
      begin_array();
      item.visit([&](std::uint64_t, const cbor_view& each) { return put(each, depth + 1), true; });
      return end_array();
    case cbor_kind::map: {
      const std::uint64_t before = memory_, count = item.size();
      count_memory(count < UINT64_MAX / sizeof(member) ? count * sizeof(member) : UINT64_MAX);
      std::vector<member> all;
      all.reserve(static_cast<std::size_t>(count));
      item.visit([&](const cbor_view& name, const cbor_view& each) {
        all.push_back({json_name(name, depth + 1), each});
        if (const std::size_t own = all.back().name.capacity(); own > std::string().capacity()) count_memory(own);
        return true;
      });
      put_sorted(all, depth + 1);
      memory_ = before;
      return;
    }
    default: return put(to_sorted_json(item));
  }
}

void json_stream::put_sorted(std::vector<member>& all, unsigned depth) {
  std::ranges::stable_sort(all, {}, &member::name);
  begin_object();
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (i + 1 < all.size() && all[i + 1].name == all[i].name) continue;
    key(all[i].name);
    if (const cbor_view* const item = std::get_if<cbor_view>(&all[i].what))
      put(*item, depth);
    else
      put(std::get<sorted_json>(all[i].what));
  }
  end_object();
}

void json_stream::begin(char bracket) {
  before_value();
  write({&bracket, 1});
  filled_.push_back(false);
}

void json_stream::end(char bracket) {
  const bool filled = filled_.back();
  filled_.pop_back();
  if (filled) line();
  write({&bracket, 1});
}

void json_stream::before_value() {
  if (std::exchange(after_key_, false) || filled_.empty()) return;
  if (filled_.back()) write(",");
  filled_.back() = true;
  line();
}

void json_stream::line() {
  if (!pretty_) return;
  write("\n");
  write(std::string(2 * filled_.size(), ' '));
}

void json_stream::write(std::string_view text) {
  if (text.size() > limit_.max_bytes - written_) refuse();
  written_ += text.size();
  to_.write(text);
}

/// Counts the memory of keys of open maps.
void json_stream::count_memory(std::uint64_t bytes) {
  if (memory_ > limit_.max_bytes || bytes > limit_.max_bytes - memory_) refuse();
  memory_ += bytes;
}

void json_stream::refuse() const {
  throw cli_error(fmt::format("its JSON exceeds {} bytes, from {} bytes of metadata", limit_.max_bytes, limit_.input),
                  "allow more with --max-memory");
}

}  // namespace tgmap::cli

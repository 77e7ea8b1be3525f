// SPDX-License-Identifier: Apache-2.0
#include "edit/decode_failure.hpp"

#include <algorithm>
#include <array>
#include <functional>
#include <string_view>
#include <tgmap/descriptor.hpp>
#include <vector>

namespace tgmap::edit {

namespace {

struct stage {
  std::string text;         ///< "compression zstd"
  const codec_info* codec;  ///< null if no codec library is needed
  bool known;               ///< the format defines it

  bool is_absent() const noexcept { return codec != nullptr && !codec->is_available; }
};

std::string stage_text(std::string_view kind, std::string_view name) {
  return std::string(kind).append(" ").append(name);
}

const codec_info* codec_named(std::string_view name) {
  const auto all = codecs();
  const auto found = std::ranges::find(all, name, &codec_info::name);
  return found == all.end() ? nullptr : &*found;
}

std::vector<stage> stages_of(const object& of) {
  failure unread;
  const descriptor what = of.descriptor(unread);
  std::vector<stage> out;
  if (unread) return out;
  if (what.encoding != encoding::none)
    out.push_back({stage_text("encoding", what.encoding_name.view()), nullptr, what.encoding != encoding::other});
  if (what.filter != filter::none)
    out.push_back({stage_text("filter", what.filter_name.view()), nullptr, what.filter != filter::other});
  if (what.compression != compression::none)
    out.push_back({stage_text("compression", what.compression_name.view()), find_codec(what.compression),
                   what.compression != compression::other});
  for (const mask& each : what.masks()) {
    const auto method = each.method.view();
    const codec_info* const codec = codec_named(method);
    out.push_back({stage_text("mask", to_string_view(each.kind)).append(" by ").append(method), codec,
                   codec != nullptr || method == "none"});
  }
  return out;
}

}  // namespace

bool is_codec_failure(const failure& why) noexcept {
  constexpr std::array codes{errc::unknown_codec,         errc::codec_absent,    errc::codec_forbidden,
                             errc::bad_parameter,         errc::bad_combination, errc::codec_failed,
                             errc::decoded_size_mismatch, errc::bad_mask};
  return std::ranges::any_of(codes, [&](errc each) { return why.code == make_error_code(each); });
}

std::string failed_stages(const object& of, const failure& why) {
  if (!is_codec_failure(why)) return {};
  std::vector<stage> stages = stages_of(of);
  const auto keep = [&](auto&& concerned) {
    if (std::ranges::any_of(stages, concerned)) std::erase_if(stages, std::not_fn(concerned));
  };
  if (why.code == make_error_code(errc::codec_absent)) keep(std::mem_fn(&stage::is_absent));
  if (why.code == make_error_code(errc::unknown_codec)) keep([](const stage& each) { return !each.known; });
  std::string out;
  for (const stage& each : stages) out.append(out.empty() ? "" : ", ").append(each.text);
  return out;
}

const codec_info* absent_codec(const object& of, const failure& why) {
  if (why.code != make_error_code(errc::codec_absent)) return nullptr;
  const auto stages = stages_of(of);
  const auto found = std::ranges::find_if(stages, &stage::is_absent);
  return found == stages.end() ? nullptr : found->codec;
}

std::string decode_failure_text(const object& of, const failure& why, std::uint64_t offset) {
  const std::string about = failed_stages(of, why);
  return (about.empty() ? "" : about + ": ") +
         failure{.code = why.code, .offset = offset, .expected = why.expected, .found = why.found}.text();
}

}  // namespace tgmap::edit

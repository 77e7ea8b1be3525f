// SPDX-License-Identifier: Apache-2.0
#include "cli/undecodable.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <tgmap/codecs.hpp>
#include <vector>

#include "cli/advice.hpp"

namespace tgmap::cli {

namespace {

struct stage {
  std::string text;          ///< "compression zstd"
  const codec_facts* codec;  ///< null: no library is behind it
  bool known;                ///< the format names it
};

const codec_facts* codec_named(std::string_view name) {
  const auto all = codecs();
  const auto found = std::find_if(all.begin(), all.end(), [&](const codec_facts& each) { return each.name == name; });
  return found == all.end() ? nullptr : &*found;
}

std::vector<stage> all_stages(const descriptor& what) {
  std::vector<stage> out;
  if (what.encoding != encoding::none)
    out.push_back({fmt::format("encoding {}", what.encoding_name.view()), nullptr, what.encoding != encoding::other});
  if (what.filter != filter::none)
    out.push_back({fmt::format("filter {}", what.filter_name.view()), nullptr, what.filter != filter::other});
  if (what.compression != compression::none)
    out.push_back({fmt::format("compression {}", what.compression_name.view()), find_codec(what.compression),
                   what.compression != compression::other});
  for (const mask& each : what.masks()) {
    const auto method = each.method.view();
    const codec_facts* const codec = codec_named(method);
    out.push_back({fmt::format("mask {} by {}", name(each.kind), method), codec, codec != nullptr || method == "none"});
  }
  return out;
}

/// The failure with its offset alone: which object it is is said apart.
std::string reason_of(const failure& why) {
  return failure{.code = why.code, .offset = why.offset, .expected = why.expected, .found = why.found}.text();
}

std::string as_it_lies(const std::string& name) {
  return "run `tgmap extract --stored -o OUT " + name + "` to get the payload as it lies";
}

}  // namespace

std::string stages_of(const descriptor& what) {
  std::string out;
  for (const stage& each : all_stages(what)) out.append(out.empty() ? "" : ", ").append(each.text);
  return out;
}

complaint undecodable(const object& of, const failure& why, const std::string& name, const std::string& file) {
  failure unread;
  const descriptor what = of.descriptor(unread);
  const auto stages = unread ? std::vector<stage>() : all_stages(what);
  const auto complain = [&](const std::string& about, const std::string& next) {
    return complaint(
        fmt::format("the elements cannot be decoded: {}{}", about.empty() ? "" : about + ": ", reason_of(why)), next);
  };
  if (why.code == make_error_code(errc::codec_absent))
    for (const stage& each : stages)
      if (each.codec != nullptr && !each.codec->built_in)
        return complain(each.text,
                        fmt::format("configure a build with -D{}=ON, or {}", each.codec->option, as_it_lies(name)));
  if (why.code == make_error_code(errc::unknown_codec))
    for (const stage& each : stages)
      if (!each.known) return complain(each.text, as_it_lies(name));
  switch (static_cast<errc>(why.code.category() == category() ? why.code.value() : 0)) {
    case errc::unknown_codec:
    case errc::codec_absent:
    case errc::codec_forbidden:
    case errc::bad_parameter:
    case errc::bad_combination:
    case errc::codec_failed:
    case errc::decoded_size:
    case errc::bad_mask: return complain(stages_of(what), as_it_lies(name));
    default: return {why.text(), next_step(why, file)};
  }
}

}  // namespace tgmap::cli

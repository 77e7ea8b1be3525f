// SPDX-License-Identifier: Apache-2.0
#include "cli/input/elements.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <tgmap/decode/codecs.hpp>
#include <vector>

#include "cli/app/cli_error.hpp"
#include "cli/app/report.hpp"
#include "edit/decode_elements.hpp"

namespace tgmap::cli {

namespace {

struct stage {
  std::string text;         ///< "compression zstd"
  const codec_info* codec;  ///< null if no codec library is needed
  bool known;               ///< the format defines it
};

const codec_info* codec_named(std::string_view name) {
  const auto all = codecs();
  const auto found = std::find_if(all.begin(), all.end(), [&](const codec_info& each) { return each.name == name; });
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
    const codec_info* const codec = codec_named(method);
    out.push_back(
        {fmt::format("mask {} by {}", to_string_view(each.kind), method), codec, codec != nullptr || method == "none"});
  }
  return out;
}

std::vector<stage> stages_of(const object& of) {
  failure unread;
  const descriptor what = of.descriptor(unread);
  return unread ? std::vector<stage>() : all_stages(what);
}

std::string joined(const std::vector<stage>& stages) {
  std::string out;
  for (const stage& each : stages) out.append(out.empty() ? "" : ", ").append(each.text);
  return out;
}

bool is_code(const failure& why, errc what) { return why.code == make_error_code(what); }

/// Returns true if a pipeline stage failed, rather than the file or its structure.
bool is_about_codecs(const failure& why) {
  const auto codes = {errc::unknown_codec,   errc::codec_absent, errc::codec_forbidden,       errc::bad_parameter,
                      errc::bad_combination, errc::codec_failed, errc::decoded_size_mismatch, errc::bad_mask};
  return std::any_of(codes.begin(), codes.end(), [&](errc each) { return is_code(why, each); });
}

bool is_absent(const stage& of) { return of.codec != nullptr && !of.codec->is_available; }

const codec_info* absent_codec(const object& of) {
  const auto stages = stages_of(of);
  const auto found = std::find_if(stages.begin(), stages.end(), is_absent);
  return found == stages.end() ? nullptr : found->codec;
}

/// Returns the text of the failure without the object, which is printed before it.
std::string reason_of(const failure& why, std::uint64_t offset) {
  return failure{.code = why.code, .offset = offset, .expected = why.expected, .found = why.found}.text();
}

std::string with_stages(const object& of, const failure& why, const std::string& reason) {
  const std::string about = failed_stages(of, why);
  return (about.empty() ? "" : about + ": ") + reason;
}

std::string extract_stored_step(const std::string& name) {
  return "run `tgmap extract --stored -o OUT " + name + "` to get the payload as stored";
}

}  // namespace

tensor decode_elements(const object& from, failure& why) {
  bool as_stored = false;
  return edit::decode_elements(from, as_stored, why);
}

tensor decode_elements(const object& from, bool& as_stored) {
  failure why;
  tensor out = edit::decode_elements(from, as_stored, why);
  if (why) throw error(why);
  return out;
}

tensor decode_elements(const object& from) {
  bool as_stored = false;
  return decode_elements(from, as_stored);
}

std::string failed_stages(const object& of, const failure& why) {
  if (!is_about_codecs(why)) return {};
  std::vector<stage> stages = stages_of(of);
  const auto keep = [&](auto&& concerned) {
    if (std::any_of(stages.begin(), stages.end(), concerned)) std::erase_if(stages, std::not_fn(concerned));
  };
  if (is_code(why, errc::codec_absent)) keep(is_absent);
  if (is_code(why, errc::unknown_codec)) keep([](const stage& each) { return !each.known; });
  return joined(stages);
}

std::string decode_failure_text(const object& of, const failure& why) {
  return with_stages(of, why, reason_of(why, 0));
}

cli_error decode_error(const object& of, const failure& why, const std::string& name, const std::string& file) {
  const std::string text = text_without_address(why);
  if (is_code(why, errc::hash_mismatch)) return cli_error(text, next_step(why, file), name).as_damage();
  if (!is_about_codecs(why)) return {text, next_step(why, file), name};
  const codec_info* const absent = is_code(why, errc::codec_absent) ? absent_codec(of) : nullptr;
  return {"the elements cannot be decoded: " + with_stages(of, why, reason_of(why, why.offset)),
          (absent == nullptr
               ? ""
               : fmt::format("install {}, or configure a build with -D{}=ON, or ", absent->library, absent->option)) +
              extract_stored_step(name),
          name};
}

}  // namespace tgmap::cli

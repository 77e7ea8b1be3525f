// SPDX-License-Identifier: Apache-2.0
#include "cli/decode_failure.hpp"

#include <string>

#include "cli/advice.hpp"

namespace tgmap::cli {

namespace {

/// "encoding simple_packing, compression szip, mask nan by rle": what stands between the payload and its elements.
std::string stages_between(const descriptor& what) {
  std::string out;
  const auto add = [&](std::string_view kind, std::string_view codec) {
    out.append(out.empty() ? "" : ", ").append(kind).append(codec);
  };
  if (what.encoding != encoding::none) add("encoding ", what.encoding_name.view());
  if (what.filter != filter::none) add("filter ", what.filter_name.view());
  if (what.compression != compression::none) add("compression ", what.compression_name.view());
  for (const mask& m : what.masks()) add("mask ", std::string(name(m.kind)) + " by " + std::string(m.method.view()));
  return out;
}

bool of_a_codec(const failure& why) {
  return why.code.category() == category() && why.code.value() >= static_cast<int>(errc::unknown_codec) &&
         why.code.value() <= static_cast<int>(errc::bad_mask);
}

}  // namespace

void tell_undecoded(std::string_view file, const object& of, failure why, reporter& report) {
  if (why.message < 0) why.message = of.frame().message().index;
  if (why.object < 0) why.object = static_cast<std::int64_t>(of.index());
  if (why.offset == 0) why.offset = of.frame().offset();
  failure unreadable;
  const descriptor what = of.descriptor(unreadable);
  const std::string stages = unreadable || !of_a_codec(why) ? std::string() : stages_between(what);
  report.failed(file, stages.empty() ? why.text() : stages + ": " + why.text(), next_step(why, file));
}

}  // namespace tgmap::cli

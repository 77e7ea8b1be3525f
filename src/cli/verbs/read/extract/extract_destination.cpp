// SPDX-License-Identifier: Apache-2.0
#include "cli/verbs/read/extract/extract_destination.hpp"

#include <fmt/format.h>

#include <cstddef>
#include <filesystem>
#include <string_view>

#include "cli/app/cli_error.hpp"
#include "cli/output/name_template.hpp"
#include "core/seeded_hash.hpp"

namespace tgmap::cli {

using convert::element_format;
using convert::exported_object;

extract_destination extract_destination::parse(const std::string& given, const std::string& format, bool stored) {
  const auto named = convert::format_named(format);
  if (given.empty() && !(named && is_text(*named)))
    throw usage_error("-o is missing; name the output, or print values with --format csv");
  const std::string to = given.empty() ? "-" : given;
  extract_destination out{.to = to, .names = parse_template(to)};
  const std::string ending = std::filesystem::path(to).extension().string();
  const bool folder = out.names.is_folder();
  if (out.names.several()) out.what = kind::several;
  const bool npz = ending == ".npz" && out.what == kind::file;
  if (npz && (stored || !(format.empty() || format == "npy")))
    throw usage_error("an .npz contains only .npy files; use another OUT for other formats");
  if (npz) out.what = kind::npz;
  const auto chosen = stored           ? element_format::stored
                      : folder || npz  ? named.value_or(element_format::npy)
                      : format.empty() ? convert::format_of_extension(ending)
                                       : named;
  if (!chosen)
    throw usage_error("'" + to + "' does not name a format; add --format npy, raw, csv, text or json, or --stored");
  out.format = *chosen;
  if (folder) out.names.add_object_name(extension(out.format));
  return out;
}

namespace {

std::string name_from_keys(const extract_destination& to, const exported_object& one, std::size_t index) try {
  return one.file_name(to.names, index);
} catch (const error& why) {
  throw cli_error(why.details().text(), next_step(why.details(), one.archive), one.address());
}

void refuse_equal_names(const extract_destination& to, std::span<const exported_object> all,
                        const std::vector<std::string>& names) {
  core::text_map<std::size_t, std::string_view> seen;
  for (std::size_t i = 0; i < all.size(); ++i) {
    const auto [other, first] = seen.emplace(names[i], i);
    if (first) continue;
    const bool is_pattern = to.what == extract_destination::kind::several && !to.names.is_folder();
    const bool same_archive = all[other->second].archive == all[i].archive;
    throw usage_error(fmt::format("'{}' and '{}' would both be written to '{}'{}", all[other->second].address(),
                                  all[i].address(), names[i],
                                  is_pattern && same_archive ? "; put [@message] and [@object], or other keys, into -o"
                                  : is_pattern ? "; write them to a folder, out/, or extract them in two calls"
                                               : "; extract them in two calls"));
  }
}

}  // namespace

std::vector<std::string> extract_destination::names_of(std::span<const exported_object> all) const {
  std::vector<std::string> out;
  if (what == kind::npz)
    out = convert::member_names(all);
  else if (what == kind::several)
    for (std::size_t i = 0; i < all.size(); ++i) out.push_back(name_from_keys(*this, all[i], i));
  else
    out.assign(all.size(), to);
  refuse_equal_names(*this, all, out);
  return out;
}

}  // namespace tgmap::cli

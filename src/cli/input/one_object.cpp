// SPDX-License-Identifier: Apache-2.0
#include "cli/input/one_object.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "cli/app/cli_error.hpp"
#include "cli/input/archives.hpp"
#include "cli/print/caption.hpp"

namespace tgmap::cli {

namespace {

constexpr std::size_t max_listed = 12;

/// Returns for example "0: 2t float32 [1024, 1024]".
std::string choice(const message& in, std::size_t j) {
  failure why;
  const object o = in.at(j, why);
  const descriptor what = why ? descriptor() : o.descriptor(why);
  if (why) return fmt::format("{}: unreadable", j);
  failure none;
  const std::string name = caption_of(o.metadata(none)).name;
  return fmt::format("{}: {}{}{} [{}]", j, name, name.empty() ? "" : " ", tgmap::to_string_view(what.dtype),
                     fmt::join(what.shape(), ", "));
}

[[noreturn]] void ask_which(const message& in, const std::string& target, std::size_t objects) {
  std::string list;
  for (std::size_t j = 0; j < std::min(objects, max_listed); ++j) list += (j == 0 ? "" : "; ") + choice(in, j);
  if (objects > max_listed) list += "; …";
  throw usage_error(fmt::format("'{}' has {} objects; name one, for example {}:0 ({})", target, objects, target, list));
}

}  // namespace

message find_one_message(const archive& from, const target& wanted, std::string_view what, std::string_view address) {
  if (!wanted.whole_file()) return find_message(from, wanted);
  failure why;
  const message first = from.at(0, why);
  if (why) throw cli_error("has no messages", fmt::format("run `tgmap info {}`", wanted.file));
  from.at(1, why);
  if (why) return first;
  throw usage_error(fmt::format("'{}' has several messages; name {}, for example {}{}; `tgmap ls {}` lists them",
                                wanted.file, what, wanted.file, address, wanted.file));
}

one_object find_one_object(const archive& from, const target& wanted) {
  const message in = find_one_message(from, wanted, "one object", ":0:0");
  std::string name = wanted.whole_file() ? wanted.file + ":0"
                     : wanted.offset     ? fmt::format("{}@{}", wanted.file, *wanted.offset)
                                         : fmt::format("{}:{}", wanted.file, *wanted.messages->begin);
  if (wanted.objects) {
    const object o = find_object(in, wanted);
    return {in, o, fmt::format("{}:{}", name, o.index())};
  }
  const std::size_t objects = in.size();
  if (objects == 0) throw cli_error("message " + name + " has no objects", "name another message");
  if (objects > 1) ask_which(in, name, objects);
  return {in, in[0], name + ":0"};
}

}  // namespace tgmap::cli

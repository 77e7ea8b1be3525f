// SPDX-License-Identifier: Apache-2.0
#include "cli/options/metadata_options.hpp"

#include <fmt/format.h>

#include <cstdint>

#include "cli/app/cli_error.hpp"
#include "cli/app/read_input.hpp"
#include "cli/options/assignments.hpp"
#include "cli/options/json_to_cbor.hpp"

namespace tgmap::cli {

namespace {

constexpr const char* forms = R"(write {"base":[{…},…],"extra":{…}}, or a map of keys for every object)";

cbor_value read_meta(const std::string& given) {
  if (!given.starts_with('@')) return json_to_cbor(given, "--meta");
  const std::string file = given.substr(1);
  const convert::file_bytes contents = read_input(file);
  return json_to_cbor({reinterpret_cast<const char*>(contents.bytes().data()), contents.bytes().size()}, file);
}

/// Checks the key now, before any work is done.
void set_key(edit::new_metadata& of, const assignment& given) {
  failure why;
  of.set(
      given.key, [&] { return assigned_value(given, given.type); }, why);
  if (!why) return;
  if (why.expected == static_cast<std::uint64_t>(edit_error::no_object))
    throw usage_error(fmt::format("'{}' belongs to one object, but -s sets keys of all objects", given.key),
                      R"(use --meta '{"base":[{…},…]}' to set keys of each object)");
  try {
    throw_edit_error(given.key, why);
  } catch (const cli_error& refused) {
    throw usage_error(refused.what(), refused.next_step());
  }
}

void take_meta(edit::new_metadata& into, const cbor_value& meta) {
  using kind = edit::new_metadata_fault::kind;
  const edit::new_metadata_fault fault = into.take(meta);
  switch (fault.what) {
    case kind::none: return;
    case kind::no_map: throw usage_error("--meta is not a map", forms);
    case kind::other_keys:
      throw usage_error("--meta has keys other than base and extra, or one of them has the wrong type", forms);
    case kind::no_base_map: throw usage_error(fmt::format("base[{}] in --meta is not a map", fault.number), forms);
    case kind::reserved_key:
      throw usage_error("--meta has the key '_reserved_', which belongs to the writer", "leave it out");
  }
}

}  // namespace

void add_metadata_options(CLI::App& app, metadata_options& into) {
  app.add_option("--meta", into.meta,
                 R"(Metadata as JSON or @FILE: keys for every object, or {"base":[…],"extra":{…}} for each object and )"
                 "the message")
      ->type_name("JSON");
  app.add_option("-s,--set", into.assignments,
                 "Set a key of every object, or extra.KEY of the message. The value is a number if it is printed as "
                 "given, else text; KEY:s= is text, :i= an integer, :d= a "
                 "float, :b= a boolean, :null null, :j= JSON up to the end. \\, is a comma; may be repeated")
      ->type_name("KEY=VALUE,...")
      ->allow_extra_args(false);
}

edit::new_metadata make_metadata(const metadata_options& given) {
  edit::new_metadata out;
  if (given.meta) take_meta(out, read_meta(*given.meta));
  for (const std::string& argument : given.assignments)
    for (const assignment& each : parse_assignments(argument)) set_key(out, each);
  return out;
}

}  // namespace tgmap::cli

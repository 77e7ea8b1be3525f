// SPDX-License-Identifier: Apache-2.0
#include "cli/options/metadata_options.hpp"

#include <fmt/format.h>

#include "cli/app/cli_error.hpp"
#include "cli/app/input_bytes.hpp"
#include "cli/options/assignments.hpp"
#include "cli/options/json_to_cbor.hpp"
#include "cli/print/human_numbers.hpp"

namespace tgmap::cli {

namespace {

constexpr const char* forms = R"(write {"base":[{…},…],"extra":{…}}, or a map of keys for every object)";

cbor_value read_meta(const std::string& given) {
  if (!given.starts_with('@')) return json_to_cbor(given, "--meta");
  const std::string file = given.substr(1);
  const input_bytes contents = read_input(file);
  return json_to_cbor({reinterpret_cast<const char*>(contents.bytes().data()), contents.bytes().size()}, file);
}

/// Rejects the key that `dump --json` prints, since users may pass its output unchanged.
void refuse_reserved(const cbor_view& keys) {
  if (keys.find("_reserved_"))
    throw usage_error("--meta has the key '_reserved_', which belongs to the writer", "leave it out");
}

editable_key place_of(const std::string& key) try {
  editable_key out = editable_key::parse(key);
  out.check_new();
  return out;
} catch (const cli_error& why) {
  throw usage_error(why.what(), why.next_step());
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

new_metadata::new_metadata(const metadata_options& given) {
  if (given.meta) take(read_meta(*given.meta));
  for (const std::string& argument : given.assignments)
    for (const assignment& each : parse_assignments(argument)) assign(each);
}

/// Checks the key now, before any work is done.
void new_metadata::assign(const assignment& given) {
  const editable_key at = place_of(given.key);
  if (at.in == editable_key::part::one_base || at.in == editable_key::part::descriptor)
    throw usage_error(fmt::format("'{}' belongs to one object, but -s sets keys of all objects", given.key),
                      R"(use --meta '{"base":[{…},…]}' to set keys of each object)");
  const bool wide = at.in == editable_key::part::extra;
  if (!wide) assigned_.emplace_back(at.path, assigned_value(given));
  cbor_value scratch = cbor_value::map();
  failure why;
  (wide ? extra_ : scratch).set(at.path, wide ? assigned_value(given) : assigned_.back().second, why);
  if (why)
    throw usage_error(fmt::format("'{}' is not a key that can be set", given.key), "write names separated by dots");
}

void new_metadata::take(const cbor_value& meta) {
  if (!meta.is_map()) throw usage_error("--meta is not a map", forms);
  const auto base = meta.view().find("base"), extra = meta.view().find("extra");
  if (!base && !extra) {
    refuse_reserved(meta.view());
    all_ = meta;
    return;
  }
  const bool shares = extra && extra->kind() == cbor_kind::map;
  listed_ = base && base->kind() == cbor_kind::array;
  if (meta.view().size() != (listed_ ? 1U : 0U) + (shares ? 1U : 0U))
    throw usage_error("--meta has keys other than base and extra, or one of them has the wrong type", forms);
  if (shares) refuse_reserved(*extra);
  if (shares) extra_ = cbor_value::copy(*extra);
  if (!listed_) return;
  base->visit([&](std::uint64_t j, const cbor_view& each) {
    if (each.kind() != cbor_kind::map) throw usage_error(fmt::format("base[{}] in --meta is not a map", j), forms);
    refuse_reserved(each);
    each_.push_back(cbor_value::copy(each));
    return true;
  });
}

cbor_value new_metadata::base(std::size_t j, const std::string& name) const {
  if (listed_ && j >= each_.size())
    throw cli_error(fmt::format("base in --meta has {}, but there are more objects", count_text(each_.size(), "map")),
                    "add a map for each object; it may be empty");
  cbor_value out = cbor_value::map();
  if (!name.empty()) out.set("name", std::string_view(name));
  out.update(listed_ ? each_[j] : all_);
  for (const auto& [key, value] : assigned_) out.set(key, value);
  return out;
}

void new_metadata::check_count(std::size_t objects) const {
  if (listed_ && each_.size() > objects)
    throw cli_error(
        fmt::format("base in --meta has {} for {}", count_text(each_.size(), "map"), count_text(objects, "object")),
        "leave out the maps without an object");
}

}  // namespace tgmap::cli

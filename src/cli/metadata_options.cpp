// SPDX-License-Identifier: Apache-2.0
#include "cli/metadata_options.hpp"

#include <fmt/format.h>

#include "cli/assigned_item.hpp"
#include "cli/complaint.hpp"
#include "cli/human.hpp"
#include "cli/input_bytes.hpp"
#include "cli/json_item.hpp"
#include "cli/rewrite/key_place.hpp"

namespace tgmap::cli {

namespace {

constexpr const char* forms = R"(write {"base":[{…},…],"extra":{…}}, or a map of keys for every object)";

cbor_value read_meta(const std::string& given) {
  if (!given.starts_with('@')) return json_item(given, "--meta");
  const std::string file = given.substr(1);
  const input_bytes contents = input_bytes::of(file);
  return json_item({reinterpret_cast<const char*>(contents.bytes().data()), contents.bytes().size()}, file);
}

/// As `dump --json` shows it, which people may hand over whole.
void refuse_reserved(const cbor_view& keys) {
  if (keys.find("_reserved_"))
    throw usage_error("--meta has the key '_reserved_', which says who wrote the message, and what",
                      "leave it out: it is written anyway");
}

key_place place_of(const std::string& key) try {
  key_place out = key_place::parse(key);
  out.check_new();
  return out;
} catch (const complaint& why) {
  throw usage_error(why.what(), why.next_step());
}

}  // namespace

void add_metadata_options(CLI::App& app, metadata_options& into) {
  app.add_option("--meta", into.meta,
                 R"(Metadata as JSON, or @FILE with it: keys for every object, or {"base":[…],"extra":{…}} with those )"
                 "of each object and of the message")
      ->type_name("JSON");
  app.add_option("-s,--set", into.assignments,
                 "Keys for every object, extra.KEY for the message, as text unless KEY:i= (integer), :d= (floating), "
                 ":b= (true, false), :null or "
                 ":j= (JSON, up to the end) says otherwise; \\, is a comma; may be repeated")
      ->type_name("KEY=VALUE,...")
      ->allow_extra_args(false);
}

new_metadata::new_metadata(const metadata_options& given) {
  if (!given.meta.empty()) take(read_meta(given.meta));
  for (const std::string& argument : given.assignments)
    for (const assignment& each : parse_assignments(argument)) assign(each);
}

/// That there can be such a key is found out before work is done.
void new_metadata::assign(const assignment& given) {
  const key_place at = place_of(given.key);
  if (at.in == key_place::part::one_base || at.in == key_place::part::descriptor)
    throw usage_error(fmt::format("'{}' is of one object, and -s gives keys to all of them", given.key),
                      R"(write --meta '{"base":[{…},…]}' to give each its own)");
  const bool wide = at.in == key_place::part::extra;
  if (!wide) assigned_.emplace_back(at.path, assigned_item(given));
  cbor_value scratch = cbor_value::map();
  failure why;
  (wide ? extra_ : scratch).set(at.path, wide ? assigned_item(given) : assigned_.back().second, why);
  if (why) throw usage_error(fmt::format("'{}' is no key that can be set", given.key), "write names with dots between");
}

void new_metadata::take(const cbor_value& meta) {
  if (!meta.is_map()) throw usage_error("--meta is no map", forms);
  const auto base = meta.view().find("base"), extra = meta.view().find("extra");
  if (!base && !extra) {
    refuse_reserved(meta.view());
    all_ = meta;
    return;
  }
  const bool shares = extra && extra->kind() == cbor_kind::map;
  listed_ = base && base->kind() == cbor_kind::array;
  if (meta.view().size() != (listed_ ? 1U : 0U) + (shares ? 1U : 0U))
    throw usage_error("--meta has other keys beside base and extra, or one of the two is of another kind", forms);
  if (shares) refuse_reserved(*extra);
  if (shares) extra_ = cbor_value::copy(*extra);
  if (!listed_) return;
  base->visit([&](std::uint64_t j, const cbor_view& each) {
    if (each.kind() != cbor_kind::map) throw usage_error(fmt::format("base[{}] in --meta is no map", j), forms);
    refuse_reserved(each);
    each_.push_back(cbor_value::copy(each));
    return true;
  });
}

cbor_value new_metadata::base(std::size_t j, const std::string& name) const {
  if (listed_ && j >= each_.size())
    throw complaint(fmt::format("base in --meta has {}, and there are more objects", counted(each_.size(), "map")),
                    "give each object one; {} is empty");
  cbor_value out = cbor_value::map();
  if (!name.empty()) out.set("name", std::string_view(name));
  out.update(listed_ ? each_[j] : all_);
  for (const auto& [key, value] : assigned_) out.set(key, value);
  return out;
}

void new_metadata::check_count(std::size_t objects) const {
  if (listed_ && each_.size() > objects)
    throw complaint(
        fmt::format("base in --meta has {} for {}", counted(each_.size(), "map"), counted(objects, "object")),
        "leave out what belongs to no object");
}

}  // namespace tgmap::cli

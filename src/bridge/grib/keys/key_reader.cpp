// SPDX-License-Identifier: Apache-2.0
#include "bridge/grib/keys/key_reader.hpp"

#include <algorithm>
#include <iterator>
#include <new>

#include "bridge/grib/keys/eccodes_failure.hpp"
#include "bridge/grib/keys/field_message.hpp"
#include "bridge/grib/keys/grid_keys.hpp"
#include "bridge/grib/keys/namespace_keys.hpp"
#include "bridge/grib/sections/section_digest.hpp"

namespace tgmap::bridge::grib {

namespace {

const cbor_value* find_key(const named_keys& in, std::string_view name) noexcept {
  const auto found = std::find_if(in.begin(), in.end(), [&](const auto& each) { return each.first == name; });
  return found == in.end() ? nullptr : &found->second;
}

/// The control forecast of an ensemble has no number in MARS. It is member 0 beside the perturbed ones.
void add_number(named_keys& mars) {
  const cbor_value* const type = find_key(mars, "type");
  if (type != nullptr && *type == cbor_value("cf") && find_key(mars, "number") == nullptr)
    mars.emplace_back("number", cbor_value(0));
}

/// Returns the sections that the keys depend on, one after the other with their lengths.
std::vector<std::byte> bytes_of_sections(const field& of) {
  std::vector<std::byte> out;
  const std::size_t last = of.edition == 2 ? 4 : 2;
  for (std::size_t number = 1; number <= last; ++number) {
    const byte_view section = of.sections[number];
    for (unsigned shift = 0; shift < 32; shift += 8)
      out.push_back(static_cast<std::byte>(section.size() >> shift & 0xFFU));
    out.insert(out.end(), section.begin(), section.end());
  }
  if (of.edition == 2) out.push_back(of.sections[0][6]);  // the discipline
  out.push_back(static_cast<std::byte>(of.edition));
  return out;
}

}  // namespace

std::uint64_t key_reader::calls() const noexcept {
  const std::lock_guard lock(mutex_);
  return calls_;
}

bool key_reader::find(const cache_key& key, cbor_value& out) {
  const std::lock_guard lock(mutex_);
  const auto found = places_.find(key.digest);
  if (found == places_.end() || found->second->sections != key.sections) return false;
  entries_.splice(entries_.begin(), entries_, found->second);
  out = found->second->keys;
  return true;
}

void key_reader::remember(cache_key key, const cbor_value& keys) {
  const std::lock_guard lock(mutex_);
  const auto size_of = [](const cache_entry& each) { return each.sections.size() + each.keys.encoded().size() + 256; };
  const auto forget = [&](std::list<cache_entry>::iterator each) {
    bytes_ -= size_of(*each);
    places_.erase(each->digest);
    entries_.erase(each);
  };
  if (const auto same = places_.find(key.digest); same != places_.end()) forget(same->second);
  entries_.push_front({.digest = key.digest, .sections = std::move(key.sections), .keys = keys});
  bytes_ += size_of(entries_.front());
  places_.emplace(key.digest, entries_.begin());
  while (!entries_.empty() && (entries_.size() > options_.max_cached_fields || bytes_ > options_.max_cached_bytes))
    forget(std::prev(entries_.end()));
}

/// The result has what depends on the sections of the key alone, and on the template of the packing.
cbor_value key_reader::read_by_eccodes(const field& of, failure& why) {
  const std::vector<std::byte> message = message_without_data(of, why);
  if (why) return {};
  count_call();
  cbor_value out;
  use_handle(message, of, why, [&](const eccodes_library& library, grib_handle* handle) {
    out = read_handle(handle_reader(library, handle));
  });
  return out;
}

cbor_value key_reader::read_handle(const handle_reader& reader) const {
  named_keys mars = reader.read_namespace("mars"), grib, out;
  add_number(mars);
  add_grid(reader, mars);
  for (const std::string& each : options_.namespaces)
    if (const named_keys keys = reader.read_namespace(each.c_str()); !keys.empty())
      grib.emplace_back(each, map_of(keys));
  const std::string name = reader.read_text("shortName");
  if (!mars.empty()) out.emplace_back("mars", map_of(mars));
  if (!name.empty() && name != "unknown" && name != "~") out.emplace_back("name", cbor_value(name));
  if (!grib.empty()) out.emplace_back("grib", map_of(grib));
  return map_of(out);
}

void key_reader::count_call() noexcept {
  const std::lock_guard lock(mutex_);
  ++calls_;
}

cbor_value key_reader::read(const field& of, failure& why) noexcept try {
  why = {};
  const section_digest digest = digest_of_keys(of);
  cache_key key{.digest = {digest.high, digest.low}, .sections = bytes_of_sections(of)};
  if (!options_.namespaces.empty()) {  // these know the packing
    const packing how = read_packing(of, why);
    if (why) return {};
    for (const unsigned shift : {0U, 8U})
      key.sections.push_back(static_cast<std::byte>(how.template_number >> shift & 0xFFU));
    key.digest.second += how.template_number;
  }
  cbor_value out;
  if (!find(key, out)) {
    const std::lock_guard lock(reading_);
    if (!find(key, out)) {  // another thread may have read the same meanwhile
      out = read_by_eccodes(of, why);
      if (!why) remember(std::move(key), out);
    }
  }
  if (!why) add_scanning_mode(of, out, why);
  if (!why && out.view().at_path("grib.geography.bitmapPresent"))
    out.set("grib.geography.bitmapPresent", cbor_value(of.bitmap_section.empty() ? 0 : 1));
  return why ? cbor_value() : out;
} catch (const std::bad_alloc&) {
  why = {.code = tgmap::errc::out_of_memory};
  return {};
} catch (const error& each) {
  why = each.details();
  return {};
}

}  // namespace tgmap::bridge::grib

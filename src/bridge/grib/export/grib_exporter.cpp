// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>
#include <cstring>
#include <new>
#include <tgmap/bridge/grib_export.hpp>
#include <utility>
#include <vector>

#include "bridge/grib/carry/message_builder.hpp"
#include "bridge/grib/import/key_hash.hpp"
#include "bridge/grib/packing/byte_buffer.hpp"
#include "core/or_throw.hpp"

namespace tgmap {
inline namespace v0 {
namespace bridge {

namespace {

/// Checks that the keys of an object are those that the import wrote. Objects of other programs have no hash.
void check_keys(const cbor_value& base, failure& why) noexcept {
  const auto stored = base.view().find(grib::key_hash_key);
  if (!stored) return;
  const auto bytes = stored->get<std::span<const std::byte>>();
  const auto hash = grib::hash_of_keys(base.view(), why);
  if (why) return;
  if (!bytes || !std::equal(bytes->begin(), bytes->end(), hash.begin(), hash.end())) why = {.code = errc::keys_edited};
}

}  // namespace

struct grib_exporter::state {
  explicit state(sink& into) noexcept : to(into) {}

  void read_payload(const archive& from, const object& of, failure& why);
  void read_values(const object& of, failure& why);
  void write_messages(failure& why);

  sink& to;
  grib::message_builder builder{};
  grib::byte_buffer memory{};
  grib::byte_view payload{};
  std::vector<double> values{};
  std::vector<std::byte> missing{};
  std::vector<grib::byte_view> pieces{};
  std::vector<written_grib_message> written{};  // by the last call
  std::uint64_t messages = 0, objects = 0, total_bytes = 0, split_before = 0;
  std::size_t waiting = 0;  // objects whose message was not written
};

void grib_exporter::state::read_payload(const archive& from, const object& of, failure& why) {
  const std::uint64_t size = of.payload_and_masks_size();
  if (size > from.size_bytes()) {
    why = {.code = tgmap::errc::file_shrank, .expected = size, .found = from.size_bytes()};
    return;
  }
  const auto bytes = memory.take(size, why);
  if (why) return;
  from.read(of.payload_offset(), bytes, why);
  payload = bytes;
}

/// Decodes an object that is stored in another way than the import does.
void grib_exporter::state::read_values(const object& of, failure& why) {
  const tensor decoded = of.decode_as(dtype::float64, why);
  if (why) return;
  values.resize(decoded.bytes().size() / sizeof(double));
  if (!values.empty()) std::memcpy(values.data(), decoded.bytes().data(), values.size() * sizeof(double));
  missing.assign(values.size() / 8 + (values.size() % 8 != 0 ? 1 : 0), std::byte{0});
  bool has_missing = false;
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (!std::isnan(values[i])) continue;
    missing[i / 8] |= std::byte{0x80} >> (i % 8);
    has_missing = true;
  }
  if (!has_missing) missing.clear();
}

/// Writes the messages that are complete. Fields that were split off come first, one in each message.
void grib_exporter::state::write_messages(failure& why) {
  std::uint64_t split = builder.split_fields() - std::exchange(split_before, builder.split_fields());
  while (builder.take(pieces)) {
    why = to.write(pieces);
    if (why) return;
    written_grib_message one{.offset = total_bytes};
    for (const grib::byte_view piece : pieces) one.bytes += piece.size();
    one.objects = split != 0 ? 1 : waiting;
    if (split != 0) --split;
    waiting -= one.objects;
    total_bytes += one.bytes;
    objects += one.objects;
    ++messages;
    written.push_back(one);
  }
}

grib_exporter::grib_exporter(sink& to) : state_(std::make_unique<state>(to)) {}

grib_exporter::grib_exporter(sink& to, failure& why) noexcept : state_(new (std::nothrow) state(to)) {
  why = {};
  if (!state_) why = {.code = tgmap::errc::out_of_memory};
}

grib_exporter::~grib_exporter() = default;
grib_exporter::grib_exporter(grib_exporter&&) noexcept = default;
grib_exporter& grib_exporter::operator=(grib_exporter&&) noexcept = default;

void grib_exporter::add(const archive& from, const message& in, std::size_t j, failure& why) noexcept {
  why = {};
  if (!state_) {
    why = {.code = tgmap::errc::call_out_of_order};
    return;
  }
  state_->written.clear();
  try {
    const object of = in.at(j, why);
    if (why) return;
    const metadata keys = in.base(j, why);
    if (why) return;
    const cbor_value base = cbor_value::copy(keys, why);
    if (why) return;
    check_keys(base, why);
    if (why) return;
    const descriptor about = of.descriptor(why);
    if (why) return;
    const cbor_value description = cbor_value::copy(about.entries, why);
    if (why) return;
    state& run = *state_;
    run.read_payload(from, of, why);
    if (why) return;
    grib::rebuilt_source source{
        .descriptor = description.view(), .payload_and_masks = run.payload, .base = base.view()};
    if (grib::needs_values(source.descriptor)) {
      run.read_values(of, why);
      if (why) return;
      source.values = run.values;
      source.missing = run.missing;
    }
    run.builder.add(source, why);
    if (why) return;
    ++run.waiting;
    run.write_messages(why);
  } catch (const std::bad_alloc&) {
    why = {.code = tgmap::errc::out_of_memory};
  }
}

void grib_exporter::add(const archive& from, const message& in, std::size_t j) {
  core::or_throw([&](failure& why) { add(from, in, j, why); });
}

void grib_exporter::finish(failure& why) noexcept {
  why = {};
  if (!state_) {
    why = {.code = tgmap::errc::call_out_of_order};
    return;
  }
  state_->written.clear();
  try {
    state_->builder.finish();
    state_->write_messages(why);
  } catch (const std::bad_alloc&) {
    why = {.code = tgmap::errc::out_of_memory};
  }
}

void grib_exporter::finish() {
  core::or_throw([&](failure& why) { finish(why); });
}

std::span<const written_grib_message> grib_exporter::written() const noexcept {
  return state_ ? std::span<const written_grib_message>(state_->written) : std::span<const written_grib_message>();
}

std::uint64_t grib_exporter::split_fields() const noexcept { return state_ ? state_->builder.split_fields() : 0; }
std::uint64_t grib_exporter::messages() const noexcept { return state_ ? state_->messages : 0; }
std::uint64_t grib_exporter::objects() const noexcept { return state_ ? state_->objects : 0; }
std::uint64_t grib_exporter::bytes_written() const noexcept { return state_ ? state_->total_bytes : 0; }

}  // namespace bridge
}  // namespace v0
}  // namespace tgmap

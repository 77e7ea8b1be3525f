// SPDX-License-Identifier: Apache-2.0
// Access to payloads: limits, handles without an archive, files that shrink, bytes that change.
#include "archive/payload_access.hpp"

#include <array>
#include <boost/test/unit_test.hpp>
#include <support/builder.hpp>
#include <support/failures.hpp>
#include <support/numbered.hpp>
#include <support/temporary.hpp>

using namespace tgmap_test;
namespace inner = tgmap::detail;
using tgmap::errc;
using tgmap::failure;

BOOST_AUTO_TEST_SUITE(payload_access_test)

namespace {

/// Returns an archive of one object with a payload of 8 bytes and masks of 4 bytes.
bytes masked_archive(int version = 3) {
  object_spec object = bytes_object("payload!");
  object.masks = {{.kind = "nan", .blob = "mask"}};
  return message({.version = version, .objects = {object}});
}

template <class F>
bytes read_by(F&& read, std::size_t size) {
  bytes out(size, '?');
  TGMAP_SUCCEEDED(read(std::as_writable_bytes(std::span(out))));
  return out;
}

}  // namespace

BOOST_AUTO_TEST_CASE(objects_without_an_archive_have_no_bytes) {
  const tgmap::object none;
  std::array<std::byte, 4> out{};
  TGMAP_FAILED(inner::read_region(none, 0, out), errc::no_archive);
  TGMAP_FAILED(inner::read_payload(none, 0, out), errc::no_archive);
  bool legacy = true;
  TGMAP_FAILED(inner::legacy_szip_flags(none, legacy), errc::no_archive);
  BOOST_TEST(!legacy);
  BOOST_TEST(inner::options_of(none).max_objects == tgmap::open_options{}.max_objects);
  BOOST_TEST(!inner::is_mapped(none));
  BOOST_TEST(!inner::may_look(none));
  BOOST_TEST(inner::payload_in_memory(none).empty());
  BOOST_TEST(!inner::pin_of(none));
  inner::remember_checked_offsets(none, 3);
  BOOST_TEST(inner::checked_offset_count(none) == 0u);
}

BOOST_AUTO_TEST_CASE(objects_of_an_archive_have_its_options_and_keep_it) {
  const bytes data = masked_archive();
  tgmap::pin kept;
  {
    const auto archive = open(data, {.max_objects = 77});
    const auto object = archive[0][0];
    BOOST_TEST(inner::options_of(object).max_objects == 77u);
    kept = inner::pin_of(object);
    inner::remember_checked_offsets(object, 3);
    BOOST_TEST(inner::checked_offset_count(object) == 3u);
  }
  BOOST_TEST(static_cast<bool>(kept));
}

BOOST_AUTO_TEST_CASE(reads_end_with_the_region_and_the_payload) {
  const temporary_directory temporary;
  const auto path = temporary.file("a.tgm", masked_archive());
  for (const auto mode : {tgmap::io_mode::map, tgmap::io_mode::read}) {
    const tgmap::archive archive(path, {.io = mode});
    const auto object = archive[0][0];
    BOOST_TEST(read_by([&](auto out) { return inner::read_region(object, 6, out); }, 6) == "d!mask");
    BOOST_TEST(read_by([&](auto out) { return inner::read_region(object, 12, out); }, 0).empty());
    BOOST_TEST(read_by([&](auto out) { return inner::read_payload(object, 4, out); }, 4) == "oad!");
    BOOST_TEST(read_by([&](auto out) { return inner::read_payload(object, 8, out); }, 0).empty());

    std::array<std::byte, 4> out{};
    for (const std::uint64_t at : {std::uint64_t{9}, std::uint64_t{13}, UINT64_MAX}) {
      const failure why = inner::read_region(object, at, out);
      TGMAP_FAILED(why, errc::mask_out_of_range);
      BOOST_TEST(why.expected == 12u);
      BOOST_TEST(why.found == at);
    }
    const failure why = inner::read_payload(object, 5, out);
    TGMAP_FAILED(why, errc::read_past_end);
    BOOST_TEST(why.expected == 8u);
    BOOST_TEST(why.found == 9u);
    TGMAP_FAILED(inner::read_payload(object, UINT64_MAX, out), errc::read_past_end);
    BOOST_TEST((out == std::array<std::byte, 4>{}));
  }
}

BOOST_AUTO_TEST_CASE(only_bytes_that_cannot_change_are_used_in_memory) {
  const bytes data = masked_archive();
  const auto in_memory = open(data);
  BOOST_TEST(inner::is_mapped(in_memory[0][0]));
  BOOST_TEST(inner::may_look(in_memory[0][0]));
  BOOST_TEST(view_of(inner::payload_in_memory(in_memory[0][0])) == "payload!");

  const temporary_directory temporary;
  const auto path = temporary.file("a.tgm", data);
  const tgmap::archive mapped(path, {.io = tgmap::io_mode::map});
  BOOST_TEST(inner::is_mapped(mapped[0][0]));
  BOOST_TEST(inner::payload_in_memory(mapped[0][0]).empty());
  const tgmap::archive unmapped(path, {.io = tgmap::io_mode::read});
  BOOST_TEST(!inner::is_mapped(unmapped[0][0]));
  BOOST_TEST(!inner::may_look(unmapped[0][0]));
  BOOST_TEST(inner::payload_in_memory(unmapped[0][0]).empty());
}

BOOST_AUTO_TEST_CASE(zeros_behind_the_end_of_a_file_are_no_payload) {
  const temporary_directory temporary;
  const auto path = temporary.file("a.tgm", masked_archive());
  const tgmap::archive archive(path, {.io = tgmap::io_mode::map});
  const auto object = archive[0][0];
  bytes seen;
  auto look = [&](std::span<const std::byte> payload) noexcept { seen = view_of(payload); };
  TGMAP_SUCCEEDED(inner::look_at_payload(object, look));
  BOOST_TEST(seen == "payload!");

  // The rest of the page reads as zeros, without a signal.
  std::filesystem::resize_file(path, object.payload_offset() + 2);
  const failure why = inner::look_at_payload(object, look);
  TGMAP_FAILED(why, errc::file_shrank);
  BOOST_TEST(why.offset == object.payload_offset());
  std::array<std::byte, 8> out{};
  TGMAP_FAILED(inner::read_payload(object, 0, out), errc::file_shrank);
}

BOOST_AUTO_TEST_CASE(only_old_releases_wrote_legacy_szip_flags) {
  const auto flags_of = [](const message_spec& spec) {
    const bytes data = message(spec);
    const auto archive = open(data);
    bool legacy = false;
    TGMAP_SUCCEEDED(inner::legacy_szip_flags(archive[0][0], legacy));
    return legacy;
  };
  const auto written_by = [](std::string_view name, std::string_view release) {
    return cbor::map({cbor::key(
        "encoder", cbor::map({cbor::key("name", cbor::text(name)), cbor::key("version", cbor::text(release))}))});
  };
  message_spec spec{.version = 2, .objects = {bytes_object("payload")}};
  spec.reserved = written_by("tensogram", "0.6.2");
  BOOST_TEST(flags_of(spec));
  spec.reserved = written_by("tensogram", "0.7.0");
  BOOST_TEST(!flags_of(spec));
  spec.version = 3;
  spec.reserved = written_by("tensogram", "0.6.2");
  BOOST_TEST(!flags_of(spec));
  message_spec without{.version = 2, .objects = {bytes_object("payload")}};
  without.metadata = where::none;
  BOOST_TEST(!flags_of(without), "a message without metadata does not say who wrote it");
}

BOOST_AUTO_TEST_CASE(the_writer_of_a_damaged_message_is_unknown) {
  const message_spec spec{.version = 2, .objects = {bytes_object("payload")}};
  const built_message built = build(spec);
  for (const auto& [type, code] : {std::pair(1, errc::bad_cbor), std::pair(2, errc::bad_index)}) {
    bytes data = built.data;
    const auto archive = open(data);
    const auto object = archive[0][0];
    for (const auto& frame : built.frames)
      if (frame.type == type) data[static_cast<std::size_t>(frame.offset) + 16] = '\x1c';  // CBOR has no such head
    bool legacy = true;
    const failure why = inner::legacy_szip_flags(object, legacy);
    BOOST_TEST_CONTEXT("frame of type " << type) TGMAP_FAILED(why, code);
    BOOST_TEST(!legacy);
    BOOST_TEST(why.message == 0u);
  }
}

BOOST_AUTO_TEST_SUITE_END()

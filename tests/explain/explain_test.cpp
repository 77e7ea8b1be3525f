// SPDX-License-Identifier: Apache-2.0
#include <fcntl.h>
#include <unistd.h>

#include <boost/test/unit_test.hpp>
#include <support/builder.hpp>
#include <support/shared_data.hpp>
#include <support/temporary.hpp>
#include <tgmap/mapping_guard.hpp>
#include <tgmap/tools/explain.hpp>
#include <tgmap/tools/index.hpp>
#include <tgmap/write/sink.hpp>

#include "explain/page_cache.hpp"

using namespace tgmap_test;
using tgmap::access_report;
using tgmap::access_route;
using tgmap::access_stage;
using tgmap::explain_access;

BOOST_AUTO_TEST_SUITE(explain)

namespace {

object_spec floats() { return numbers_object<float>("float32", {1, 2, 3, 4, 5, 6}); }

struct archive_file {
  temporary_directory directory;
  std::filesystem::path path;
  explicit archive_file(const bytes& data) : path(directory.file("f.tgm", data)) {}
};

access_route route_of(const message_spec& spec, tgmap::object_lookup lookup = tgmap::object_lookup::index) {
  const archive_file file(message(spec));
  return explain_access(file.path, {.object = 1}, {.lookup = lookup}).route;
}

std::uint64_t bytes_read(const access_report& of) {
  std::uint64_t out = 0;
  for (const tgmap::access_step& each : of.steps) out += each.cost.bytes_read;
  return out;
}

std::string stages(const access_report& of) {
  std::string out;
  for (const tgmap::access_step& each : of.steps) out += std::string(to_string_view(each.stage)) + " ";
  return out;
}

tgmap::errc error_of(const std::filesystem::path& path, const tgmap::access_target& wanted, const char* steps) {
  tgmap::failure why;
  const access_report seen = explain_access(path, wanted, {.damage = tgmap::on_damage::skip}, why);
  BOOST_TEST(stages(seen) == steps);
  BOOST_CHECK_THROW(explain_access(path, wanted, {.damage = tgmap::on_damage::skip}), tgmap::error);
  return static_cast<tgmap::errc>(why.code.value());
}

}  // namespace

BOOST_AUTO_TEST_CASE(routes) {
  const std::vector<object_spec> objects{floats(), floats()};
  BOOST_CHECK(route_of({.objects = objects}) == access_route::header_index);
  BOOST_CHECK(route_of({.objects = objects, .index = where::both}) == access_route::header_index);
  BOOST_CHECK(route_of({.objects = objects, .writing = writing::streamed}) == access_route::footer_index);
  BOOST_CHECK(route_of({.objects = objects, .index = where::none}) == access_route::walk);
  BOOST_CHECK(route_of({.objects = objects}, tgmap::object_lookup::walk) == access_route::walk);
  BOOST_TEST(to_string_view(access_route::walk) == "walk over frames");
}

BOOST_AUTO_TEST_CASE(steps_and_results) {
  const bytes first = message({.objects = {floats()}});
  const built_message second = build({.objects = {bytes_object("abcd"), floats()}});
  const archive_file file(first + second.data);
  for (const tgmap::access_target& wanted :
       {tgmap::access_target{.message = 1, .object = 1}, tgmap::access_target{.message = -1, .object = -1},
        tgmap::access_target{.offset = first.size(), .object = 1}}) {
    const access_report seen = explain_access(file.path, wanted, {.io = tgmap::io_mode::map});
    BOOST_TEST(stages(seen) == "open find layout object descriptor metadata payload ");
    BOOST_TEST(seen.message.offset() == first.size());
    BOOST_TEST(seen.message.length() == second.data.size());
    BOOST_TEST(seen.objects == 2u);
    BOOST_TEST(seen.object.value() == 1u);
    BOOST_TEST(seen.payload.end - seen.payload.begin == 24u);
    BOOST_TEST((first + second.data).substr(seen.payload.begin, 24) == floats().payload);
    BOOST_TEST(seen.decoded_size.value() == 24u);
    BOOST_TEST(!seen.why_not_in_place);
    BOOST_TEST(seen.descriptor.value().element_count == 6u);
    BOOST_CHECK(seen.mode == tgmap::io_mode::map);
    BOOST_TEST(seen.mode_reason == std::string("asked for"));
    BOOST_TEST(!seen.is_damaged);

    const tgmap::archive_range frame = seen.steps[3].ranges[0], descriptor = seen.steps[4].ranges[0];
    BOOST_TEST(frame.begin == first.size() + second.objects[1]);
    const std::string between = (first + second.data).substr(descriptor.begin, descriptor.end - descriptor.begin);
    BOOST_TEST(between == descriptor_of(floats(), 3));
    for (const tgmap::access_step& each : seen.steps)
      BOOST_TEST((each.stage == access_stage::open) == (each.pages == 0));
  }
  const access_report whole = explain_access(file.path, {.message = 1}, {});
  BOOST_TEST(stages(whole) == "open find layout metadata ");
  BOOST_TEST(!whole.object);
}

BOOST_AUTO_TEST_CASE(the_index_file_and_what_it_lists) {
  const bytes one = message({.objects = {floats(), floats()}});
  const archive_file file(one + one);
  BOOST_TEST(!explain_access(file.path, {.message = 1, .object = 1}).index.is_used);
  tgmap::memory_sink to;
  tgmap::create_index(tgmap::archive(file.path), to);
  const auto index = to.release();
  write_file(file.path.string() + ".tgx", {reinterpret_cast<const char*>(index.data()), index.size()});
  append_file(file.path, one);
  BOOST_TEST(!explain_access(file.path, {.message = 1, .object = 1}).index.is_current);
  BOOST_TEST(!explain_access(file.path, {.message = 1, .object = 1}).is_message_listed);
  BOOST_TEST(tgmap::check_index(tgmap::archive(file.path), file.path.string() + ".tgx").is_stamped);

  const access_report listed = explain_access(file.path, {.message = 1, .object = 1});
  BOOST_TEST(listed.index.is_used);
  BOOST_CHECK(listed.index.trust == tgmap::index_trust::sampled);
  BOOST_TEST(listed.index.messages == 2u);
  BOOST_TEST(listed.index.covered_bytes == 2 * one.size());
  BOOST_TEST(listed.is_message_listed);
  BOOST_TEST(listed.is_object_listed);
  BOOST_TEST(listed.steps[1].ranges[0].begin == one.size(), "nothing before the message is needed");
  BOOST_TEST(explain_access(file.path, {.offset = one.size()}).is_message_listed);
  BOOST_TEST(!explain_access(file.path, {.message = 1}).is_object_listed);

  const access_report walked = explain_access(file.path, {.object = 1}, {.lookup = tgmap::object_lookup::walk});
  BOOST_TEST(walked.is_message_listed);
  BOOST_TEST(!walked.is_object_listed);
  const access_report appended = explain_access(file.path, {.message = 2, .object = 1});
  BOOST_TEST(appended.index.is_used);
  BOOST_TEST(!appended.is_message_listed);
  BOOST_TEST(!appended.is_object_listed);
  const access_report checked = explain_access(file.path, {.message = 0}, {.index = tgmap::index_use::checked});
  BOOST_CHECK(checked.index.trust == tgmap::index_trust::checked);

  write_file(file.path, one);
  const access_report refused = explain_access(file.path, {.message = 0, .object = 1});
  BOOST_TEST(!refused.index.is_used);
  BOOST_TEST((refused.index.refusal.code == make_error_code(tgmap::errc::index_mismatch)));
  BOOST_TEST(!refused.is_message_listed);
}

BOOST_AUTO_TEST_CASE(ranges_of_descriptors) {
  object_spec first = floats();
  first.cbor_first = true;
  for (const int version : {2, 3}) {
    const bytes data = message({.version = version, .objects = {first, floats()}});
    const archive_file file(data);
    for (const int j : {0, 1}) {
      const access_report seen = explain_access(file.path, {.object = j}, {});
      const tgmap::archive_range at = seen.steps[4].ranges[0];
      BOOST_TEST(data.substr(at.begin, at.end - at.begin) == descriptor_of(j == 0 ? first : floats(), version));
    }
  }
}

BOOST_AUTO_TEST_CASE(errors_name_the_step) {
  using tgmap::errc;
  const archive_file file(message({.objects = {floats()}}));
  BOOST_CHECK(error_of(file.path, {.message = 1}, "open ") == errc::out_of_range);
  BOOST_CHECK(error_of(file.path, {.message = -2}, "open ") == errc::out_of_range);
  BOOST_CHECK(error_of(file.path, {.offset = 8}, "open ") == errc::not_a_message);
  BOOST_CHECK(error_of(file.path, {.object = 1}, "open find layout ") == errc::out_of_range);
  BOOST_CHECK(error_of(file.path, {.object = -2}, "open find layout ") == errc::out_of_range);
  BOOST_CHECK(error_of(file.directory.path(), {}, "") == errc::is_directory);
  BOOST_CHECK_THROW(explain_access(file.directory / "gone", {}), tgmap::error);

  const archive_file old(version_1_message({"abcd"}));
  BOOST_CHECK(error_of(old.path, {}, "open find ") == errc::version_1);
  const archive_file lying(message({.objects = {floats()}, .lie = [](index_spec& index) { index.offsets[0] = 8; }}));
  error_of(lying.path, {.object = 0}, "open find ");
  BOOST_TEST(stages(explain_access(lying.path, {.object = 0}, {.lookup = tgmap::object_lookup::walk})).size() > 20u);
}

BOOST_AUTO_TEST_CASE(message_without_metadata) {
  const archive_file file(message({.objects = {floats()}, .metadata = where::none}));
  BOOST_TEST(stages(explain_access(file.path, {}, {})) == "open find layout metadata ");
  BOOST_TEST(explain_access(file.path, {.object = 0}, {}).steps.size() == 7u);
}

BOOST_AUTO_TEST_CASE(damage_is_reported) {
  const archive_file file("noise" + message({.objects = {floats()}}));
  BOOST_TEST(explain_access(file.path, {.object = 0}, {.damage = tgmap::on_damage::skip}).is_damaged);
}

/// Two payloads of eight megabytes; one is before its descriptor and one is after it.
struct large : archive_file {
  static constexpr std::size_t payload = 8 << 20;
  large() : archive_file(data()) {}
  static bytes data() {
    object_spec first = bytes_object(bytes(payload, 'x')), second = first;
    second.cbor_first = true;
    return message({.objects = {first, second}, .base = {cbor::map({})}});
  }
};

BOOST_FIXTURE_TEST_CASE(payloads_are_not_read, large) {
  for (const tgmap::object_lookup lookup : {tgmap::object_lookup::index, tgmap::object_lookup::walk})
    for (const int j : {0, 1}) {
      const access_report seen = explain_access(path, {.object = j}, {.io = tgmap::io_mode::read, .lookup = lookup});
      if (!seen.has_read_counts) return say_skipped("bytes read by explain", "the system does not count");
      BOOST_TEST(bytes_read(seen) > 100u);
      BOOST_TEST(bytes_read(seen) < 100'000u);
      BOOST_TEST(seen.steps.back().cost.reads == 0u);
      BOOST_TEST(seen.steps.back().pages >= payload / 4096);
    }
}

BOOST_FIXTURE_TEST_CASE(payloads_stay_out_of_the_page_cache, large) {
  const auto cached = [&] {
    const std::uint64_t size = std::filesystem::file_size(path);
    // The middle of the first payload: the kernel reads ahead at its ends.
    return tgmap::explain::page_cache(path, 0, {0, size}).cached_count({{{4 << 20, 5 << 20}}}).value();
  };
  const int file = ::open(path.c_str(), O_RDONLY);
  ::fsync(file);
  ::posix_fadvise(file, 0, 0, POSIX_FADV_DONTNEED);
  ::close(file);
  if (cached() != 0) return say_skipped("pages that explain leaves alone", "the file system keeps them");
  for (const tgmap::io_mode io : {tgmap::io_mode::map, tgmap::io_mode::read}) {
    const access_report seen = explain_access(path, {.object = 0}, {.io = io});
    BOOST_TEST(cached() == 0u);
    BOOST_TEST(seen.steps.back().cached.value() < seen.steps.back().pages);
  }
}

/// The last test of this program, because an installed guard cannot be removed.
BOOST_FIXTURE_TEST_CASE(guarded_mapping_is_read_at_first, large) {
  BOOST_REQUIRE(!tgmap::mapping_guard::install());
  std::uint64_t min_faults = 100;
  for (int turn = 0; turn < 5; ++turn) {
    const access_report seen = explain_access(path, {.object = 0}, {.io = tgmap::io_mode::map});
    if (!seen.has_read_counts) return say_skipped("reads by explain", "the system does not count");
    const tgmap::access_step& step = seen.steps[static_cast<std::size_t>(access_stage::object)];
    BOOST_CHECK(step.stage == access_stage::object);
    BOOST_TEST(step.cost.reads > 0u);
    BOOST_TEST(step.cost.reads <= 2u);  // header and end are far apart
    min_faults = std::min<std::uint64_t>(min_faults, step.cost.minor_faults + step.cost.major_faults);
  }
  // The allocator causes faults, too, but not in every turn.
  BOOST_TEST(min_faults <= 1u);
}

BOOST_AUTO_TEST_SUITE_END()

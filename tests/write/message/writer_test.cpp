// SPDX-License-Identifier: Apache-2.0
// Messages that are written and read back.
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <boost/test/unit_test.hpp>
#include <cmath>
#include <complex>
#include <cstdlib>
#include <numeric>
#include <support/failures.hpp>
#include <vector>

#include "write/rewritten_message.hpp"

using tgmap::cbor_value;
using tgmap::new_message;
using tgmap::new_object;

using namespace tgmap_test;

BOOST_AUTO_TEST_SUITE(writer_test)

namespace {

std::vector<float> ramp(std::size_t count) {
  std::vector<float> out(count);
  std::iota(out.begin(), out.end(), 0.5F);
  return out;
}

tgmap::archive open(const std::vector<std::byte>& bytes) { return tgmap::archive::from_memory(bytes); }

}  // namespace

BOOST_AUTO_TEST_CASE(an_object_round_trips_with_its_keys) {
  const auto numbers = ramp(6);
  new_message message;
  message.extra = cbor_value::map({{"source", "demo"}});
  message.objects.emplace_back(new_object::of(std::span(numbers), {2, 3}));
  std::get<new_object>(message.objects[0]).base =
      cbor_value::map({{"mars", cbor_value::map({{"param", "2t"}, {"step", 12}})}});
  const auto bytes = tgmap::to_bytes(message);

  const auto a = open(bytes);
  BOOST_TEST_REQUIRE(a.size() == 1U);
  const auto m = a[0];
  BOOST_TEST(m.length() == bytes.size());
  BOOST_TEST(m.version() == 3);
  BOOST_TEST(m.index_location() == tgmap::index_location::header);
  const auto o = m[0];
  const auto view = o.view<float>();
  BOOST_TEST(view.values() == std::span(numbers), boost::test_tools::per_element());
  BOOST_TEST(view.shape().size() == 2U);
  BOOST_TEST(view.shape()[1] == 3U);
  BOOST_TEST(o.verify() == tgmap::hash_result::match);
  BOOST_TEST(*o.metadata().get<std::string_view>("mars.param") == "2t");
  BOOST_TEST(*o.metadata().get<std::int64_t>("mars.step") == 12);
  BOOST_TEST(*m.metadata().get<std::string_view>("source") == "demo");
  BOOST_TEST(*m.provenance().get<std::string_view>("encoder.name") == "tgmap");
  BOOST_TEST(m.provenance().find("time")->text().size() == 20U);
  BOOST_TEST(m.provenance().find("uuid")->text().size() == 36U);
  BOOST_TEST(validation_findings(a) == "");
}

BOOST_AUTO_TEST_CASE(many_messages_one_after_another) {
  tgmap::memory_sink sink;
  tgmap::writer out(sink);
  std::vector<std::uint64_t> begins;
  for (std::uint32_t n = 0; n < 300; ++n) {
    begins.push_back(out.bytes_written());
    std::vector<std::uint32_t> numbers(n % 7, n);
    new_message message;
    for (std::uint32_t j = 0; j < n % 4; ++j)
      message.objects.emplace_back(new_object::of(std::span<const std::uint32_t>(numbers)));
    message.extra = cbor_value::map({{"n", n}});
    out.write(message);
  }
  BOOST_TEST(out.messages() == 300U);
  BOOST_TEST(out.bytes_written() == sink.bytes().size());
  const auto a = open(sink.bytes());
  BOOST_TEST_REQUIRE(a.size() == 300U);
  for (std::uint32_t n = 0; n < 300; ++n) {
    const auto m = a[n];
    BOOST_TEST(m.offset() == begins[n]);
    BOOST_TEST_REQUIRE(m.size() == n % 4);
    BOOST_TEST(*m.metadata().get<std::uint64_t>("n") == n);
    for (std::uint32_t j = 0; j < n % 4; ++j) {
      const auto values = m[j].view<std::uint32_t>().values();
      BOOST_TEST(values.size() == n % 7);
      BOOST_TEST(std::ranges::all_of(values, [&](auto v) { return v == n; }));
    }
  }
  BOOST_TEST(validation_findings(a) == "");
}

BOOST_AUTO_TEST_CASE(the_same_input_gives_the_same_bytes) {
  const auto numbers = ramp(100);
  new_message message;
  message.objects.emplace_back(new_object::of(std::span(numbers)));
  const tgmap::write_options how{.provenance = tgmap::provenance::reproducible()};
  const auto once = tgmap::to_bytes(message, how);
  BOOST_TEST((once == tgmap::to_bytes(message, how)));
  const auto m_archive = open(once);
  const auto m = m_archive[0];
  BOOST_TEST(!m.provenance().find("uuid"));
  BOOST_TEST(!m.provenance().find("time"));
  BOOST_TEST(m.provenance().find("encoder.version").has_value());
}

BOOST_AUTO_TEST_CASE(uuids_are_unique) {
  tgmap::memory_sink sink;
  tgmap::writer out(sink);
  for (int i = 0; i < 200; ++i) out.write(new_message());
  const auto a = open(sink.bytes());
  std::vector<std::string> all;
  for (const auto& m : a) {
    all.push_back(m.provenance().find("uuid")->text());
    BOOST_TEST(all.back()[14] == '4');
    BOOST_TEST(std::string_view("89ab").find(all.back()[19]) != std::string_view::npos);
  }
  std::ranges::sort(all);
  BOOST_TEST((std::ranges::adjacent_find(all) == all.end()));
}

BOOST_AUTO_TEST_CASE(uuids_are_unique_across_forks) {
  for (const int before : {0, 1, 2, 64, 70}) {  // messages of the parent
    tgmap::memory_sink sink;
    tgmap::writer out(sink);
    for (int i = 0; i < before; ++i) out.write(new_message());
    const auto add = [&] { out.write(new_message()); };
    int ends[2];
    BOOST_TEST_REQUIRE(::pipe(ends) == 0);
    std::vector<std::string> all;
    for (int children = 0; children < 3; ++children) {
      const pid_t child = ::fork();
      if (child == 0) {
        add();
        const pid_t grandchild = ::fork();
        add();
        if (grandchild != 0) ::waitpid(grandchild, nullptr, 0);
        const auto a = open(sink.bytes());
        for (std::size_t i = a.size() - (grandchild == 0 ? 1 : 2); i < a.size(); ++i) {
          const auto uuid = a[i].provenance().find("uuid")->text();
          if (::write(ends[1], uuid.data(), uuid.size()) != 36) ::_exit(1);
        }
        ::_exit(0);
      }
      int status = 1;
      ::waitpid(child, &status, 0);
      BOOST_TEST(status == 0);
      for (int i = 0; i < 3; ++i) {
        std::string uuid(36, ' ');
        BOOST_TEST_REQUIRE(::read(ends[0], uuid.data(), uuid.size()) == 36);
        all.push_back(uuid);
      }
    }
    ::close(ends[0]);
    ::close(ends[1]);
    for (int i = 0; i < 3; ++i) add();
    const auto a = open(sink.bytes());
    for (const auto& m : a) all.push_back(m.provenance().find("uuid")->text());
    BOOST_TEST(all.size() == static_cast<std::size_t>(before) + 12U);
    std::ranges::sort(all);
    BOOST_TEST((std::ranges::adjacent_find(all) == all.end()), "after " << before << " messages");
  }
}

BOOST_AUTO_TEST_CASE(source_date_epoch_sets_the_time) {
  ::setenv("SOURCE_DATE_EPOCH", "86400", 1);
  const auto bytes = tgmap::to_bytes({}, {.provenance = tgmap::provenance::reproducible()});
  ::setenv("SOURCE_DATE_EPOCH", "no number", 1);
  const auto without = tgmap::to_bytes({}, {.provenance = tgmap::provenance::reproducible()});
  ::unsetenv("SOURCE_DATE_EPOCH");
  const auto a = open(bytes), b = open(without);
  BOOST_TEST(a[0].provenance().find("time")->text() == "1970-01-02T00:00:00Z");
  BOOST_TEST(!b[0].provenance().find("time"));
}

BOOST_AUTO_TEST_CASE(version_2_always_has_an_encoder) {
  tgmap::write_options how{.version = 2, .provenance = tgmap::provenance::reproducible()};
  how.provenance.encoder.clear();
  const auto bytes = tgmap::to_bytes({}, how);
  const auto a = open(bytes);
  BOOST_TEST(a[0].version() == 2);
  BOOST_TEST(a[0].provenance().find("encoder.name")->text() == "tgmap");
  const auto version = a[0].provenance().find("encoder.version")->text();
  BOOST_TEST((version >= "0.7" || version[0] > '0'), version << " would count as a release before 0.7.0");
  how.version = 3;
  const auto nobody = tgmap::to_bytes({}, how);
  const auto b = open(nobody);
  BOOST_TEST(!b[0].provenance().find("encoder"));
}

BOOST_AUTO_TEST_CASE(a_message_is_copied_unchanged) {
  const auto numbers = ramp(20000);
  new_message message;
  message.objects.emplace_back(new_object::of(std::span(numbers)));
  const auto first = tgmap::to_bytes(message);
  const auto a = open(first);
  tgmap::memory_sink sink;
  tgmap::writer out(sink);
  out.write(a[0]);
  out.write(a[0]);
  BOOST_TEST(sink.bytes().size() == 2 * first.size());
  BOOST_TEST(
      (std::equal(first.begin(), first.end(), sink.bytes().begin() + static_cast<std::ptrdiff_t>(first.size()))));
}

BOOST_AUTO_TEST_CASE(a_refused_message_leaves_the_sink_unchanged) {
  tgmap::memory_sink sink;
  tgmap::writer out(sink);
  const auto numbers = ramp(6);
  new_message message;
  message.objects.emplace_back(new_object::of(std::span(numbers)));
  message.objects.emplace_back(new_object::of(std::span(numbers), {7}));
  tgmap::failure why;
  out.write(message, why);
  TGMAP_FAILED(why, tgmap::errc::payload_size_mismatch);
  BOOST_TEST(why.object == 1);
  BOOST_TEST(sink.bytes().empty());
  message.objects.pop_back();
  out.write(message);
  BOOST_TEST(out.messages() == 1U);
}

BOOST_AUTO_TEST_CASE(invalid_options) {
  tgmap::memory_sink sink;
  TGMAP_THROWS(tgmap::writer(sink, {.version = 1}), tgmap::errc::invalid_option);
  TGMAP_THROWS(tgmap::writer(sink, {.version = 4}), tgmap::errc::invalid_option);
  for (const std::uint64_t alignment : {0, 4, 12, 8192})
    TGMAP_THROWS(tgmap::writer(sink, {.payload_alignment = alignment}), tgmap::errc::invalid_option);
}

BOOST_AUTO_TEST_CASE(keys_of_the_library_are_refused) {
  new_message message;
  message.extra = cbor_value::map({{"_reserved_", 1}});
  TGMAP_THROWS(tgmap::to_bytes(message), tgmap::errc::reserved_key);
  message.extra = cbor_value::array({1});
  TGMAP_THROWS(tgmap::to_bytes(message), tgmap::errc::wrong_kind);
  message.extra = cbor_value::map();
  const std::uint8_t one[] = {1};
  for (const char* key : {"shape", "dtype", "hash", "masks", "encoding", "byte_order"}) {
    auto object = new_object::of(std::span<const std::uint8_t>(one));
    object.descriptor_extra = cbor_value::map({{key, 1}});
    message.objects.assign(1, object);
    TGMAP_THROWS(tgmap::to_bytes(message), tgmap::errc::reserved_key);
  }
  auto object = new_object::of(std::span<const std::uint8_t>(one));
  object.base = cbor_value::map({{"_reserved_", cbor_value::map()}});
  message.objects.assign(1, object);
  TGMAP_THROWS(tgmap::to_bytes(message), tgmap::errc::reserved_key);
  object.base = cbor_value::map();
  object.descriptor_extra = cbor_value::map({{"note", "kept"}, {"a", cbor_value::array({1, 2.5})}});
  message.objects.assign(1, object);
  const auto bytes = tgmap::to_bytes(message);
  const auto a = open(bytes);
  BOOST_TEST(a[0][0].descriptor().entries.find("note")->text() == "kept");
  BOOST_TEST(validation_findings(a) == "");
}

BOOST_AUTO_TEST_CASE(keys_that_readers_take_for_parameters_are_refused) {
  const std::vector<double> numbers{1, 2, 3, 4};
  auto object = new_object::of(std::span(numbers));
  object.pipeline.encoding = tgmap::encoding::simple_packing;
  new_message message;
  for (const int version : {2, 3})
    for (const char* key : {"sp_reference_value", "reference_value", "zfp_mode", "szip_block_offsets", "_reserved_"}) {
      object.descriptor_extra = cbor_value::map({{key, 100.0}});
      message.objects.assign(1, object);
      TGMAP_THROWS(tgmap::to_bytes(message, {.version = version}), tgmap::errc::reserved_key);
    }
}

BOOST_AUTO_TEST_CASE(keys_must_be_text) {
  const auto numbered = cbor_value::copy(tgmap::cbor_view(std::as_bytes(std::span("\xa1\x01\x02", 3))));
  const auto mixed = cbor_value::copy(tgmap::cbor_view(std::as_bytes(std::span("\xa2\x61k\x01\x80\x02", 6))));
  const std::uint8_t one[] = {1};
  for (const cbor_value& keys : {numbered, mixed}) {
    new_message message;
    message.extra = keys;
    TGMAP_THROWS(tgmap::to_bytes(message), tgmap::errc::wrong_kind);
    tgmap::memory_sink out;
    TGMAP_THROWS(tgmap::stream_writer(out, keys), tgmap::errc::wrong_kind);
    message.extra = cbor_value::map({{"inner", keys}});  // readers accept them in nested maps
    BOOST_TEST(validation_findings(open(tgmap::to_bytes(message))) == "");
    message.extra = cbor_value::map();
    message.objects.emplace_back(new_object::of(std::span<const std::uint8_t>(one)));
    std::get<new_object>(message.objects[0]).base = keys;
    TGMAP_THROWS(tgmap::to_bytes(message), tgmap::errc::wrong_kind);
  }
}

BOOST_AUTO_TEST_CASE(hashes_are_announced_if_every_object_has_one) {
  const std::uint8_t one[] = {1};
  new_message message;
  message.objects.emplace_back(new_object::of(std::span<const std::uint8_t>(one)));
  const auto plain = tgmap::to_bytes(message, {.hashes = false});
  const auto from = open(plain);
  tgmap::stored_message parts;
  parts.load(from[0]);
  constexpr std::size_t flags = 11;
  BOOST_TEST((tgmap::to_bytes(parts.content)[flags] == plain[flags]));
  parts.content.objects.push_back(message.objects[0]);  // one object with a hash, one without
  BOOST_TEST((tgmap::to_bytes(parts.content, {.hash_list = tgmap::index_placement::none})[flags] == plain[flags]));
  BOOST_TEST((tgmap::to_bytes(message, {.hash_list = tgmap::index_placement::none})[flags] != plain[flags]));
}

BOOST_AUTO_TEST_CASE(a_type_must_be_text_and_not_empty) {
  const std::uint8_t one[] = {1};
  auto object = new_object::of(std::span<const std::uint8_t>(one));
  for (const char* type : {"", "\xff\xfe"}) {
    object.type = type;
    new_message message;
    message.objects.emplace_back(object);
    TGMAP_THROWS(tgmap::to_bytes(message), tgmap::errc::bad_descriptor);
  }
}

BOOST_AUTO_TEST_CASE(invalid_utf8_in_provenance_is_repaired) {
  for (const int version : {2, 3}) {
    const auto bytes = tgmap::to_bytes(
        {}, {.version = version,
             .provenance = {.encoder = "a\xff", .encoder_version = "1.0\xff", .time = "now\xff", .uuid = "\xff"}});
    const auto a = open(bytes);
    BOOST_TEST(*a[0].provenance().get<std::string_view>("encoder.name") == "a\xef\xbf\xbd");
    BOOST_TEST(*a[0].provenance().get<std::string_view>("uuid") == "\xef\xbf\xbd");
    BOOST_TEST(validation_findings(a) == "");
  }
}

BOOST_AUTO_TEST_CASE(tags_count_for_the_depth) {
  cbor_value nested = 1;
  for (int depth = 0; depth < 254; ++depth) nested = cbor_value::tagged(5, nested);
  new_message message;
  message.extra = cbor_value::map({{"k", nested}});
  BOOST_CHECK_NO_THROW(static_cast<void>(tgmap::to_bytes(message)));
  message.extra = cbor_value::map({{"k", cbor_value::tagged(5, nested)}});
  TGMAP_THROWS(tgmap::to_bytes(message), tgmap::errc::cbor_too_deep);
}

BOOST_AUTO_TEST_CASE(both_overloads_write_and_refuse_the_same) {
  const auto numbers = ramp(6);
  new_message message;
  message.objects.emplace_back(new_object::of(std::span(numbers)));
  const tgmap::write_options options{.provenance = tgmap::provenance::reproducible()};
  const auto expected = tgmap::to_bytes(message, options);
  tgmap::failure why{.code = make_error_code(tgmap::errc::bad_cbor)};
  BOOST_TEST((tgmap::to_bytes(message, options, why) == expected));
  TGMAP_SUCCEEDED(why);

  tgmap::memory_sink sink;
  tgmap::writer out(sink, options, why);
  TGMAP_SUCCEEDED(why);
  out.write(message);
  BOOST_TEST((sink.bytes() == expected));

  auto wrong = message;
  std::get<new_object>(wrong.objects[0]).shape = {7};
  BOOST_TEST(tgmap::to_bytes(wrong, options, why).empty());
  TGMAP_FAILED(why, tgmap::errc::payload_size_mismatch);
  BOOST_TEST(why.object == 0);

  tgmap::write_options odd = options;
  odd.payload_alignment = 24;
  BOOST_TEST(tgmap::to_bytes(message, odd, why).empty());
  TGMAP_FAILED(why, tgmap::errc::invalid_option);
  BOOST_TEST(why.found == 24U);
}

BOOST_AUTO_TEST_CASE(a_failed_or_moved_writer_writes_nothing) {
  const auto numbers = ramp(6);
  new_message message;
  message.objects.emplace_back(new_object::of(std::span(numbers)));
  tgmap::memory_sink sink;
  const auto check_writes_nothing = [&](tgmap::writer& out) {
    const auto before = sink.bytes();
    const auto bytes = tgmap::to_bytes(message);
    const auto archive = open(bytes);
    TGMAP_THROWS(out.write(message), tgmap::errc::call_out_of_order);
    TGMAP_THROWS(out.write(archive[0]), tgmap::errc::call_out_of_order);
    BOOST_TEST(out.bytes_written() == 0U);
    BOOST_TEST(out.messages() == 0U);
    BOOST_TEST(out.stored_bytes(0) == 0U);
    BOOST_TEST((sink.bytes() == before));
  };
  tgmap::failure why;
  tgmap::writer refused(sink, {.version = 4}, why);
  TGMAP_FAILED(why, tgmap::errc::invalid_option);
  check_writes_nothing(refused);

  tgmap::writer out(sink);
  out.write(message);
  tgmap::writer other = std::move(out);
  check_writes_nothing(out);  // NOLINT: use after move
  other.write(message);
  BOOST_TEST(other.messages() == 2U);
}

BOOST_AUTO_TEST_CASE(tags_in_descriptors_are_refused) {
  const std::uint8_t one[] = {1};
  auto object = new_object::of(std::span<const std::uint8_t>(one));
  new_message message;
  object.descriptor_extra = cbor_value::map({{"note", cbor_value::array({cbor_value::tagged(1, 5)})}});
  message.objects.assign(1, object);
  TGMAP_THROWS(tgmap::to_bytes(message), tgmap::errc::wrong_kind);
  cbor_value deep;
  for (int levels = 1; levels < 256; ++levels) deep = cbor_value::array({deep});
  object.descriptor_extra = cbor_value::map({{"note", deep}});  // 256 levels with the descriptor
  message.objects.assign(1, object);
  const auto bytes = tgmap::to_bytes(message);
  const auto a = open(bytes);
  BOOST_TEST(a[0][0].descriptor().entries.find("note").has_value());
}

BOOST_AUTO_TEST_SUITE_END()

// SPDX-License-Identifier: Apache-2.0
// Messages that are written object by object.
#include <algorithm>
#include <array>
#include <boost/test/unit_test.hpp>
#include <cmath>
#include <numeric>
#include <random>
#include <support/failures.hpp>
#include <vector>

#include "write/rewritten_message.hpp"

using namespace tgmap_test;
using tgmap::cbor_value;
using tgmap::new_object;

BOOST_AUTO_TEST_SUITE(stream_writer_test)

namespace {

std::vector<double> waves(std::size_t count) {
  std::vector<double> out(count);
  for (std::size_t i = 0; i < count; ++i) out[i] = 250 + 30 * std::sin(static_cast<double>(i) / 50);
  return out;
}

new_object numbered(std::span<const std::uint16_t> numbers, int n) {
  auto out = new_object::of(numbers);
  out.base = cbor_value::map({{"n", n}});
  return out;
}

/// A sink that cannot overwrite, as a pipe.
struct pipe_sink final : tgmap::sink {
  using sink::write;
  tgmap::failure write(std::span<const std::span<const std::byte>> pieces) noexcept override {
    return inner.write(pieces);
  }
  tgmap::memory_sink inner{};
};

/// A sink that accepts a number of bytes and then fails.
struct failing_sink final : tgmap::sink {
  explicit failing_sink(std::uint64_t capacity) : capacity(capacity) {}
  using sink::write;
  tgmap::failure write(std::span<const std::span<const std::byte>> pieces) noexcept override {
    for (const auto piece : pieces) {
      if (accepted + piece.size() > capacity) return {.code = std::make_error_code(std::errc::no_space_on_device)};
      accepted += piece.size();
    }
    return {};
  }
  std::uint64_t capacity, accepted = 0;
};

void check_three(std::span<const std::byte> bytes, int version, bool streamed) {
  for (const auto lookup : {tgmap::object_lookup::index, tgmap::object_lookup::walk}) {
    const auto a = tgmap::archive::from_memory(bytes, {.lookup = lookup});
    BOOST_TEST_REQUIRE(a.size() == 1U);
    const auto m = a[0];
    BOOST_TEST(m.version() == version);
    BOOST_TEST(m.is_streamed() == streamed);
    BOOST_TEST_REQUIRE(m.size() == 3U);
    for (std::size_t j = 0; j < 3; ++j) {
      BOOST_TEST(m[j].view<std::uint16_t>().values()[0] == 7U);
      BOOST_TEST(*m[j].metadata().get<std::int64_t>("n") == static_cast<std::int64_t>(j));
      BOOST_TEST(m[j].verify() == tgmap::hash_result::match);
    }
    BOOST_TEST(*m.metadata().get<std::string_view>("run") == "x");
    BOOST_TEST(m.provenance().find("encoder.name")->text() == "tgmap");
  }
}

}  // namespace

BOOST_AUTO_TEST_CASE(objects_one_after_another) {
  const std::uint16_t numbers[] = {7, 8, 9};
  for (const int version : {2, 3}) {
    for (const bool backfill : {false, true}) {
      for (const bool preceders : {false, true}) {
        tgmap::memory_sink sink;
        TGMAP_SUCCEEDED(sink.write(std::vector<std::byte>(16)));  // the message need not begin the sink
        tgmap::stream_writer out(sink, cbor_value::map({{"run", "x"}}), {.version = version});
        for (int n = 0; n < 3; ++n) {
          auto one = numbered(numbers, n);
          one.preceder = preceders;
          out.write(one);
        }
        BOOST_TEST(out.objects() == 3U);
        out.finish(backfill);
        BOOST_TEST(out.bytes_written() + 16 == sink.bytes().size());
        check_three(std::span(sink.bytes()).subspan(16), version, version == 2 || !backfill);
      }
    }
  }
}

BOOST_AUTO_TEST_CASE(a_pipe_gets_no_length) {
  const std::uint16_t numbers[] = {7, 8, 9};
  pipe_sink to;
  tgmap::stream_writer out(to, cbor_value::map({{"run", "x"}}));
  for (int n = 0; n < 3; ++n) out.write(numbered(numbers, n));
  out.finish();
  check_three(to.inner.bytes(), 3, true);
}

BOOST_AUTO_TEST_CASE(unfinished_streams_can_be_read) {
  const std::uint16_t numbers[] = {7, 8, 9};
  for (const int version : {2, 3}) {
    tgmap::memory_sink sink;
    tgmap::stream_writer out(sink, cbor_value::map({{"run", "x"}}), {.version = version});
    const std::size_t begun = sink.bytes().size();
    for (int n = 0; n < 3; ++n) out.write(numbered(numbers, n));
    out.finish(false);
    const auto all = tgmap::archive::from_memory(sink.bytes());
    for (std::size_t cut = begun; cut < sink.bytes().size(); ++cut) {
      const auto a =
          tgmap::archive::from_memory(std::span(sink.bytes()).first(cut), {.damage = tgmap::on_damage::skip});
      BOOST_TEST_CONTEXT("version " << version << ", the first " << cut << " bytes") {
        BOOST_TEST_REQUIRE(a.size() == 1U);
        BOOST_TEST(a[0].is_incomplete());
        std::size_t whole = 0;
        while (whole < 3 && all[0][whole].frame().offset() + all[0][whole].frame().length() <= cut) ++whole;
        BOOST_TEST_REQUIRE(a[0].size() == whole);
        for (std::size_t j = 0; j < whole; ++j)
          BOOST_TEST(std::ranges::equal(a[0][j].view<std::uint16_t>().values(), numbers));
        BOOST_TEST(*a[0].metadata().get<std::string_view>("run") == "x");
      }
    }
  }
}

BOOST_AUTO_TEST_CASE(parts_give_the_same_bytes_as_the_whole) {
  const auto numbers = waves(10007);
  std::mt19937 random(5);
  for (const int version : {2, 3}) {
    for (const unsigned bits : {0U, 7U, 12U, 16U, 31U}) {
      auto what = new_object::of(std::span<const double>(numbers), {10007});
      if (bits != 0) {
        what.pipeline.encoding = tgmap::encoding::simple_packing;
        what.pipeline.packing = {.bits = bits, .reference = 200.0, .binary_scale = 7 - static_cast<int>(bits)};
      }
      const tgmap::write_options how{.version = version, .provenance = tgmap::provenance::reproducible()};
      tgmap::memory_sink whole, parts;
      tgmap::stream_writer at_once(whole, cbor_value::map(), how), by_parts(parts, cbor_value::map(), how);
      at_once.write(what);
      at_once.write(what);
      at_once.finish();
      by_parts.write(what);
      by_parts.begin_object(what);
      for (std::size_t done = 0; done < numbers.size();) {
        const std::size_t now =
            std::min<std::size_t>(random() % 3 == 0 ? random() % 5 : random() % 4000, numbers.size() - done);
        by_parts.append_elements(std::span<const double>(numbers).subspan(done, now));
        done += now;
      }
      by_parts.end_object();
      by_parts.finish();
      BOOST_TEST((whole.bytes() == parts.bytes()), "version " << version << ", " << bits << " bits");
      BOOST_TEST(validation_findings(tgmap::archive::from_memory(parts.bytes())) ==
                 validation_findings(tgmap::archive::from_memory(whole.bytes())));
    }
  }
}

BOOST_AUTO_TEST_CASE(parts_in_the_other_byte_order) {
  const float numbers[] = {1, 2, 3};
  auto what = new_object::of(std::span<const float>(numbers));
  what.stored_byte_order = tgmap::byte_order::big;
  tgmap::memory_sink sink;
  tgmap::stream_writer out(sink);
  out.begin_object(what);
  for (const float& one : numbers) out.append_elements(std::span<const float>(&one, 1));
  out.end_object();
  out.finish();
  const auto a = tgmap::archive::from_memory(sink.bytes());
  BOOST_TEST(a[0][0].descriptor().byte_order == tgmap::byte_order::big);
  const auto read = a[0][0].decode_as<float>();
  BOOST_TEST(std::ranges::equal(read.view<float>().values(), numbers));
}

BOOST_AUTO_TEST_CASE(wrong_parts) {
  const float numbers[] = {1, 2, 3, NAN};
  const auto what = [&] {
    auto out = new_object::of(std::span<const float>(numbers).first(2));
    return out;
  }();
  const auto begun = [&](tgmap::memory_sink& to) {
    tgmap::stream_writer out(to);
    out.begin_object(what);
    return out;
  };
  tgmap::memory_sink sink;
  {
    auto out = begun(sink);
    TGMAP_THROWS(out.append_elements(std::span<const float>(numbers, 3)), tgmap::errc::payload_size_mismatch);
    TGMAP_THROWS(out.end_object(), tgmap::errc::call_out_of_order);  // the stream cannot continue
  }
  {
    auto out = begun(sink);
    TGMAP_THROWS(out.append_elements(std::as_bytes(std::span(numbers)).first(5)), tgmap::errc::payload_size_mismatch);
  }
  {
    auto out = begun(sink);
    out.append_elements(std::span<const float>(numbers, 1));
    TGMAP_THROWS(out.end_object(), tgmap::errc::payload_size_mismatch);
  }
  {
    auto out = begun(sink);
    out.append_elements(std::span<const float>(numbers, 1));
    tgmap::failure why;
    out.append_elements(std::as_bytes(std::span(numbers)).subspan(12), why);
    TGMAP_FAILED(why, tgmap::errc::non_finite);
    BOOST_TEST(why.found == 1U);
    BOOST_TEST(why.object == 0);
  }
  {
    auto out = begun(sink);
    TGMAP_THROWS(out.finish(), tgmap::errc::call_out_of_order);
    TGMAP_THROWS(out.begin_object(what), tgmap::errc::call_out_of_order);
  }
}

BOOST_AUTO_TEST_CASE(pipelines_that_need_all_elements) {
  const double numbers[] = {1, 2, 3};
  tgmap::memory_sink sink;
  tgmap::stream_writer out(sink);
  const auto refused = [&](auto change) {
    auto what = new_object::of(std::span<const double>(numbers));
    change(what);
    TGMAP_THROWS(out.begin_object(what), tgmap::errc::not_streamable);
  };
  refused([](new_object& o) { o.pipeline.compression = tgmap::compression::zstd; });
  refused([](new_object& o) { o.pipeline.filter = tgmap::filter::shuffle; });
  refused([](new_object& o) { o.pipeline.encoding = tgmap::encoding::simple_packing; });
  refused([](new_object& o) { o.pipeline.missing.allow_nan = true; });
  refused([](new_object& o) { o.strides = {1}; });
  refused([](new_object& o) { o.dtype = tgmap::dtype::bitmask; });
  new_object endless;  // the length of its frame would overflow
  endless.shape = {UINT64_MAX};
  TGMAP_THROWS(out.begin_object(endless), tgmap::errc::shape_overflow);
  const auto before = sink.bytes().size();
  out.write(new_object::of(std::span<const double>(numbers)));  // the refused objects had no effect
  BOOST_TEST(sink.bytes().size() > before);
  out.finish();
  BOOST_TEST(validation_findings(tgmap::archive::from_memory(sink.bytes())).find("error") == std::string::npos);
}

BOOST_AUTO_TEST_CASE(a_refused_object_leaves_the_stream_unchanged) {
  const float numbers[] = {1, NAN};
  tgmap::memory_sink sink;
  tgmap::stream_writer out(sink);
  tgmap::failure why;
  out.write(new_object::of(std::span<const float>(numbers)), why);
  TGMAP_FAILED(why, tgmap::errc::non_finite);
  BOOST_TEST(why.found == 1U);
  out.write(new_object::of(std::span<const float>(numbers, 1)));
  out.finish();
  TGMAP_THROWS(out.finish(), tgmap::errc::call_out_of_order);
  const auto a = tgmap::archive::from_memory(sink.bytes());
  BOOST_TEST(a[0].size() == 1U);
}

BOOST_AUTO_TEST_CASE(a_sink_that_fails_at_any_byte) {
  const std::uint16_t numbers[] = {7, 8, 9};
  tgmap::memory_sink all;
  {
    tgmap::stream_writer out(all, cbor_value::map(), {.provenance = tgmap::provenance::reproducible()});
    for (int n = 0; n < 2; ++n) out.write(numbered(numbers, n));
    out.finish();
  }
  for (std::uint64_t capacity = 0; capacity < all.bytes().size(); ++capacity) {
    failing_sink to(capacity);
    bool is_reported = false;
    try {
      tgmap::stream_writer out(to, cbor_value::map(), {.provenance = tgmap::provenance::reproducible()});
      for (int n = 0; n < 2; ++n) out.write(numbered(numbers, n));
      out.finish();
    } catch (const tgmap::error& e) {
      is_reported = e.details().code == std::errc::no_space_on_device;
    }
    BOOST_TEST(is_reported, "byte " << capacity);
  }
}

BOOST_AUTO_TEST_CASE(a_failed_or_moved_stream_accepts_nothing) {
  const std::uint32_t numbers[] = {1, 2, 3};
  const auto one = new_object::of(std::span<const std::uint32_t>(numbers));
  tgmap::memory_sink sink;
  const auto check_accepts_nothing = [&](tgmap::stream_writer& out) {
    const auto before = sink.bytes();
    const auto bytes = tgmap::to_bytes({.objects = {one}});
    const auto archive = tgmap::archive::from_memory(bytes);
    TGMAP_THROWS(out.write(one), tgmap::errc::call_out_of_order);
    TGMAP_THROWS(out.write(tgmap::stored_object::of(archive[0], 0)), tgmap::errc::call_out_of_order);
    TGMAP_THROWS(out.begin_object(one), tgmap::errc::call_out_of_order);
    TGMAP_THROWS(out.append_elements(std::span<const std::uint32_t>(numbers)), tgmap::errc::call_out_of_order);
    TGMAP_THROWS(out.end_object(), tgmap::errc::call_out_of_order);
    TGMAP_THROWS(out.finish(), tgmap::errc::call_out_of_order);
    BOOST_TEST(out.bytes_written() == 0U);
    BOOST_TEST(out.objects() == 0U);
    BOOST_TEST((sink.bytes() == before));
  };
  tgmap::failure why;
  tgmap::stream_writer refused(sink, cbor_value::map(), {.version = 4}, {}, why);
  TGMAP_FAILED(why, tgmap::errc::invalid_option);
  check_accepts_nothing(refused);
  tgmap::stream_writer without_keys(sink, cbor_value(5), {}, {}, why);
  TGMAP_FAILED(why, tgmap::errc::wrong_kind);
  check_accepts_nothing(without_keys);
  BOOST_TEST(sink.bytes().empty());

  tgmap::stream_writer out(sink, cbor_value::map({{"written", "without exceptions"}}), {}, {}, why);
  TGMAP_SUCCEEDED(why);
  tgmap::stream_writer other = std::move(out);
  check_accepts_nothing(out);  // NOLINT: use after move
  other.write(one);
  other.finish();
  const auto a = tgmap::archive::from_memory(sink.bytes());
  BOOST_TEST_REQUIRE(a.size() == 1U);
  BOOST_TEST(a[0].size() == 1U);
}

BOOST_AUTO_TEST_CASE(many_small_objects) {
  tgmap::memory_sink sink;
  tgmap::stream_writer out(sink);
  constexpr std::uint32_t count = 5000;
  for (std::uint32_t n = 0; n < count; ++n) {
    auto one = new_object::of(std::span<const std::uint32_t>(&n, 1));
    one.base = cbor_value::map({{"n", n}});
    out.write(one);
  }
  out.finish();
  const auto a = tgmap::archive::from_memory(sink.bytes());
  const auto m = a[0];
  BOOST_TEST_REQUIRE(m.size() == count);
  for (std::uint32_t n = 0; n < count; n += 7) {
    BOOST_TEST(m[n].view<std::uint32_t>().values()[0] == n);
    BOOST_TEST(*m.base(n).get<std::uint64_t>("n") == n);
  }
  BOOST_TEST(validation_findings(a).find("error") == std::string::npos);
}

BOOST_AUTO_TEST_CASE(elements_of_another_dtype_are_refused_first) {
  tgmap::memory_sink sink;
  tgmap::stream_writer out(sink);
  new_object field{.dtype = tgmap::dtype::float64, .shape = {4}};
  tgmap::failure why;
  std::vector<float> wrong{1, 2};
  out.append_elements(wrong, why);
  BOOST_TEST((why.code == tgmap::errc::call_out_of_order));  // no object is open
  out.begin_object(field);
  const auto before = sink.bytes_written();
  out.append_elements(std::span<const float>(wrong), why);
  BOOST_TEST((why.code == tgmap::errc::dtype_mismatch));
  BOOST_TEST(why.object == 0);
  BOOST_TEST(why.text() == "dtype float64 is stored, not float32 (object 0)");
  TGMAP_THROWS(out.append_elements(wrong), tgmap::errc::dtype_mismatch);
  TGMAP_THROWS(out.append_elements(std::array<std::int64_t, 2>()), tgmap::errc::dtype_mismatch);
  BOOST_TEST(sink.bytes_written() == before);

  // The stream continues with any range of the right type.
  std::vector<double> first{1};
  out.append_elements(first, why);
  BOOST_TEST(!why);
  std::array<double, 1> second{2};
  out.append_elements(std::span(second));
  const double third[]{3};
  out.append_elements(third);
  out.append_elements(std::as_bytes(std::span(third)));
  out.end_object();
  out.finish(why);
  BOOST_TEST(!why);
  const auto a = tgmap::archive::from_memory(sink.bytes());
  const auto read = a[0][0].view<double>();
  BOOST_TEST(std::vector<double>(read.values().begin(), read.values().end()) == (std::vector<double>{1, 2, 3, 3}),
             boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(objects_of_mutable_elements) {
  std::vector<float> some{1, 2, 3, 4};
  std::array<float, 4> others{1, 2, 3, 4};
  const float constant[]{1, 2, 3, 4};
  for (const new_object& one : {new_object::of(some), new_object::of(others), new_object::of(constant),
                                new_object::of(std::span(some)), new_object::of(std::span<float>(others))}) {
    BOOST_TEST((one.dtype == tgmap::dtype::float32));
    BOOST_TEST(one.shape == std::vector<std::uint64_t>{4}, boost::test_tools::per_element());
    BOOST_TEST(one.data.size() == 16U);
  }
  const auto square = new_object::of(some, {2, 2});
  BOOST_TEST(square.shape.size() == 2U);
  BOOST_TEST((square.data.data() == std::as_bytes(std::span(some)).data()));
  BOOST_TEST(new_object::of(std::span(some), {2, 2}).shape.size() == 2U);
}

BOOST_AUTO_TEST_CASE(without_options) {
  tgmap::failure why;
  const cbor_value extra = cbor_value::map({{"run", "x"}});
  tgmap::memory_sink none, with_extra, with_options, whole;
  tgmap::stream_writer(none, why).finish(why);
  BOOST_TEST(!why);
  tgmap::stream_writer(with_extra, extra, why).finish(why);
  BOOST_TEST(!why);
  tgmap::stream_writer(with_options, extra, {.version = 2}, why).finish(why);
  BOOST_TEST(!why);
  tgmap::writer(whole, why).write(tgmap::new_message(), why);
  BOOST_TEST(!why);
  BOOST_TEST(!tgmap::to_bytes(tgmap::new_message(), why).empty());
  for (const auto* const to : {&none, &with_extra, &with_options, &whole}) {
    const auto a = tgmap::archive::from_memory(to->bytes());
    BOOST_TEST(a.size() == 1U);
    BOOST_TEST(a[0].version() == (to == &with_options ? 2 : 3));
  }
}

BOOST_AUTO_TEST_SUITE_END()

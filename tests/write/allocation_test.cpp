// SPDX-License-Identifier: Apache-2.0
// Each allocation fails in turn: writing reports out_of_memory, loses nothing, and succeeds on the next try.
#include <boost/test/unit_test.hpp>
#include <cmath>
#include <numeric>
#include <support/failures.hpp>
#include <support/process/failing_new.hpp>
#include <support/temporary.hpp>
#include <tgmap/tgmap.hpp>

using namespace tgmap_test;
using tgmap::cbor_value;
using tgmap::errc;
using tgmap::new_message;
using tgmap::new_object;

BOOST_AUTO_TEST_SUITE(allocation_test)

namespace {

/// A sink that does not allocate while it takes bytes.
class preallocated_sink final : public tgmap::sink {
 public:
  explicit preallocated_sink(std::size_t room) { bytes.reserve(room); }
  using sink::write;
  tgmap::failure write(std::span<const std::span<const std::byte>> pieces) noexcept override {
    for (const auto piece : pieces) bytes.insert(bytes.end(), piece.begin(), piece.end());
    return {};
  }
  bool can_overwrite() const noexcept override { return true; }
  tgmap::failure overwrite(std::uint64_t at, std::span<const std::byte> with) noexcept override {
    std::copy(with.begin(), with.end(), bytes.begin() + static_cast<std::ptrdiff_t>(at));
    return {};
  }
  tgmap::failure rollback(std::uint64_t count) noexcept override {
    bytes.resize(bytes.size() - count);
    return {};
  }
  std::uint64_t bytes_written() const noexcept override { return bytes.size(); }

  std::vector<std::byte> bytes;
};

/// A message with everything that allocates: strides, another byte order, packing, filters, masks, codecs.
struct varied_message {
  varied_message() : doubles(500), floats(600, 1.5F) {
    std::iota(doubles.begin(), doubles.end(), 0.25);
    floats[7] = NAN;
    auto packed = new_object::of(std::span<const double>(doubles));
    packed.pipeline = {.encoding = tgmap::encoding::simple_packing, .filter = tgmap::filter::shuffle};
    auto reversed = new_object::of(std::span<const double>(doubles), {5, 10, 10});
    reversed.strides = {100, -1, 10};
    reversed.data_offset = 9;
    reversed.stored_byte_order = tgmap::byte_order::big;
    auto masked = new_object::of(std::span<const float>(floats));
    masked.pipeline = {.compression = tgmap::compression::lz4,
                       .missing = {.allow_nan = true, .nan = tgmap::mask_method::rle, .small_mask_bytes = 0}};
    masked.base = cbor_value::map({{"mars", cbor_value::map({{"param", "2t"}})}});
    masked.descriptor_extra =
        cbor_value::map({{"a note that does not fit a short string", cbor_value::array({1, 2.5, "x"})}});
    message.extra = cbor_value::map({{"source", "this test, which writes more than fits a short string"}});
    message.objects = {packed, reversed, masked, new_object::of(std::span<const float>(floats).first(3))};
    options.provenance = tgmap::provenance::reproducible();
  }
  varied_message(const varied_message&) = delete;
  varied_message& operator=(const varied_message&) = delete;

  std::vector<double> doubles;
  std::vector<float> floats;
  new_message message{};
  tgmap::write_options options{};
};

/// Runs `body(failure&)` with 0, 1, 2… allocations that succeed, until it succeeds. Until then it must fail with
/// out_of_memory.
template <class F>
void with_failing_allocations(F&& body) {
  for (long n = 0; n < 5000; ++n) {
    tgmap::failure why;
    fail_allocations_after(n);
    try {
      body(why);
    } catch (const std::bad_alloc&) {  // thrown by a constructor
      why = {.code = errc::out_of_memory};
    } catch (const tgmap::error& thrown) {
      why = thrown.details();
    }
    fail_allocations_after(-1);
    if (!why) {
      BOOST_TEST_MESSAGE("succeeds with " << n << " allocations");
      return;
    }
    BOOST_TEST_REQUIRE((why.code == tgmap::make_error_code(errc::out_of_memory)), why.code.message());
  }
  BOOST_ERROR("never succeeds");
}

}  // namespace

BOOST_AUTO_TEST_CASE(a_message_is_written_completely_or_not_at_all) {
  const varied_message varied;
  const auto expected = tgmap::to_bytes(varied.message, varied.options);
  preallocated_sink sink(expected.size());
  with_failing_allocations([&](tgmap::failure& why) {
    BOOST_TEST_REQUIRE(sink.bytes.empty());
    tgmap::writer out(sink, varied.options);
    out.write(varied.message, why);
  });
  BOOST_TEST((sink.bytes == expected));
}

BOOST_AUTO_TEST_CASE(constructors_report_missing_memory) {
  const varied_message varied;
  const auto expected = tgmap::to_bytes(varied.message, varied.options);
  preallocated_sink sink(1 << 16);
  with_failing_allocations([&](tgmap::failure& why) { const tgmap::writer out(sink, varied.options, why); });
  with_failing_allocations([&](tgmap::failure& why) {
    sink.bytes.clear();
    const tgmap::stream_writer out(sink, varied.message.extra, varied.options, {}, why);
  });
  std::vector<std::byte> bytes;
  with_failing_allocations([&](tgmap::failure& why) { bytes = tgmap::to_bytes(varied.message, varied.options, why); });
  BOOST_TEST((bytes == expected));
  const cbor_value elements[] = {varied.message.extra, "a text too long for the memory inside the value"};
  const cbor_value::pair pairs[] = {{"a", elements[0]}, {"\xff", elements[1]}};
  with_failing_allocations([&](tgmap::failure& why) { (void)cbor_value::array(elements, why); });
  with_failing_allocations([&](tgmap::failure& why) { (void)cbor_value::map(pairs, why); });
  with_failing_allocations([&](tgmap::failure& why) { (void)cbor_value::tagged(30, elements[0], why); });
}

BOOST_AUTO_TEST_CASE(a_writer_can_be_used_after_missing_memory) {
  const varied_message varied;
  const auto expected = tgmap::to_bytes(varied.message, varied.options);
  preallocated_sink sink(expected.size());
  tgmap::writer out(sink, varied.options);
  with_failing_allocations([&](tgmap::failure& why) {
    BOOST_TEST_REQUIRE(sink.bytes.empty());
    out.write(varied.message, why);
  });
  BOOST_TEST((sink.bytes == expected));
  BOOST_TEST(out.messages() == 1U);
}

BOOST_AUTO_TEST_CASE(a_copied_message_is_complete_or_absent) {
  const varied_message varied;
  const auto bytes = tgmap::to_bytes(varied.message, varied.options);
  const auto archive = tgmap::archive::from_memory(bytes);
  const auto from = archive[0];
  preallocated_sink sink(bytes.size());
  with_failing_allocations([&](tgmap::failure& why) {
    BOOST_TEST_REQUIRE(sink.bytes.empty());
    tgmap::writer out(sink, varied.options);
    out.write(from, why);
  });
  BOOST_TEST((sink.bytes == bytes));
  with_failing_allocations([&](tgmap::failure& why) { (void)tgmap::stored_object::of(from, 2, 3, why); });
}

BOOST_AUTO_TEST_CASE(a_refused_object_leaves_the_stream_unchanged) {
  const varied_message varied;
  tgmap::memory_sink alone;
  tgmap::stream_writer expected(alone, varied.message.extra, varied.options);
  for (const auto& each : varied.message.objects) expected.write(std::get<new_object>(each));
  expected.finish();

  preallocated_sink sink(alone.bytes().size());
  tgmap::stream_writer out(sink, varied.message.extra, varied.options);
  for (const auto& each : varied.message.objects) {
    const auto before = sink.bytes.size();
    with_failing_allocations([&](tgmap::failure& why) {
      BOOST_TEST_REQUIRE(sink.bytes.size() == before);
      out.write(std::get<new_object>(each), why);
    });
  }
  out.finish();
  BOOST_TEST((sink.bytes == alone.bytes()));
}

BOOST_AUTO_TEST_CASE(a_stream_reports_missing_memory_at_every_step) {
  const varied_message varied;
  for (const bool pieces : {false, true}) {
    preallocated_sink sink(100000);
    with_failing_allocations([&](tgmap::failure& why) {
      sink.bytes.clear();
      tgmap::stream_writer out(sink, varied.message.extra, varied.options);
      if (pieces) {
        out.begin_object(std::get<new_object>(varied.message.objects[3]), why);
        const auto elements = std::as_bytes(std::span<const float>(varied.floats).first(3));
        if (!why) out.append_elements(elements, why);
        if (!why) out.end_object(why);
      } else {
        out.write(std::get<new_object>(varied.message.objects[0]), why);
      }
      if (!why) out.finish(true, why);
    });
    const auto archive = tgmap::archive::from_memory(sink.bytes);
    BOOST_TEST(archive.size() == 1U);
    BOOST_TEST(archive[0].size() == 1U);
  }
}

BOOST_AUTO_TEST_CASE(an_archive_is_unchanged_or_has_one_more_message) {
  const varied_message varied;
  const temporary_directory here;
  const auto path = here / "a.tgm";
  std::size_t messages = 0;
  const auto check = [&] {
    const tgmap::archive archive(path);
    BOOST_TEST_REQUIRE(archive.size() == messages);
    BOOST_TEST(!archive.incomplete_tail());
    for (const auto& each : archive) BOOST_TEST(each[each.size() - 1].verify() == tgmap::hash_result::match);
  };
  with_failing_allocations([&](tgmap::failure& why) { auto out = tgmap::appender::open(path, {}, why); });
  for (const bool stream : {false, true})
    for (long n = 0;; ++n) {
      tgmap::appender out(path);
      tgmap::failure why;
      fail_allocations_after(n);
      if (stream) {
        if (auto* to = out.begin_stream(varied.message.extra, why)) {
          to->write(std::get<new_object>(varied.message.objects[2]), why);
          tgmap::failure not_closed;
          out.close_stream(not_closed);
          if (!why) why = not_closed;
        }
      } else {
        out.write(varied.message, why);
      }
      fail_allocations_after(-1);
      messages += why ? 0 : 1;
      check();

      out.write(varied.message);  // the appender continues
      ++messages;
      check();
      if (!why) break;
      BOOST_TEST_REQUIRE((why.code == tgmap::make_error_code(errc::out_of_memory)), why.code.message());
      BOOST_TEST_REQUIRE(n < 5000);
    }
}

BOOST_AUTO_TEST_SUITE_END()

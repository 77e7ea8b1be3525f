// SPDX-License-Identifier: Apache-2.0
// Writing where memory ends at every allocation in turn: it says so, nothing is lost, and it can be tried again.
#include <archive/failing_new.hpp>
#include <boost/test/unit_test.hpp>
#include <cmath>
#include <numeric>
#include <support/failures.hpp>
#include <support/temporary.hpp>
#include <tgmap/tgmap.hpp>

using namespace tgmap_test;
using tgmap::cbor_value;
using tgmap::errc;
using tgmap::new_message;
using tgmap::new_object;

BOOST_AUTO_TEST_SUITE(allocation_test)

namespace {

/// A sink that allocates nothing while it takes bytes.
class roomy final : public tgmap::sink {
 public:
  explicit roomy(std::size_t room) { bytes.reserve(room); }
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

/// Of all that allocates: strides, another byte order, packing, filters, masks, codecs.
struct varied {
  varied() : doubles(500), floats(600, 1.5F) {
    std::iota(doubles.begin(), doubles.end(), 0.25);
    floats[7] = NAN;
    auto packed = new_object::of(std::span<const double>(doubles));
    packed.pipeline = {.encoding = tgmap::encoding::simple_packing, .filter = tgmap::filter::shuffle};
    auto turned = new_object::of(std::span<const double>(doubles), {5, 10, 10});
    turned.strides = {100, -1, 10};
    turned.data_offset = 9;
    turned.stored_byte_order = tgmap::byte_order::big;
    auto masked = new_object::of(std::span<const float>(floats));
    masked.pipeline = {.compression = tgmap::compression::lz4,
                       .missing = {.allow_nan = true, .nan = tgmap::mask_method::rle, .small_mask_bytes = 0}};
    masked.base = cbor_value::map({{"mars", cbor_value::map({{"param", "2t"}})}});
    masked.descriptor_extra =
        cbor_value::map({{"a note that does not fit a short string", cbor_value::array({1, 2.5, "x"})}});
    message.extra = cbor_value::map({{"source", "this test, which writes more than fits a short string"}});
    message.objects = {packed, turned, masked, new_object::of(std::span<const float>(floats).first(3))};
    options.provenance = tgmap::provenance::reproducible();
  }
  varied(const varied&) = delete;
  varied& operator=(const varied&) = delete;

  std::vector<double> doubles;
  std::vector<float> floats;
  new_message message{};
  tgmap::write_options options{};
};

/// Runs `body(failure&)` with ever more allocations that succeed until it does; before, it says out_of_memory.
template <class F>
void starve(F&& body) {
  for (long n = 0; n < 5000; ++n) {
    tgmap::failure why;
    fail_allocations_after(n);
    try {
      body(why);
    } catch (const std::bad_alloc&) {  // of constructors
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

BOOST_AUTO_TEST_CASE(a_message_is_written_whole_or_not_at_all) {
  const varied what;
  const auto expected = tgmap::to_bytes(what.message, what.options);
  roomy to(expected.size());
  starve([&](tgmap::failure& why) {
    BOOST_TEST_REQUIRE(to.bytes.empty());
    tgmap::writer out(to, what.options);
    out.write(what.message, why);
  });
  BOOST_TEST((to.bytes == expected));
}

BOOST_AUTO_TEST_CASE(writers_and_items_are_made_or_there_is_no_memory) {
  const varied what;
  const auto expected = tgmap::to_bytes(what.message, what.options);
  roomy to(1 << 16);
  starve([&](tgmap::failure& why) { const tgmap::writer out(to, what.options, why); });
  starve([&](tgmap::failure& why) {
    to.bytes.clear();
    const tgmap::stream_writer out(to, what.message.extra, what.options, {}, why);
  });
  std::vector<std::byte> bytes;
  starve([&](tgmap::failure& why) { bytes = tgmap::to_bytes(what.message, what.options, why); });
  BOOST_TEST((bytes == expected));
  const cbor_value elements[] = {what.message.extra, "more than what fits without memory of its own"};
  const cbor_value::pair pairs[] = {{"a", elements[0]}, {"\xff", elements[1]}};
  starve([&](tgmap::failure& why) { (void)cbor_value::array(elements, why); });
  starve([&](tgmap::failure& why) { (void)cbor_value::map(pairs, why); });
  starve([&](tgmap::failure& why) { (void)cbor_value::tagged(30, elements[0], why); });
}

BOOST_AUTO_TEST_CASE(a_writer_that_had_no_memory_can_be_used_again) {
  const varied what;
  const auto expected = tgmap::to_bytes(what.message, what.options);
  roomy to(expected.size());
  tgmap::writer out(to, what.options);
  starve([&](tgmap::failure& why) {
    BOOST_TEST_REQUIRE(to.bytes.empty());
    out.write(what.message, why);
  });
  BOOST_TEST((to.bytes == expected));
  BOOST_TEST(out.messages() == 1U);
}

BOOST_AUTO_TEST_CASE(a_message_is_copied_or_not) {
  const varied what;
  const auto bytes = tgmap::to_bytes(what.message, what.options);
  const auto archive = tgmap::archive::from_memory(bytes);
  const auto from = archive[0];
  roomy to(bytes.size());
  starve([&](tgmap::failure& why) {
    BOOST_TEST_REQUIRE(to.bytes.empty());
    tgmap::writer out(to, what.options);
    out.write(from, why);
  });
  BOOST_TEST((to.bytes == bytes));
  starve([&](tgmap::failure& why) { (void)tgmap::stored_object::of(from, 2, 3, why); });
}

BOOST_AUTO_TEST_CASE(an_object_that_is_refused_leaves_the_stream_as_it_was) {
  const varied what;
  tgmap::memory_sink alone;
  tgmap::stream_writer expected(alone, what.message.extra, what.options);
  for (const auto& each : what.message.objects) expected.write(std::get<new_object>(each));
  expected.finish();

  roomy to(alone.bytes().size());
  tgmap::stream_writer out(to, what.message.extra, what.options);
  for (const auto& each : what.message.objects) {
    const auto before = to.bytes.size();
    starve([&](tgmap::failure& why) {
      BOOST_TEST_REQUIRE(to.bytes.size() == before);
      out.write(std::get<new_object>(each), why);
    });
  }
  out.finish();
  BOOST_TEST((to.bytes == alone.bytes()));
}

BOOST_AUTO_TEST_CASE(a_stream_can_be_begun_and_ended_without_memory_but_once) {
  const varied what;
  for (const bool pieces : {false, true}) {
    roomy to(100000);
    starve([&](tgmap::failure& why) {
      to.bytes.clear();
      tgmap::stream_writer out(to, what.message.extra, what.options);
      if (pieces) {
        out.begin_object(std::get<new_object>(what.message.objects[3]), why);
        const auto elements = std::as_bytes(std::span<const float>(what.floats).first(3));
        if (!why) out.append_elements(elements, why);
        if (!why) out.end_object(why);
      } else {
        out.write(std::get<new_object>(what.message.objects[0]), why);
      }
      if (!why) out.finish(true, why);
    });
    const auto archive = tgmap::archive::from_memory(to.bytes);
    BOOST_TEST(archive.size() == 1U);
    BOOST_TEST(archive[0].size() == 1U);
  }
}

BOOST_AUTO_TEST_CASE(an_archive_is_as_it_was_or_has_one_message_more) {
  const varied what;
  const temporary_directory here;
  const auto path = here / "a.tgm";
  std::size_t messages = 0;
  const auto check = [&] {
    const tgmap::archive archive(path);
    BOOST_TEST_REQUIRE(archive.size() == messages);
    BOOST_TEST(!archive.incomplete_tail());
    for (const auto& each : archive) BOOST_TEST(each[each.size() - 1].verify() == tgmap::hash_result::match);
  };
  starve([&](tgmap::failure& why) { auto out = tgmap::appender::open(path, {}, why); });
  for (const bool stream : {false, true})
    for (long n = 0;; ++n) {
      tgmap::appender out(path);
      tgmap::failure why;
      fail_allocations_after(n);
      if (stream) {
        if (auto* to = out.begin_stream(what.message.extra, why)) {
          to->write(std::get<new_object>(what.message.objects[2]), why);
          tgmap::failure not_closed;
          out.close_stream(not_closed);
          if (!why) why = not_closed;
        }
      } else {
        out.write(what.message, why);
      }
      fail_allocations_after(-1);
      messages += why ? 0 : 1;
      check();

      out.write(what.message);  // it goes on
      ++messages;
      check();
      if (!why) break;
      BOOST_TEST_REQUIRE((why.code == tgmap::make_error_code(errc::out_of_memory)), why.code.message());
      BOOST_TEST_REQUIRE(n < 5000);
    }
}

BOOST_AUTO_TEST_SUITE_END()

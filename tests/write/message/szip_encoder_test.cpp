// SPDX-License-Identifier: Apache-2.0
// Szip of version 2, which readers decode by the encoder that the message names (§7.4). Objects that they would decode
// wrongly are refused.
#include <boost/test/unit_test.hpp>
#include <cmath>
#include <support/builder.hpp>
#include <support/decoded.hpp>
#include <support/failures.hpp>
#include <tgmap/tgmap.hpp>

using namespace tgmap_test;
using tgmap::new_object;

BOOST_AUTO_TEST_SUITE(szip_encoder_test)

namespace {

/// Returns an encoder before 0.7.0, or a current one.
tgmap::provenance encoder(bool legacy) {
  return {.encoder = legacy ? "tensogram" : "tgmap", .encoder_version = legacy ? "0.6.1" : ""};
}

struct attempt {
  tgmap::failure why{};
  std::vector<std::byte> bytes{};  ///< the message
  bool wrote_nothing = false;      ///< the object was not written, not even in part
};

template <class Object>
attempt write_message(const Object& what, const tgmap::write_options& how) {
  attempt out;
  tgmap::memory_sink sink;
  tgmap::writer(sink, how).write({.objects = {what}}, out.why);
  out.wrote_nothing = sink.bytes().empty();
  out.bytes = sink.release();
  return out;
}

template <class Object>
attempt write_stream(const Object& what, const tgmap::write_options& how) {
  attempt out;
  tgmap::memory_sink sink;
  tgmap::stream_writer stream(sink, tgmap::cbor_value::map(), how);
  const auto before = sink.bytes().size();
  stream.write(what, out.why);
  out.wrote_nothing = sink.bytes().size() == before;
  stream.finish();
  out.bytes = sink.release();
  return out;
}

/// Checks that a writer and a stream both refuse the object, or both write it. `look` checks the written object.
template <class Object, class Look>
void check(const Object& what, bool legacy_encoder, bool refused, Look look) {
  const tgmap::write_options how{.version = 2, .provenance = encoder(legacy_encoder)};
  for (const attempt& each : {write_message(what, how), write_stream(what, how)}) {
    BOOST_TEST(each.wrote_nothing == refused);
    if (refused) {
      TGMAP_FAILED(each.why, tgmap::errc::unsupported_upgrade);
      BOOST_TEST(each.why.object == 0);
    } else {
      TGMAP_SUCCEEDED(each.why);
      const auto archive = tgmap::archive::from_memory(each.bytes);
      BOOST_TEST_REQUIRE(archive[0].size() == 1U);
      look(archive[0][0]);
    }
  }
}

bool has_szip() { return !tgmap::validate_pipeline({.compression = tgmap::compression::szip}, tgmap::dtype::uint16); }

new_object packed(std::span<const double> numbers, unsigned bits) {
  auto out = new_object::of(numbers);
  out.pipeline = {
      .encoding = tgmap::encoding::simple_packing, .compression = tgmap::compression::szip, .packing = {.bits = bits}};
  return out;
}

std::vector<double> waves() {
  std::vector<double> out(1000);
  for (std::size_t i = 0; i < out.size(); ++i) out[i] = std::sin(static_cast<double>(i) * 0.01);
  return out;
}

}  // namespace

BOOST_AUTO_TEST_CASE(packed_samples) {
  if (!has_szip()) return;
  const auto numbers = waves();
  for (const unsigned bits : {8U, 16U, 24U, 32U})
    for (const bool legacy : {false, true}) BOOST_TEST_CONTEXT(bits << " bits, legacy " << legacy) {
        const double step = 4 / std::ldexp(1.0, static_cast<int>(bits));
        check(packed(numbers, bits), legacy, legacy && bits > 8, [&](const tgmap::object& found) {
          const auto decoded = found.decode();
          const auto values = decoded.view<double>().values();
          for (std::size_t i = 0; i < numbers.size(); ++i)
            if (std::abs(values[i] - numbers[i]) > step) BOOST_ERROR("element " << i);
        });
      }
}

BOOST_AUTO_TEST_CASE(plain_samples) {
  if (!has_szip()) return;
  std::vector<std::uint16_t> numbers(1000);
  for (std::size_t i = 0; i < numbers.size(); ++i) numbers[i] = static_cast<std::uint16_t>(i * 3);
  auto what = new_object::of(std::span<const std::uint16_t>(numbers));
  what.pipeline.compression = tgmap::compression::szip;
  const auto look = [&](const tgmap::object& found) {
    BOOST_TEST(std::ranges::equal(values_of<std::uint16_t>(found.decode()), numbers));
  };
  for (const bool legacy : {false, true}) {
    check(what, legacy, false, look);
    // A frame of one encoder may go into a message of the other.
    const auto bytes = write_message(what, {.version = 2, .provenance = encoder(legacy)}).bytes;
    const auto archive = tgmap::archive::from_memory(bytes);
    check(tgmap::stored_object::of(archive[0], 0, 2), !legacy, false, look);
  }
}

BOOST_AUTO_TEST_CASE(frames_of_archives) {
  for (const bool written_legacy : {false, true})
    for (const std::uint64_t bits : {8U, 16U})
      for (const bool raw : {false, true}) {
        object_spec spec{.dtype = "float64", .shape = {3}, .payload = "stored", .compression = "szip"};
        if (!raw) spec.encoding = "simple_packing";
        spec.more = {cbor::key("szip_rsi", cbor::integer(128)),
                     cbor::key("szip_block_size", cbor::integer(16)),
                     cbor::key("szip_flags", cbor::integer(8)),
                     cbor::key("bits_per_value", cbor::unsigned_integer(bits)),
                     cbor::key("reference_value", cbor::real(0)),
                     cbor::key("binary_scale_factor", cbor::integer(0)),
                     cbor::key("decimal_scale_factor", cbor::integer(0))};
        const auto name = cbor::key("name", cbor::text("tensogram")),
                   version = cbor::key("version", cbor::text(written_legacy ? "0.6.1" : "0.7.0"));
        const bytes data = message({.version = 2,
                                    .objects = {spec},
                                    .reserved = cbor::map({cbor::key("encoder", cbor::map({name, version}))})});
        const auto from = tgmap::archive::from_memory(std::as_bytes(std::span(data)));
        const auto stored = tgmap::stored_object::of(from[0], 0, 2);
        for (const bool legacy : {false, true})
          BOOST_TEST_CONTEXT(bits << " bits, written legacy " << written_legacy << ", legacy " << legacy << ", raw "
                                  << raw)
        check(stored, legacy, !raw && bits > 8 && legacy != written_legacy, [&](const tgmap::object& found) {
          BOOST_TEST(std::ranges::equal(found.payload_and_masks(), from[0][0].payload_and_masks()));
        });
      }
}

BOOST_AUTO_TEST_CASE(provenance_of_the_message_decides) {
  if (!has_szip()) return;
  const auto numbers = waves();
  const tgmap::write_options how{.version = 2, .provenance = encoder(true)};
  tgmap::memory_sink sink;
  tgmap::writer out(sink, how);
  tgmap::failure why;
  out.write({.objects = {packed(numbers, 16)}, .provenance = tgmap::cbor_value::map()},
            why);  // without an encoder: legacy
  TGMAP_FAILED(why, tgmap::errc::unsupported_upgrade);
  const auto today =
      tgmap::cbor_value::map({{"encoder", tgmap::cbor_value::map({{"name", "tensogram"}, {"version", "0.24.0"}})}});
  out.write({.objects = {packed(numbers, 16)}, .provenance = today}, why);
  TGMAP_SUCCEEDED(why);
  out.write({.objects = {packed(numbers, 16)}}, why);  // with the provenance of the options again
  TGMAP_FAILED(why, tgmap::errc::unsupported_upgrade);
  BOOST_TEST(out.messages() == 1U);
}

BOOST_AUTO_TEST_SUITE_END()

// SPDX-License-Identifier: Apache-2.0
// Wrong offsets of reference intervals: pieces fail, and the whole equals the result of one thread.
#include <boost/test/unit_test.hpp>
#include <support/builder.hpp>
#include <support/decoded.hpp>
#include <support/failures.hpp>
#include <support/shared_data.hpp>
#include <support/temporary.hpp>
#include <tgmap/decode/executor.hpp>
#include <tgmap/tgmap.hpp>

#include "archive/payload_access.hpp"
#include "decode/plan.hpp"
#include "decode/range_decoder.hpp"

using namespace tgmap_test;
using tgmap::errc;

BOOST_AUTO_TEST_SUITE(wrong_offsets_test)

namespace {

using numbers = std::vector<std::uint64_t>;

class one_after_another final : public tgmap::executor {
 public:
  unsigned concurrency() const noexcept override { return 2; }
  void run(std::size_t count, task task) noexcept override {
    for (std::size_t i = 0; i < count; ++i) task.run(task.context, i);
  }
};

numbers offsets_of(const tgmap::object& o) {
  numbers out;
  if (const auto list = o.descriptor().entries.find("szip_block_offsets"))
    list->visit([&](std::uint64_t, const tgmap::cbor_view& item) {
      out.push_back(item.as<std::uint64_t>());
      return true;
    });
  return out;
}

/// Returns the same object with other offsets.
object_spec with(const tgmap::object& o, const numbers& offsets) {
  const auto what = o.descriptor();
  object_spec out{.dtype = std::string(to_string_view(what.dtype)),
                  .shape = {what.shape().begin(), what.shape().end()}};
  out.payload = bytes(reinterpret_cast<const char*>(o.payload().data()), o.payload().size());
  out.encoding = "simple_packing";
  out.compression = "szip";
  for (const char* key : {"szip_rsi", "szip_block_size", "szip_flags", "sp_bits_per_value"})
    out.more.push_back(cbor::key(key, cbor::unsigned_integer(what.entries.find(key)->as<std::uint64_t>())));
  for (const char* key : {"sp_binary_scale_factor", "sp_decimal_scale_factor"})
    out.more.push_back(cbor::key(key, cbor::integer(what.entries.find(key)->as<std::int64_t>())));
  out.more.push_back(
      cbor::key("sp_reference_value", cbor::real(what.entries.find("sp_reference_value")->as<double>())));
  std::vector<bytes> items;
  for (const std::uint64_t each : offsets) items.push_back(cbor::unsigned_integer(each));
  out.more.push_back(cbor::key("szip_block_offsets", cbor::array(items)));
  return out;
}

/// Decodes the whole in pieces of about this many bytes.
tgmap::failure in_pieces(const tgmap::object& o, std::span<std::byte> out, std::size_t piece = 256) {
  tgmap::decode::plan plan;
  const auto what = o.descriptor();
  if (const tgmap::failure why = plan_for(o, what, plan)) return why;
  tgmap::decode::range_decoder decoder(plan, o, {});
  tgmap::core::scratch blob, masks;
  one_after_another threads;
  if (const tgmap::failure why = decoder.open(tgmap::decode::reading::whole_in_parts, blob, masks)) return why;
  return decoder.decode_all(out, threads, piece);
}

constexpr tgmap::szip_options often{.rsi = 4, .block_size = 8};
constexpr std::size_t interval = 4 * 8;

tgmap::archive encoded(const std::vector<float>& elements, bytes& data) {
  auto one = tgmap::new_object::of(std::span<const float>(elements));
  one.pipeline.compression = tgmap::compression::szip;
  one.pipeline.szip = often;
  tgmap::new_message all;
  all.objects.push_back(one);
  data = view_of(to_bytes(all));
  return tgmap::archive::from_memory(span_of(data));
}

/// Returns the stream of some elements, followed by that of others. From interval `from` on, the offsets are those of
/// the second stream.
object_spec two_streams(const std::vector<float>& elements, std::size_t from) {
  std::vector<float> others = elements;
  for (std::size_t i = from * interval; i < others.size(); ++i)
    if (i % interval >= interval / 2) others[i] += 1;
  bytes first, second;
  const tgmap::archive a = encoded(elements, first), b = encoded(others, second);
  numbers offsets = offsets_of(a[0][0]);
  const numbers behind = offsets_of(b[0][0]);
  for (std::size_t i = from; i < offsets.size(); ++i) offsets[i] = behind[i] + a[0][0].payload().size() * 8;
  object_spec out{.dtype = "float32", .shape = {elements.size()}, .compression = "szip"};
  out.payload = bytes(view_of(a[0][0].payload())) + bytes(view_of(b[0][0].payload()));
  std::vector<bytes> items;
  for (const std::uint64_t each : offsets) items.push_back(cbor::unsigned_integer(each));
  out.more = {cbor::key("szip_rsi", cbor::unsigned_integer(often.rsi)),
              cbor::key("szip_block_size", cbor::unsigned_integer(often.block_size)),
              cbor::key("szip_flags", cbor::unsigned_integer(often.flags)),
              cbor::key("szip_block_offsets", cbor::array(items))};
  return out;
}

std::vector<float> counting(std::size_t count) {
  std::vector<float> out(count);
  for (std::size_t i = 0; i < count; ++i) out[i] = static_cast<float>(i % 1000);
  return out;
}

}  // namespace

BOOST_AUTO_TEST_CASE(another_sound_stream) {
  if (validate_pipeline({.compression = tgmap::compression::szip, .szip = often}, tgmap::dtype::float32)) return;
  const auto elements = counting(40 * interval);
  const auto expected = view_of(std::as_bytes(std::span(elements)));
  const temporary_directory files;
  for (const std::size_t from : {1u, 7u, 39u}) {
    const auto path = files.file("a.tgm", tgmap_test::message({.objects = {two_streams(elements, from)}}));
    for (const auto mode : {tgmap::io_mode::map, tgmap::io_mode::read}) {
      const tgmap::archive in(path, {.io = mode});
      const tgmap::object o = in[0][0];
      BOOST_TEST((bytes_of(o.decode()) == expected));
      bytes room(expected.size(), '?');
      TGMAP_FAILED(in_pieces(o, std::as_writable_bytes(std::span(room))), errc::bad_parameter);
      const tgmap::part_reader parts(o);
      BOOST_TEST(!parts.cost(5, 1).decodes_whole_object);
      for (std::size_t i = 0; i < 40; ++i)
        BOOST_TEST((bytes_of(parts.range(i * interval, interval)) == expected.substr(i * interval * 4, interval * 4)));
      BOOST_TEST(parts.cost(5, 1).decodes_whole_object);  // which is known by now
      tgmap::failure why;
      o.verify_block_offsets(why);
      TGMAP_FAILED(why, errc::bad_parameter);
      BOOST_TEST(why.found == from);
    }
  }
}

BOOST_AUTO_TEST_CASE(whole_piece_does_not_prove_wrong_offsets) {
  if (validate_pipeline({.compression = tgmap::compression::szip, .szip = often}, tgmap::dtype::float32)) return;
  const auto elements = counting(40 * interval);
  const auto expected = view_of(std::as_bytes(std::span(elements)));
  const bytes data = tgmap_test::message({.objects = {two_streams(elements, 7)}});
  for (const std::size_t piece : {std::size_t{39} * interval * 4, std::size_t{1} << 20}) {
    const tgmap::archive in = tgmap::archive::from_memory(span_of(data));
    const tgmap::object o = in[0][0];
    bytes room(expected.size(), '?');
    TGMAP_FAILED(in_pieces(o, std::as_writable_bytes(std::span(room)), piece), errc::bad_parameter);
    const tgmap::part_reader parts(o);
    for (std::size_t i = 0; i < 40; ++i)
      BOOST_TEST((bytes_of(parts.range(i * interval, interval)) == expected.substr(i * interval * 4, interval * 4)));
  }
}

BOOST_AUTO_TEST_CASE(another_sound_stream_on_threads) {
  if (validate_pipeline({.compression = tgmap::compression::szip, .szip = often}, tgmap::dtype::float32)) return;
  const auto elements = counting(3 << 18);
  const bytes data = tgmap_test::message({.objects = {two_streams(elements, 3000)}});
  const tgmap::archive in = tgmap::archive::from_memory(span_of(data));
  const auto threads = tgmap::make_thread_executor(2);
  BOOST_TEST((bytes_of(in[0][0].decode({.executor = threads.get()})) == view_of(std::as_bytes(std::span(elements)))));
}

BOOST_AUTO_TEST_CASE(sound_offsets_are_proven_once) {
  if (validate_pipeline({.compression = tgmap::compression::szip, .szip = often}, tgmap::dtype::float32)) return;
  const auto elements = counting(40 * interval);
  bytes data;
  const tgmap::archive in = encoded(elements, data);
  const tgmap::object o = in[0][0];
  const auto at = [&] { return tgmap::detail::checked_offset_count(o); };
  BOOST_TEST(at() == 0u);
  BOOST_TEST(tgmap::part_reader(o).range(10 * interval, 1).size() == 1u);
  BOOST_TEST(at() == 11u);
  BOOST_TEST(o.decode_range(3 * interval, 1).size() == 1u);
  BOOST_TEST(at() == 11u);
  bytes room(elements.size() * 4, '?');
  BOOST_TEST(!in_pieces(o, std::as_writable_bytes(std::span(room))));
  BOOST_TEST(at() == UINT64_MAX);
  o.verify_block_offsets();
}

BOOST_AUTO_TEST_CASE(impossible_lists) {
  if (validate_pipeline({.compression = tgmap::compression::szip, .szip = often}, tgmap::dtype::float32)) return;
  const auto elements = counting(4 * interval);
  bytes sound;
  const tgmap::archive made = encoded(elements, sound);
  const numbers right = offsets_of(made[0][0]);
  const std::uint64_t end = made[0][0].payload().size() * 8;
  for (const numbers& wrong : {numbers{},
                               {0},
                               {right[0], right[1], right[2]},
                               {right[0], right[2], right[1], right[3]},
                               {1, right[1], right[2], right[3]},
                               {right[0], right[1], right[2], end},
                               {right[0], right[1], right[2], right[3], right[3] + 1}}) {
    object_spec spec = two_streams(elements, right.size());
    spec.payload = view_of(made[0][0].payload());
    std::vector<bytes> items;
    for (const std::uint64_t each : wrong) items.push_back(cbor::unsigned_integer(each));
    spec.more.back() = cbor::key("szip_block_offsets", cbor::array(items));
    const bytes data = tgmap_test::message({.objects = {spec}});
    const tgmap::archive in = tgmap::archive::from_memory(span_of(data));
    BOOST_TEST((bytes_of(in[0][0].decode_range(interval, 3)) ==
                view_of(std::as_bytes(std::span(elements).subspan(interval, 3)))));
    tgmap::failure why;
    in[0][0].verify_block_offsets(why);
    TGMAP_FAILED(why, errc::bad_parameter);
  }
}

BOOST_AUTO_TEST_CASE(each_offset_is_compared_with_the_stream_before_it) {
  const tgmap::archive samples(test_data() / "w0.24.0_packing_szip_none.tgm");
  const temporary_directory files;
  std::size_t tried = 0;
  for (std::size_t j = 0; j < samples[0].size(); ++j) {
    const tgmap::object o = samples[0][j];
    const numbers sound = offsets_of(o);
    tgmap::failure why;
    const auto whole = o.decode({}, why);
    if (why || sound.size() < 3) continue;
    bytes room(whole.bytes().size(), '?');
    const auto out = std::as_writable_bytes(std::span(room));
    for (std::size_t i = 0; i < sound.size(); ++i)
      for (const int change : {0, -1, 1, 8}) {
        numbers lying = sound;
        lying[i] += static_cast<std::uint64_t>(change);
        const tgmap::archive a(files.file("a.tgm", tgmap_test::message({.objects = {with(o, lying)}})));
        tried += 1;
        why = in_pieces(a[0][0], out);
        // It fails, or the result is right anyway, because the intervals are so similar that the bit does not matter.
        if (!why)
          BOOST_TEST(std::ranges::equal(out, whole.bytes()), "object " << j << ", offset " << i << " by " << change);
        if (change == 0) BOOST_TEST(!why);
        BOOST_TEST(bytes_of(a[0][0].decode()) == bytes_of(whole));
      }
  }
  BOOST_TEST(tried > 10u);
}

BOOST_AUTO_TEST_SUITE_END()

// SPDX-License-Identifier: Apache-2.0
// Places of reference intervals that are wrong: pieces say so, and the whole is what one thread makes of it.
#include <boost/test/unit_test.hpp>
#include <support/builder.hpp>
#include <support/failures.hpp>
#include <support/shared_data.hpp>
#include <support/temporary.hpp>
#include <tgmap/archive.hpp>
#include <tgmap/executor.hpp>

#include "decode/plan_for.hpp"
#include "decode/range_decoder.hpp"

using namespace tgmap_test;
using tgmap::errc;

BOOST_AUTO_TEST_SUITE(lying_offsets_test)

namespace {

using numbers = std::vector<std::uint64_t>;

class one_after_another final : public tgmap::executor {
 public:
  unsigned width() const noexcept override { return 2; }
  void run(std::size_t count, work what) noexcept override {
    for (std::size_t i = 0; i < count; ++i) what.run(what.context, i);
  }
};

numbers offsets_of(const tgmap::object& o) {
  numbers out;
  if (const auto list = o.descriptor().entries.find("szip_block_offsets"))
    list->visit([&](std::uint64_t, const tgmap::value& item) {
      out.push_back(item.as<std::uint64_t>());
      return true;
    });
  return out;
}

/// The same object with other offsets.
object_spec with(const tgmap::object& o, const numbers& offsets) {
  const auto what = o.descriptor();
  object_spec out{.dtype = std::string(name(what.dtype)), .shape = {what.shape().begin(), what.shape().end()}};
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

/// Decodes all of it in small pieces.
tgmap::failure in_pieces(const tgmap::object& o, std::span<std::byte> out) {
  tgmap::decode::plan plan;
  const auto what = o.descriptor();
  if (const tgmap::failure why = plan_for(o, what, plan)) return why;
  tgmap::decode::range_decoder by(plan, o, {});
  tgmap::core::scratch blob, masks;
  one_after_another threads;
  if (const tgmap::failure why = by.open(true, blob, masks)) return why;
  return by.decode_all(out, threads, 256);
}

}  // namespace

BOOST_AUTO_TEST_CASE(each_place_is_held_against_the_stream_before_it) {
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
        // It fails, or what came out is right all the same: where intervals are so alike that a bit makes no
        // difference.
        if (!why)
          BOOST_TEST(std::ranges::equal(out, whole.bytes()), "object " << j << ", offset " << i << " by " << change);
        if (change == 0) BOOST_TEST(!why);
        BOOST_TEST(std::ranges::equal(a[0][0].decode().bytes(), whole.bytes()));
      }
  }
  BOOST_TEST(tried > 10u);
}

BOOST_AUTO_TEST_SUITE_END()

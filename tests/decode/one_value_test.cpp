// SPDX-License-Identifier: Apache-2.0
// An object has one value, by whichever way it is read: whole, into memory of the caller, in pieces, in parts, in
// boxes, among many. The same holds of objects that are damaged: a way gives that value, or fails where the whole does.
#include <algorithm>
#include <boost/test/unit_test.hpp>
#include <cmath>
#include <functional>
#include <limits>
#include <optional>
#include <support/builder.hpp>
#include <support/decoded.hpp>
#include <support/rounds.hpp>
#include <support/shared_data.hpp>
#include <support/temporary.hpp>
#include <tgmap/tgmap.hpp>

#include "decode/plan.hpp"
#include "decode/range_decoder.hpp"

using namespace tgmap_test;
using tgmap::compression;
using tgmap::dtype;

BOOST_AUTO_TEST_SUITE(one_value_test)

namespace {

using value = std::optional<bytes>;  ///< nothing: it failed
using numbers = std::vector<std::uint64_t>;

const tgmap::open_options small{.damage = tgmap::on_damage::skip, .max_decoded_bytes = 1 << 20};

/// In the order of the payload: bytes of the caller's are filled so, whatever the strides.
tgmap::decode_options plainly(tgmap::executor* on = nullptr) {
  return {.strides = tgmap::stride_policy::ignore, .executor = on};
}

class in_turn final : public tgmap::executor {
 public:
  unsigned concurrency() const noexcept override { return 2; }
  void run(std::size_t count, task what) noexcept override {
    for (std::size_t i = count; i-- > 0;) what.run(what.context, i);
  }
};

value taken(const tgmap::tensor& from, const tgmap::failure& why) {
  return why ? value() : value(bytes(view_of(from.bytes())));
}

/// A call that returns a tensor and fills a failure.
template <class Call>
value tensor_by(Call&& call) {
  tgmap::failure why;
  return taken(call(why), why);
}

/// The same of one that fills bytes, of which there are `size`.
template <class Call>
value bytes_by(std::uint64_t size, Call&& call) {
  tgmap::failure why;
  bytes out(size, '?');
  call(std::as_writable_bytes(std::span(out)), why);
  return why ? value() : value(std::move(out));
}

/// All of it, cut into pieces as threads would get it.
value in_pieces(const tgmap::object& of) {
  tgmap::failure why;
  tgmap::decode::plan plan;
  const tgmap::descriptor what = of.descriptor(why);
  if (why || plan_for(of, what, plan)) return {};
  const auto how = plainly();
  tgmap::decode::range_decoder by(plan, of, how);
  tgmap::core::scratch blob, masks;
  if (by.open(tgmap::decode::reading::whole_in_parts, blob, masks)) return {};
  in_turn threads;
  return bytes_by(plan.decoded, [&](std::span<std::byte> out, tgmap::failure& failed) {
    failed = by.whole_only() ? by.decode(0, out, tgmap::decode::thread_workspace()) : by.decode_all(out, threads, 256);
  });
}

value among_many(const tgmap::object& of, std::uint64_t size) {
  return bytes_by(size, [&](std::span<std::byte> out, tgmap::failure& why) {
    decode_many({&of, 1}, {&out, 1}, {.decode = plainly()}, why);
  });
}

value handed_over(const tgmap::object& of) {
  value out;
  tgmap::decode_each({&of, 1},
                     [&](std::size_t, tgmap::tensor&& one, const tgmap::failure& why) {
                       out = taken(one, why);
                       return true;
                     },
                     {.decode = plainly()});
  return out;
}

/// Elements [first, first + count) of a value; what is behind the last bit is 0.
bytes cut(const bytes& whole, dtype type, std::uint64_t first, std::uint64_t count) {
  if (type != dtype::bitmask) return whole.substr(first * element_size(type), count * element_size(type));
  bytes out((count + 7) / 8, '\0');
  for (std::uint64_t i = 0; i < count; ++i)
    if ((static_cast<unsigned char>(whole[(first + i) / 8]) >> (7 - (first + i) % 8) & 1) != 0)
      out[i / 8] = static_cast<char>(static_cast<unsigned char>(out[i / 8]) | 0x80u >> i % 8);
  return out;
}

/// Why parts are not what the whole has there; empty: they are. Of a whole that fails they may be anything.
std::string parts_against(const value& whole, const tgmap::object& of, const tgmap::descriptor& what) {
  tgmap::failure why;
  const auto how = plainly();
  const auto reader = tgmap::part_reader::open(of, how, why);
  if (why) return whole ? "no part_reader: " + why.text() : "";
  const std::uint64_t all = what.element_count, step = std::max<std::uint64_t>(1, all / 5 + 1);
  for (std::uint64_t first = 0; first < all; first += step) {
    const std::uint64_t count = std::min(step, all - first);
    const auto name = [&](const char* way) {
      return way + (" " + std::to_string(first)) + "+" + std::to_string(count);
    };
    for (const bool kept : {true, false}) {
      const value part = tensor_by([&](tgmap::failure& failed) {
        return kept ? reader.range(first, count, failed) : of.decode_range(first, count, how, failed);
      });
      if (whole && part != cut(*whole, what.dtype, first, count)) return name(kept ? "range" : "decode_range");
    }
  }
  if (what.rank() == 0) return {};
  // Along the first dimension: every third one, from the second one on.
  const auto shape = what.shape();
  const std::uint64_t row = shape[0] == 0 ? 0 : all / shape[0];
  numbers start(shape.size(), 0), extent(shape.begin(), shape.end()), stride(shape.size(), 1);
  start[0] = std::min<std::uint64_t>(1, shape[0]);
  stride[0] = 3;
  extent[0] = (shape[0] - start[0] + 2) / 3;
  if (row == 0) return {};
  const value box = tensor_by([&](tgmap::failure& failed) { return reader.slab({start, extent, stride}, failed); });
  if (!whole) return {};
  if (!box) return "slab fails";
  for (std::uint64_t i = 0; i < extent[0]; ++i)
    if (cut(*box, what.dtype, i * row, row) != cut(*whole, what.dtype, (start[0] + 3 * i) * row, row)) return "slab";
  return {};
}

/// Why two ways differ; empty: none do.
std::string difference(const tgmap::object& of) {
  tgmap::failure why;
  const tgmap::descriptor what = of.descriptor(why);
  if (why) return {};
  const value whole = tensor_by([&](tgmap::failure& failed) { return of.decode(plainly(), failed); });
  const std::uint64_t size = of.decoded_size(why);
  if (why) return whole ? "decoded_size fails" : "";
  if (whole && whole->size() != size) return "decoded_size";
  in_turn threads;
  tgmap::tensor used;
  const dtype type = what.dtype;
  const std::pair<const char*, value> others[] = {
      {"decode_into a tensor", tensor_by([&](tgmap::failure& failed) -> tgmap::tensor& {
         return of.decode_into(used, plainly(), failed), used;
       })},
      {"decode_into bytes", bytes_by(size, [&](std::span<std::byte> out,
                                               tgmap::failure& failed) { of.decode_into(out, plainly(), failed); })},
      {"decode_as", tensor_by([&](tgmap::failure& failed) { return of.decode_as(type, plainly(), failed); })},
      {"threads", tensor_by([&](tgmap::failure& failed) { return of.decode(plainly(&threads), failed); })},
      {"decode_many", among_many(of, size)},
      {"decode_each", handed_over(of)},
  };
  for (const auto& [way, found] : others)
    if (found != whole) return way;
  const value pieces = in_pieces(of);
  if (pieces && pieces != whole) return "pieces";
  if (what.element_count == 0) return {};
  const value range =
      tensor_by([&](tgmap::failure& failed) { return of.decode_range(0, what.element_count, plainly(), failed); });
  if (range != whole) return "the range of all";
  return parts_against(whole, of, what);
}

/// Of all objects of an archive. Counts those that can be decoded.
std::string difference(const tgmap::archive& in, std::size_t& sound) {
  tgmap::failure why;
  const std::size_t count = in.size(why);
  for (std::size_t m = 0; m < count; ++m) {
    const tgmap::message one = in.at(m, why);
    if (why) continue;
    const std::size_t objects = one.size(why);
    for (std::size_t j = 0; !why && j < objects; ++j) {
      const tgmap::object of = one.at(j, why);
      if (why) break;
      if (const auto told = difference(of); !told.empty())
        return std::to_string(m) + ":" + std::to_string(j) + ", " + told;
      tgmap::failure failed;
      sound += of.decode({}, failed).size() != 0 ? 1 : 0;
    }
  }
  return {};
}

/// In memory, mapped and read.
std::string difference_in_modes(const bytes& data, const std::filesystem::path& file, std::size_t& sound) {
  if (auto told = difference(tgmap::archive::from_memory(span_of(data), small), sound); !told.empty())
    return "in memory, " + told;
  for (const auto mode : {tgmap::io_mode::map, tgmap::io_mode::read}) {
    tgmap::open_options options = small;
    options.io = mode;
    if (auto told = difference(tgmap::archive(file, options), sound); !told.empty()) return "from a file, " + told;
  }
  return {};
}

bytes archive_of(tgmap::new_object one) {
  tgmap::new_message message;
  message.objects.push_back(std::move(one));
  tgmap::failure why;
  const auto out = to_bytes(message, {}, why);
  return why ? bytes() : bytes(view_of(out));
}

struct sample {
  std::string name;
  bytes data;
};

/// Smooth, with a few leaps: every codec finds something to do.
template <class T>
std::vector<T> smooth(std::size_t count) {
  std::vector<T> out(count);
  for (std::size_t i = 0; i < count; ++i) {
    const double x = static_cast<double>(i);
    out[i] = static_cast<T>(100 + 50 * std::sin(x / 40) + (i % 97 == 0 ? 20 : 0) + static_cast<double>(i % 7));
  }
  return out;
}

template <class T>
void add(std::vector<sample>& to, const std::string& name, const tgmap::pipeline& how, std::vector<T> elements,
         std::uint64_t rows = 5) {
  if (validate_pipeline(how, tgmap::dtype_of<T>)) return;  // a build without the codec
  auto one = tgmap::new_object::of(std::span<const T>(elements), {rows, elements.size() / rows});
  one.pipeline = how;
  if (auto data = archive_of(std::move(one)); !data.empty()) to.push_back({name, std::move(data)});
}

bytes bits_of(std::uint64_t count) {
  bytes out((count + 7) / 8, '\0');
  for (std::size_t i = 0; i < out.size(); ++i) out[i] = static_cast<char>(i % 5 == 0 ? 0xff : i * 37);
  return out;
}

/// One object of each pipeline, as small as shows more than one piece.
std::vector<sample> samples() {
  std::vector<sample> out;
  const auto packed = tgmap::encoding::simple_packing;
  const tgmap::szip_options often{.rsi = 2, .block_size = 8};
  const auto doubles = smooth<double>(200);
  for (const unsigned bits : {0u, 5u, 12u, 16u})
    add(out, "packed " + std::to_string(bits), {.encoding = packed, .packing = {.bits = bits}}, doubles);
  for (const unsigned bits : {8u, 16u, 24u})
    add(out, "packed, szip " + std::to_string(bits),
        {.encoding = packed, .compression = compression::szip, .packing = {.bits = bits}, .szip = often}, doubles);
  add(out, "szip", {.compression = compression::szip, .szip = often}, smooth<float>(200));
  add(out, "szip of bytes", {.compression = compression::szip, .szip = often}, smooth<std::uint8_t>(330));
  add(out, "shuffled szip", {.filter = tgmap::filter::shuffle, .compression = compression::szip, .szip = often},
      smooth<float>(100));
  add(out, "zfp of fixed rate",
      {.compression = compression::zfp, .zfp = {.mode = tgmap::zfp_mode::fixed_rate, .rate = 11}}, smooth<double>(45));
  add(out, "zfp", {.compression = compression::zfp}, doubles);
  add(out, "sz3", {.compression = compression::sz3}, doubles);
  for (const auto codec : {tgmap::blosc2_codec::lz4, tgmap::blosc2_codec::zstd, tgmap::blosc2_codec::blosclz})
    add(out, "blosc2", {.compression = compression::blosc2, .blosc2 = {.codec = codec, .level = 1}},
        smooth<double>(700));
  for (const auto which : {compression::none, compression::zstd, compression::lz4})
    add(out, "shuffled", {.filter = tgmap::filter::shuffle, .compression = which}, smooth<float>(95));
  auto gaps = smooth<float>(60);
  gaps[7] = std::numeric_limits<float>::quiet_NaN();
  gaps[30] = std::numeric_limits<float>::infinity();
  for (const auto method : {tgmap::mask_method::none, tgmap::mask_method::rle, tgmap::mask_method::roaring})
    add(out, "masks",
        {.missing = {.allow_nan = true,
                     .allow_infinity = true,
                     .nan = method,
                     .positive_infinity = method,
                     .small_mask_bytes = 0}},
        gaps);
  for (const std::uint64_t count : {8u, 13u, 45u})  // bits behind the last one are set
    out.push_back({"bits", tgmap_test::message(
                               {.objects = {{.dtype = "bitmask", .shape = {count}, .payload = bits_of(count)}}})});
  for (const auto which : {compression::rle, compression::roaring, compression::zstd, compression::lz4}) {
    const bytes all = bits_of(203);
    tgmap::new_object one{.data = span_of(all), .dtype = dtype::bitmask, .shape = {7, 29}};
    one.pipeline.compression = which;
    if (!validate_pipeline(one.pipeline, dtype::bitmask)) out.push_back({"compressed bits", archive_of(one)});
  }
  return out;
}

}  // namespace

BOOST_AUTO_TEST_CASE(files_in_the_tree) {
  std::size_t sound = 0;
  for (const auto& entry : std::filesystem::directory_iterator(test_data())) {
    if (entry.path().extension() != ".tgm") continue;
    for (const auto mode : {tgmap::io_mode::map, tgmap::io_mode::read}) {
      const tgmap::archive in(entry.path(), {.io = mode, .damage = tgmap::on_damage::skip});
      const auto told = difference(in, sound);
      BOOST_TEST(told.empty(), entry.path().filename().string() << ": " << told);
    }
  }
  BOOST_TEST(sound > 200u);
}

BOOST_AUTO_TEST_CASE(hostile_files) {
  const auto shared = shared_data_or_skip("objects whose offsets lead into another stream");
  if (!shared) return;
  std::size_t sound = 0;
  for (const auto& entry : std::filesystem::directory_iterator(*shared / "data" / "hostile")) {
    if (entry.path().extension() != ".tgm") continue;
    const auto told = difference(tgmap::archive(entry.path(), {.damage = tgmap::on_damage::skip}), sound);
    BOOST_TEST(told.empty(), entry.path().filename().string() << ": " << told);
  }
}

BOOST_AUTO_TEST_CASE(every_pipeline) {
  const temporary_directory files;
  for (const sample& each : samples()) {
    std::size_t sound = 0;
    const auto told = difference_in_modes(each.data, files.file("a.tgm", each.data), sound);
    BOOST_TEST(told.empty(), each.name << ": " << told);
    BOOST_TEST(sound == 3u, each.name);
  }
}

BOOST_AUTO_TEST_CASE(padding_of_bits_is_nobodys) {
  const bytes stored = "\xff\xff";
  const bytes data = tgmap_test::message({.objects = {{.dtype = "bitmask", .shape = {13}, .payload = stored}}});
  const temporary_directory files;
  const tgmap::archive mapped(files.file("a.tgm", data));
  const tgmap::object one = mapped[0][0];
  BOOST_TEST((view_of(one.payload()) == stored));
  BOOST_TEST((bytes_of(one.decode()) == "\xff\xf8"));
  BOOST_TEST((bytes_of(one.decode_range(5, 8)) == "\xff"));
  BOOST_TEST(!one.decode().is_borrowed());
  const bytes clean = tgmap_test::message({.objects = {{.dtype = "bitmask", .shape = {13}, .payload = "\xff\xf8"}}});
  const tgmap::archive other(files.file("b.tgm", clean));
  BOOST_TEST(other[0][0].decode().is_borrowed());
}

BOOST_AUTO_TEST_CASE(every_byte_of_an_object_changed) {
  const temporary_directory files;
  std::size_t changed = 0, sound = 0;
  for (const sample& each : samples()) {
    const tgmap::archive in = tgmap::archive::from_memory(span_of(each.data), small);
    const tgmap::object of = in[0][0];
    const std::uint64_t begin = of.frame().offset() + 16, end = of.frame().offset() + of.frame().length() - 12;
    for (std::uint64_t at = begin; at < end; at += stride(7)) {
      const unsigned by = at % 3 == 0 ? 0xff : 1u << at % 8;
      bytes damaged = each.data;
      damaged[at] = static_cast<char>(static_cast<unsigned char>(damaged[at]) ^ by);
      const bool in_files = ++changed % 8 == 0;
      const auto told = in_files ? difference_in_modes(damaged, files.file("a.tgm", damaged), sound)
                                 : difference(tgmap::archive::from_memory(span_of(damaged), small), sound);
      BOOST_TEST(told.empty(), each.name << ", byte " << at - begin << " xor " << by << ": " << told);
    }
  }
  BOOST_TEST_MESSAGE(changed << " changed bytes, " << sound << " objects that can be decoded all the same");
  BOOST_TEST(sound > rounds(1000u));
}

BOOST_AUTO_TEST_SUITE_END()

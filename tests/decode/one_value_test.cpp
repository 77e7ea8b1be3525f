// SPDX-License-Identifier: Apache-2.0
// An object has one value, however it is read: whole, into the caller's memory, in pieces, in parts, in boxes, or with
// others. For damaged objects each way has this value, or fails if the whole fails.
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

using value = std::optional<bytes>;  ///< empty after a failure
using numbers = std::vector<std::uint64_t>;

const tgmap::open_options small{.damage = tgmap::on_damage::skip, .max_decoded_bytes = 1 << 20};

/// Options for the order of the payload, which is the order in memory of the caller.
tgmap::decode_options plainly(tgmap::executor* on = nullptr) {
  return {.strides = tgmap::stride_policy::ignore, .executor = on};
}

class in_turn final : public tgmap::executor {
 public:
  unsigned concurrency() const noexcept override { return 2; }
  void run(std::size_t count, task task) noexcept override {
    for (std::size_t i = count; i-- > 0;) task.run(task.context, i);
  }
};

value taken(const tgmap::tensor& tensor, const tgmap::failure& why) {
  return why ? value() : value(bytes(view_of(tensor.bytes())));
}

/// Runs a call that returns a tensor and fills a failure.
template <class Call>
value tensor_by(Call&& call) {
  tgmap::failure why;
  return taken(call(why), why);
}

/// Runs a call that fills `size` bytes.
template <class Call>
value bytes_by(std::uint64_t size, Call&& call) {
  tgmap::failure why;
  bytes out(size, '?');
  call(std::as_writable_bytes(std::span(out)), why);
  return why ? value() : value(std::move(out));
}

/// Decodes the whole in the pieces of several threads.
value in_pieces(const tgmap::object& object) {
  tgmap::failure why;
  tgmap::decode::plan plan;
  const tgmap::descriptor descriptor = object.descriptor(why);
  if (why || plan_for(object, descriptor, plan)) return {};
  const auto how = plainly();
  tgmap::decode::range_decoder decoder(plan, object, how);
  tgmap::core::scratch blob, masks;
  if (decoder.open(tgmap::decode::reading::whole_in_parts, blob, masks)) return {};
  in_turn threads;
  return bytes_by(plan.decoded, [&](std::span<std::byte> out, tgmap::failure& failed) {
    failed = decoder.whole_only() ? decoder.decode(0, out, tgmap::decode::thread_workspace())
                                  : decoder.decode_all(out, threads, 256);
  });
}

value among_many(const tgmap::object& object, std::uint64_t size) {
  return bytes_by(size, [&](std::span<std::byte> out, tgmap::failure& why) {
    decode_many({&object, 1}, {&out, 1}, {.decode = plainly()}, why);
  });
}

value handed_over(const tgmap::object& object) {
  value out;
  tgmap::decode_each({&object, 1},
                     [&](std::size_t, tgmap::tensor&& tensor, const tgmap::failure& why) {
                       out = taken(tensor, why);
                       return true;
                     },
                     {.decode = plainly()});
  return out;
}

/// Returns the elements [first, first + count) of a value. Bits after the last one are 0.
bytes cut(const bytes& whole, dtype type, std::uint64_t first, std::uint64_t count) {
  if (type != dtype::bitmask) return whole.substr(first * element_size(type), count * element_size(type));
  bytes out((count + 7) / 8, '\0');
  for (std::uint64_t i = 0; i < count; ++i)
    if ((static_cast<unsigned char>(whole[(first + i) / 8]) >> (7 - (first + i) % 8) & 1) != 0)
      out[i / 8] = static_cast<char>(static_cast<unsigned char>(out[i / 8]) | 0x80u >> i % 8);
  return out;
}

/// Returns how parts differ from the whole; empty if they do not. If the whole fails, parts may have any value.
std::string parts_against(const value& whole, const tgmap::object& object, const tgmap::descriptor& descriptor) {
  tgmap::failure why;
  const auto how = plainly();
  const auto reader = tgmap::part_reader::open(object, how, why);
  if (why) return whole ? "no part_reader: " + why.text() : "";
  const std::uint64_t all = descriptor.element_count, step = std::max<std::uint64_t>(1, all / 5 + 1);
  for (std::uint64_t first = 0; first < all; first += step) {
    const std::uint64_t count = std::min(step, all - first);
    const auto name = [&](const char* way) {
      return way + (" " + std::to_string(first)) + "+" + std::to_string(count);
    };
    for (const bool kept : {true, false}) {
      const value part = tensor_by([&](tgmap::failure& failed) {
        return kept ? reader.range(first, count, failed) : object.decode_range(first, count, how, failed);
      });
      if (whole && part != cut(*whole, descriptor.dtype, first, count)) return name(kept ? "range" : "decode_range");
    }
  }
  if (descriptor.rank() == 0) return {};
  // Every third index of the first dimension, from the second one on.
  const auto shape = descriptor.shape();
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
    if (cut(*box, descriptor.dtype, i * row, row) != cut(*whole, descriptor.dtype, (start[0] + 3 * i) * row, row))
      return "slab";
  return {};
}

/// Returns how two ways differ; empty if none do.
std::string difference(const tgmap::object& object) {
  tgmap::failure why;
  const tgmap::descriptor descriptor = object.descriptor(why);
  if (why) return {};
  const value whole = tensor_by([&](tgmap::failure& failed) { return object.decode(plainly(), failed); });
  const std::uint64_t size = object.decoded_size(why);
  if (why) return whole ? "decoded_size fails" : "";
  if (whole && whole->size() != size) return "decoded_size";
  in_turn threads;
  tgmap::tensor used;
  const dtype type = descriptor.dtype;
  const std::pair<const char*, value> others[] = {
      {"decode_into a tensor", tensor_by([&](tgmap::failure& failed) -> tgmap::tensor& {
         return object.decode_into(used, plainly(), failed), used;
       })},
      {"decode_into bytes",
       bytes_by(size,
                [&](std::span<std::byte> out, tgmap::failure& failed) { object.decode_into(out, plainly(), failed); })},
      {"decode_as", tensor_by([&](tgmap::failure& failed) { return object.decode_as(type, plainly(), failed); })},
      {"threads", tensor_by([&](tgmap::failure& failed) { return object.decode(plainly(&threads), failed); })},
      {"decode_many", among_many(object, size)},
      {"decode_each", handed_over(object)},
  };
  for (const auto& [way, found] : others)
    if (found != whole) return way;
  const value pieces = in_pieces(object);
  if (pieces && pieces != whole) return "pieces";
  if (descriptor.element_count == 0) return {};
  const value range = tensor_by(
      [&](tgmap::failure& failed) { return object.decode_range(0, descriptor.element_count, plainly(), failed); });
  if (range != whole) return "the range of all";
  return parts_against(whole, object, descriptor);
}

/// Compares all objects of an archive. Counts those that can be decoded.
std::string difference(const tgmap::archive& in, std::size_t& sound) {
  tgmap::failure why;
  const std::size_t count = in.size(why);
  for (std::size_t m = 0; m < count; ++m) {
    const tgmap::message message = in.at(m, why);
    if (why) continue;
    const std::size_t objects = message.size(why);
    for (std::size_t j = 0; !why && j < objects; ++j) {
      const tgmap::object object = message.at(j, why);
      if (why) break;
      if (const auto problem = difference(object); !problem.empty())
        return std::to_string(m) + ":" + std::to_string(j) + ", " + problem;
      tgmap::failure failed;
      sound += object.decode({}, failed).size() != 0 ? 1 : 0;
    }
  }
  return {};
}

/// Compares in memory, mapped and read.
std::string difference_in_modes(const bytes& data, const std::filesystem::path& file, std::size_t& sound) {
  if (auto problem = difference(tgmap::archive::from_memory(span_of(data), small), sound); !problem.empty())
    return "in memory, " + problem;
  for (const auto mode : {tgmap::io_mode::map, tgmap::io_mode::read}) {
    tgmap::open_options options = small;
    options.io = mode;
    if (auto problem = difference(tgmap::archive(file, options), sound); !problem.empty())
      return "from a file, " + problem;
  }
  return {};
}

bytes archive_of(tgmap::new_object object) {
  tgmap::new_message message;
  message.objects.push_back(std::move(object));
  tgmap::failure why;
  const auto out = to_bytes(message, {}, why);
  return why ? bytes() : bytes(view_of(out));
}

struct sample {
  std::string name;
  bytes data;
};

/// Returns smooth values with a few jumps, which exercise every codec.
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

/// Returns one object of each pipeline, with just enough elements for several pieces.
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
  for (const std::uint64_t count : {8u, 13u, 45u})  // bits after the last one are set
    out.push_back({"bits", tgmap_test::message(
                               {.objects = {{.dtype = "bitmask", .shape = {count}, .payload = bits_of(count)}}})});
  for (const auto which : {compression::rle, compression::roaring, compression::zstd, compression::lz4}) {
    const bytes all = bits_of(203);
    tgmap::new_object object{.data = span_of(all), .dtype = dtype::bitmask, .shape = {7, 29}};
    object.pipeline.compression = which;
    if (!validate_pipeline(object.pipeline, dtype::bitmask)) out.push_back({"compressed bits", archive_of(object)});
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
      const auto problem = difference(in, sound);
      BOOST_TEST(problem.empty(), entry.path().filename().string() << ": " << problem);
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
    const auto problem = difference(tgmap::archive(entry.path(), {.damage = tgmap::on_damage::skip}), sound);
    BOOST_TEST(problem.empty(), entry.path().filename().string() << ": " << problem);
  }
}

BOOST_AUTO_TEST_CASE(every_pipeline) {
  const temporary_directory files;
  for (const sample& each : samples()) {
    std::size_t sound = 0;
    const auto problem = difference_in_modes(each.data, files.file("a.tgm", each.data), sound);
    BOOST_TEST(problem.empty(), each.name << ": " << problem);
    BOOST_TEST(sound == 3u, each.name);
  }
}

BOOST_AUTO_TEST_CASE(padding_bits_are_ignored) {
  const bytes stored = "\xff\xff";
  const bytes data = tgmap_test::message({.objects = {{.dtype = "bitmask", .shape = {13}, .payload = stored}}});
  const temporary_directory files;
  const tgmap::archive mapped(files.file("a.tgm", data));
  const tgmap::object object = mapped[0][0];
  BOOST_TEST((view_of(object.payload()) == stored));
  BOOST_TEST((bytes_of(object.decode()) == "\xff\xf8"));
  BOOST_TEST((bytes_of(object.decode_range(5, 8)) == "\xff"));
  BOOST_TEST(!object.decode().is_borrowed());
  const bytes clean = tgmap_test::message({.objects = {{.dtype = "bitmask", .shape = {13}, .payload = "\xff\xf8"}}});
  const tgmap::archive other(files.file("b.tgm", clean));
  BOOST_TEST(other[0][0].decode().is_borrowed());
}

BOOST_AUTO_TEST_CASE(every_byte_of_an_object_changed) {
  const temporary_directory files;
  std::size_t changed = 0, sound = 0;
  for (const sample& each : samples()) {
    const tgmap::archive in = tgmap::archive::from_memory(span_of(each.data), small);
    const tgmap::object object = in[0][0];
    const std::uint64_t begin = object.frame().offset() + 16,
                        end = object.frame().offset() + object.frame().length() - 12;
    for (std::uint64_t at = begin; at < end; at += stride(7)) {
      const unsigned by = at % 3 == 0 ? 0xff : 1u << at % 8;
      bytes damaged = each.data;
      damaged[at] = static_cast<char>(static_cast<unsigned char>(damaged[at]) ^ by);
      const bool in_files = ++changed % 8 == 0;
      const auto problem = in_files ? difference_in_modes(damaged, files.file("a.tgm", damaged), sound)
                                    : difference(tgmap::archive::from_memory(span_of(damaged), small), sound);
      BOOST_TEST(problem.empty(), each.name << ", byte " << at - begin << " xor " << by << ": " << problem);
    }
  }
  BOOST_TEST_MESSAGE(changed << " changed bytes, " << sound << " objects that can be decoded all the same");
  BOOST_TEST(sound > rounds(1000u));
}

BOOST_AUTO_TEST_SUITE_END()

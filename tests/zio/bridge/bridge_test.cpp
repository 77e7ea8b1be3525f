// SPDX-License-Identifier: Apache-2.0
// Conversion of ZIO messages to archives and back, in both orders.
#include <algorithm>
#include <boost/test/unit_test.hpp>
#include <cmath>
#include <cstring>
#include <limits>
#include <memory>
#include <string>
#include <support/failures.hpp>
#include <support/shared_data.hpp>
#include <support/temporary.hpp>
#include <tgmap/archive.hpp>
#include <tgmap/version.hpp>
#include <tgmap/write/writer.hpp>
#include <tgmap/zio/from_archive.hpp>
#include <tgmap/zio/label.hpp>
#include <tgmap/zio/tens.hpp>
#include <tgmap/zio/tens_builder.hpp>
#include <tgmap/zio/to_archive.hpp>
#include <vector>

#include "fixtures/frames.hpp"

using namespace tgmap;
using namespace tgmap_test;

BOOST_AUTO_TEST_SUITE(bridge_test)

namespace {

const write_options plain_layout{.provenance = provenance::reproducible()};

/// An archive in memory with its bytes.
struct stored_archive {
  std::vector<std::byte> bytes;
  archive opened;
  explicit stored_archive(std::vector<std::byte> of) : bytes(std::move(of)), opened(archive::from_memory(bytes)) {}
  explicit stored_archive(const new_message& m) : stored_archive(to_bytes(m, plain_layout)) {}
  message only() const {
    BOOST_TEST_REQUIRE(opened.size() == 1u);
    return opened[0];
  }
};

/// Converts a frame to an archive and back.
std::vector<std::byte> round_trip(const std::vector<std::byte>& frame) {
  zio::frame_format format;
  const zio::message m = zio::decode(frame, {}, &format);
  const stored_archive in(zio::to_archive(m, format));
  const zio::from_archive_result back = zio::from_archive(in.opened, in.only());
  BOOST_TEST(back.is_original);
  return zio::encode(back.message, back.format);
}

new_message message_of(new_object object, cbor_value extra = cbor_value::map()) {
  new_message m;
  m.objects.emplace_back(std::move(object));
  m.extra = std::move(extra);
  return m;
}

/// Returns the elements of an object in C order and native byte order.
std::vector<std::byte> elements(const object& o) {
  failure why;
  tensor t = o.decode({}, why);
  if (why.code == errc::unsupported_strides) t = o.decode({.strides = stride_policy::ignore});
  new_object again = new_object::of(t);
  again.pipeline.missing.check_elements = false;
  const stored_archive c(message_of(again));
  const auto bytes = c.only()[0].payload();
  return {bytes.begin(), bytes.end()};
}

cbor_value keys_of(const metadata& m) { return cbor_value::copy(m); }
cbor_value keys_of_object(const message& m, std::size_t j) {
  cbor_value out = cbor_value::copy(m.base(j));
  out.erase("_reserved_");
  return out;
}

/// Converts a message of an archive to a frame and back, and compares values and metadata. Returns false if it cannot
/// be converted.
bool check_round_trip(const archive& in, const message& m, const std::string& name,
                      const zio::from_archive_options& how = {}) {
  failure why;
  const zio::from_archive_result out = zio::from_archive(in, m, how, why);
  if (why) {
    BOOST_TEST_MESSAGE(name << ": " << why.text());
    return false;
  }
  // As a receiver gets it.
  const auto frame = zio::encode(out.message, out.format);
  zio::frame_format format;
  const zio::message received = zio::decode(frame, {}, &format);
  const zio::tens tensors = zio::tens::of(received);
  for (const auto& t : tensors.tensors()) BOOST_TEST(!t.fault, name << ": " << t.fault.text());
  const stored_archive back(zio::to_archive(received, format));
  const message again = back.only();
  BOOST_TEST_REQUIRE(again.size() == m.size());
  cbor_value extra = keys_of(again.metadata());
  if (!out.is_original) extra.erase("zio");
  BOOST_TEST((extra == keys_of(m.metadata())), name);
  for (std::size_t j = 0; j < m.size(); ++j) {
    BOOST_TEST((keys_of_object(again, j) == keys_of_object(m, j)), name << " object " << j);
    const descriptor a = m[j].descriptor(), b = again[j].descriptor();
    BOOST_TEST((std::vector(a.shape().begin(), a.shape().end()) == std::vector(b.shape().begin(), b.shape().end())),
               name);
    BOOST_TEST((elements(m[j]) == elements(again[j])), name << " object " << j);
  }
  // The second conversion gives the same frame.
  const zio::from_archive_result twice = zio::from_archive(back.opened, again, how);
  zio::message same = twice.message;
  BOOST_TEST((zio::encode(same, twice.format) == frame), name);
  return true;
}

}  // namespace

BOOST_AUTO_TEST_CASE(recorded_frames_of_zio_are_restored_byte_for_byte) {
  for (const char* folder : {"tens", "py", "flow", "neg"})
    for (const auto& file : shared_frames(folder)) {
      const auto frame = bytes_of_file(file);
      failure why;
      zio::decode(frame, {}, nullptr, why);
      if (!why) BOOST_TEST((round_trip(frame) == frame), file);
    }
}

BOOST_AUTO_TEST_CASE(any_message_is_restored_byte_for_byte) {
  const std::vector<std::string> labels{
      "", "null\n", "plain text", "\xff\x00\xfe", "{}", "[1]", R"({"TENS":{"tensors":[]}})",
      R"({"TENS":{"tensors":[{"dtype":"u","word":1,"shape":[3]}]}})",
      R"( {"TENS": {"tensors": [{"shape": [3], "word": 1, "dtype": "u", "part": 0}]}} )",
      R"({"TENS":{"metadata":{"tensogram":{}},"tensors":[]}})",
      R"({"TENS":{"metadata":{"tensogram":{"objects":7}},"tensors":[]}})",
      R"({"TENS":{"metadata":{"tensogram":{"extra":[1]}},"tensors":[]}})",
      R"({"TENS":{"metadata":{"tensogram":{"provenance":{"$bytes":"!"}}},"tensors":[]}})",
      R"({"TENS":{"metadata":{"tensogram":{},"zio":{"level":1}},"tensors":[]}})",
      R"({"TENS":{"metadata":{"a":{"$number":"x"},"tensogram":{}},"tensors":[]}})",
      // Descriptions that from_archive would write in another way.
      R"({"TENS":{"metadata":{"tensogram":{"objects":[{"dtype":"bitmask","shape":[3,8]}]}},)"
      R"("tensors":[{"dtype":"V","part":0,"shape":[3],"word":1}]}})",
      R"({"TENS":{"metadata":{"tensogram":{"objects":[{"dtype":"uint8"}]}},)"
      R"("tensors":[{"dtype":"u","part":0,"shape":[3],"word":1}]}})",
      R"({"TENS":{"metadata":{"tensogram":{"objects":[{"more":{"dtype":"int8"}}]}},)"
      R"("tensors":[{"dtype":"u","part":0,"shape":[3],"word":1}]}})",
      R"({"TENS":{"metadata":{"tensogram":{"objects":[{"descriptor":{"byte_order":"little","compression":"none",)"
      R"("dtype":"uint8","encoding":"none","filter":"none","ndim":1,"shape":[3],"strides":[1],"type":"ntensor"}}]}},)"
      R"("tensors":[{"dtype":"u","part":0,"shape":[3],"word":1}]}})"};
  const auto data = bytes_of("abc");
  for (const std::string& label : labels)
    for (const std::size_t parts : {0u, 1u, 2u})
      for (const char* form : {"TENS", "FLOW", "    ", "\xff\x01zz"}) {
        zio::message m;
        m.form = form;
        m.level = zio::level::fatal;
        m.label = label;
        m.origin = UINT64_MAX;
        m.seqno = 3;
        for (std::size_t i = 0; i < parts; ++i) m.payload.push_back({i == 0 ? data : std::span<const std::byte>(), {}});
        const auto frame = zio::encode(m);
        BOOST_TEST((round_trip(frame) == frame), label << " with " << parts);
      }
}

BOOST_AUTO_TEST_CASE(a_part_gets_the_dtype_of_its_first_tensor) {
  zio::message m;
  m.form = zio::tens_form;
  m.label = R"({"TENS":{"metadata":{"run":7},"tensors":[)"
            R"({"dtype":"f","part":1,"shape":[2,1],"word":4,"metadata":{"gain":1.5}},)"
            R"({"dtype":"u","part":1,"shape":[8],"word":1},)"
            R"({"dtype":"b","part":2,"shape":[8],"word":1},)"
            R"({"dtype":"f","part":3,"shape":[1],"word":16},)"
            R"({"dtype":"i","part":4,"shape":[2,2],"word":2,"order":[0,1]},)"
            R"({"dtype":"u","part":5,"shape":[9],"word":1}]}})";
  const std::vector<std::byte> data(16, std::byte{1});
  for (const std::size_t size : {3u, 8u, 8u, 16u, 8u, 8u}) m.payload.push_back({std::span(data).first(size), {}});
  const stored_archive in(zio::to_archive(m));
  const message kept = in.only();
  BOOST_TEST_REQUIRE(kept.size() == 6u);
  const auto check = [&](std::size_t j, dtype type, std::vector<std::uint64_t> shape,
                         std::vector<std::int64_t> strides) {
    const descriptor d = kept[j].descriptor();
    BOOST_TEST((d.dtype == type), "object " << j);
    BOOST_TEST((std::vector(d.shape().begin(), d.shape().end()) == shape), "object " << j);
    BOOST_TEST((std::vector(d.strides().begin(), d.strides().end()) == strides), "object " << j);
  };
  check(0, dtype::uint8, {3}, {1});
  check(1, dtype::float32, {2, 1}, {1, 1});
  check(2, dtype::uint8, {8}, {1});
  check(3, dtype::uint8, {1, 16}, {16, 1});
  check(4, dtype::int16, {2, 2}, {1, 2});
  check(5, dtype::uint8, {8}, {1});
  BOOST_TEST((kept.metadata().get<std::int64_t>("zio.metadata.run") == 7));
  BOOST_TEST((kept.metadata().get<std::string_view>("zio.label") == m.label));
  BOOST_TEST((kept[1].metadata().get<double>("zio.tensors[0].metadata.gain") == 1.5));
  BOOST_TEST((kept[1].metadata().get<std::string_view>("zio.tensors[1].dtype") == "u"));
  BOOST_TEST((kept[5].metadata().get<std::string_view>("zio.tensors[0].fault") == "part_size"));
  BOOST_TEST(!kept.base(0).find("zio"));
  BOOST_TEST((kept[1].payload().size() == 8u));
}

// tests/complexity counts the work, which must grow only with the number of parts.
BOOST_AUTO_TEST_CASE(many_parts_keep_their_descriptions) {
  constexpr std::size_t parts = 4096;
  const auto description = [](std::size_t j) {
    std::string text = R"({"base":{"many":[0)";
    for (int i = 0; i < 60; ++i) text += ',' + std::to_string(j);
    return text + "]}}";
  };
  zio::message m;
  m.form = zio::tens_form;
  m.label = R"({"TENS":{"metadata":{"tensogram":{"objects":[)";
  for (std::size_t j = 0; j < parts; ++j) m.label += (j == 0 ? "" : ",") + description(j);
  m.label += R"(]}},"tensors":[)";
  const auto data = bytes_of("abc");
  for (std::size_t j = 0; j < parts; ++j) {
    m.label +=
        (j == 0 ? "" : ",") + std::string(R"({"dtype":"u","part":)") + std::to_string(j) + R"(,"shape":[3],"word":1})";
    m.payload.push_back({data, {}});
  }
  m.label += "]}}";
  const new_message made = zio::to_archive(m);
  BOOST_TEST_REQUIRE(made.objects.size() == parts);
  for (const std::size_t j : {std::size_t{0}, parts / 2, parts - 1})
    BOOST_TEST((std::get<stored_object>(made.objects[j]).base.view().at_path("many[60]")->as<std::uint64_t>() == j));
}

BOOST_AUTO_TEST_CASE(copied_bytes_are_limited) {
  // 16 bytes that are used in the mapping, and twice 16 that are copied because of their byte order.
  const std::vector<std::uint32_t> numbers{1, 2, 3, 4};
  new_object plain = new_object::of(std::span(numbers)), big = plain;
  big.byte_order = byte_order::big;
  new_message m;
  m.objects = {plain, big, big};
  const stored_archive in(m);
  failure why;
  zio::from_archive(in.opened, in.only(), {.max_copied = 32}, why);
  BOOST_TEST(!why, why.text());
  zio::from_archive(in.opened, in.only(), {.max_copied = 31}, why);
  BOOST_TEST((why.code == errc::decoded_limit));
  BOOST_TEST(why.expected == 31u);
  BOOST_TEST(why.found == 32u);
  BOOST_TEST(why.object == 2);
}

BOOST_AUTO_TEST_CASE(long_lengths_are_restored) {
  const std::string prefix("\xFF\0\0\0\x08ZIO0TENS", 13), coordinates = std::string("\x18", 1) + std::string(24, '\0');
  const auto frame = bytes_of(prefix + coordinates + std::string("\xFF\0\0\0\0", 5) + "\x01z");
  BOOST_TEST((round_trip(frame) == frame));
}

BOOST_AUTO_TEST_CASE(plain_objects_are_not_copied) {
  const std::vector<float> values{1, 2, 3, 4, 5, 6};
  const temporary_directory folder;
  const auto path = folder.path() / "a.tgm";
  new_object object = new_object::of(std::span(values), {2, 3});
  object.base = cbor_value::map({{"param", "2t"}, {"level", 500}, {"scale", 0.5}});
  const auto bytes = to_bytes(message_of(object, cbor_value::map({{"run", 7}})), plain_layout);
  write_file(path, std::string(reinterpret_cast<const char*>(bytes.data()), bytes.size()));

  zio::from_archive_result out;
  const void* payload = nullptr;
  {
    const archive in(path);
    out = zio::from_archive(in, in[0]);
    payload = in[0][0].payload().data();
  }
  BOOST_TEST(out.bytes_copied == 0u);
  BOOST_TEST(!out.is_original);
  BOOST_TEST(static_cast<const void*>(out.message.payload.at(0).bytes.data()) == payload);
  BOOST_TEST(std::memcmp(out.message.payload[0].bytes.data(), values.data(), 24) == 0);  // outlives the archive
  BOOST_TEST(
      out.message.label ==
      R"({"TENS":{"metadata":{"run":7,"tensogram":{"provenance":{"encoder":{"name":"tgmap","version":")" TGMAP_VERSION_STRING
      R"("}}}},"tensors":[{"dtype":"f","metadata":{"level":500,"param":"2t","scale":0.5},)"
      R"("part":0,"shape":[2,3],"word":4}]}})");
}

BOOST_AUTO_TEST_CASE(archives_that_are_not_mapped_give_the_same_bytes) {
  const std::vector<float> values{1, 2, 3, 4, 5, 6};
  const temporary_directory folder;
  const auto path = folder.path() / "a.tgm";
  const auto bytes = to_bytes(message_of(new_object::of(std::span(values), {2, 3})), plain_layout);
  write_file(path, std::string(reinterpret_cast<const char*>(bytes.data()), bytes.size()));
  const archive mapped(path), read(path, {.io = io_mode::read});
  const auto a = zio::from_archive(mapped, mapped[0]), b = zio::from_archive(read, read[0]);
  BOOST_TEST(b.bytes_copied == 24u);
  BOOST_TEST((zio::encode(a.message) == zio::encode(b.message)));
}

BOOST_AUTO_TEST_CASE(objects_are_decoded_to_native_c_order) {
  const std::vector<float> values{1, 2, 3, 4, 5, 6};
  const std::vector<float> transposed{1, 3, 5, 2, 4, 6};
  const auto check = [&](const new_message& m, const std::vector<float>& expected) {
    const stored_archive in(m);
    const auto out = zio::from_archive(in.opened, in.only());
    BOOST_TEST(out.bytes_copied == 24u);
    const auto bytes = out.message.payload.at(0).bytes;
    BOOST_TEST_REQUIRE(bytes.size() == 24u);
    BOOST_TEST(std::memcmp(bytes.data(), expected.data(), 24) == 0);
    check_round_trip(in.opened, in.only(), "made");
  };
  new_object object = new_object::of(std::span(values), {2, 3});
  object.stored_byte_order = byte_order::big;
  check(message_of(object), values);
  object.stored_byte_order = {};
  object.pipeline.filter = filter::shuffle;
  check(message_of(object), values);
  // Our writer makes no Fortran order, so write the descriptor by hand.
  stored_object fortran;
  fortran.descriptor = cbor_value::map({{"type", "ntensor"},
                                        {"ndim", 2},
                                        {"shape", cbor_value::array({2, 3})},
                                        {"strides", cbor_value::array({1, 2})},
                                        {"dtype", "float32"},
                                        {"byte_order", "little"},
                                        {"encoding", "none"},
                                        {"filter", "none"},
                                        {"compression", "none"}});
  fortran.payload_and_masks = std::as_bytes(std::span(values));
  new_message m;
  m.objects.emplace_back(fortran);
  check(m, transposed);
}

BOOST_AUTO_TEST_CASE(metadata_of_every_kind_is_restored) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const cbor_value strange =
      cbor_value::map({{"bytes", cbor_value::bytes(std::as_bytes(std::span("\0\1\2\3", 4)))},
                       {"no bytes", cbor_value::bytes({})},
                       {"tag", cbor_value::tagged(1, cbor_value::tagged(2, cbor_value::array({1, "x"})))},
                       {"nan", nan},
                       {"inf", INFINITY},
                       {"-inf", -INFINITY},
                       {"big", UINT64_MAX},
                       {"edge", 1ll << 53},
                       {"beyond", (1ll << 53) + 1},
                       {"least", cbor_value::negative(UINT64_MAX)},
                       {"min", INT64_MIN},
                       {"-edge", -(1ll << 53)},
                       {"-beyond", -(1ll << 53) - 1},
                       {"float", 3.0},
                       {"-0", -0.0},
                       {"tiny", 5e-324},
                       {"null", nullptr},
                       {"empty", cbor_value::map()},
                       {"list", cbor_value::array({cbor_value::map({{"$bytes", "not ours"}}), nan, true})},
                       {"$key", cbor_value::map({{"$integer", "7"}, {"b", 1}})},
                       {"text", "µ ☃ \"quoted\" \\ \n"},
                       {"tensogram", "mine"},
                       {"a.b", cbor_value::map({{"c.d", 1}})}});
  // Other writers may write keys that are not texts.
  std::vector<std::byte> other_keys = bytes_of(std::string("\xA3\x01\x61\x61\x20\xA1\xF5\xF4\x41\x00\x80", 11));
  const cbor_value other = cbor_value::copy(cbor_view(other_keys));
  cbor_value extra = strange;
  extra.set("odd", other);
  const std::vector<float> values{1, 2};
  new_object object = new_object::of(std::span(values));
  object.base = extra;
  object.descriptor_extra = cbor_value::map({{"my_key", cbor_value::array({1, nan})}});
  object.type = "image";
  const stored_archive in(message_of(object, extra));
  BOOST_TEST(check_round_trip(in.opened, in.only(), "strange"));
  const auto out = zio::from_archive(in.opened, in.only());
  const stored_archive back(zio::to_archive(out.message));
  BOOST_TEST(back.only()[0].descriptor().type.get<std::string_view>().value() == "image");
  BOOST_TEST(back.only()[0].descriptor().entries.find("my_key").has_value());
  BOOST_TEST((back.bytes == in.bytes));  // also the provenance
}

BOOST_AUTO_TEST_CASE(metadata_nested_too_deep_is_refused) {
  cbor_value deep = 1;
  for (int i = 0; i < 120; ++i) deep = cbor_value::array({deep});
  const std::vector<float> values{1, 2};
  const stored_archive in(message_of(new_object::of(std::span(values)), cbor_value::map({{"deep", deep}})));
  failure why;
  zio::from_archive(in.opened, in.only(), {}, why);
  BOOST_TEST(why.code == zio::errc::label_too_deep);
  BOOST_TEST(why.message == 0);
}

BOOST_AUTO_TEST_CASE(dtypes_that_tens_lacks_are_refused_or_sent_raw) {
  const std::vector<std::byte> data{std::byte{0xA0}, std::byte{1}, std::byte{2}, std::byte{3}};
  for (const auto& [type, shape] :
       {std::pair(dtype::bfloat16, std::vector<std::uint64_t>{2}), {dtype::bitmask, {4, 8}}}) {
    new_object object;
    object.data = data;
    object.dtype = type;
    object.shape = shape;
    object.pipeline.missing.check_elements = false;
    const stored_archive in(message_of(object));
    failure why;
    zio::from_archive(in.opened, in.only(), {}, why);
    BOOST_TEST(why.code == zio::errc::no_counterpart);
    BOOST_TEST(why.found == static_cast<std::uint64_t>(type));
    BOOST_TEST(why.object == 0);
    BOOST_TEST(check_round_trip(in.opened, in.only(), "raw", {.raw_words = true}));
    const auto out = zio::from_archive(in.opened, in.only(), {.raw_words = true});
    const stored_archive back(zio::to_archive(out.message));
    BOOST_TEST((back.only()[0].descriptor().dtype == type));
    // The message is sent raw again without the option.
    BOOST_TEST((zio::encode(zio::from_archive(back.opened, back.only()).message) == zio::encode(out.message)));
  }
}

BOOST_AUTO_TEST_CASE(encoded_objects_are_sent_as_stored_on_request) {
  std::vector<double> values(100);
  for (std::size_t i = 0; i < values.size(); ++i) values[i] = std::sin(i);
  values[3] = NAN;
  new_object object = new_object::of(std::span(std::as_const(values)));
  object.pipeline.encoding = encoding::simple_packing;
  object.pipeline.missing.allow_nan = true;
  const stored_archive in(message_of(object));
  const auto out = zio::from_archive(in.opened, in.only(), {.keep_encoded = true});
  BOOST_TEST(out.bytes_copied == 0u);
  BOOST_TEST(out.message.payload.at(0).bytes.size() == in.only()[0].payload_and_masks().size());
  BOOST_TEST(check_round_trip(in.opened, in.only(), "encoded", {.keep_encoded = true}));
  const stored_archive back(zio::to_archive(out.message));
  BOOST_TEST((back.only()[0].descriptor().encoding == encoding::simple_packing));
  const zio::from_archive_result again = zio::from_archive(back.opened, back.only());
  BOOST_TEST((zio::encode(again.message) == zio::encode(out.message)));
  BOOST_TEST(check_round_trip(in.opened, in.only(), "decoded"));
}

BOOST_AUTO_TEST_CASE(coordinates_are_added_and_restored) {
  const std::vector<float> values{1, 2};
  const stored_archive in(message_of(new_object::of(std::span(values)), cbor_value::map({{"run", 7}})));
  zio::from_archive_result out = zio::from_archive(in.opened, in.only());
  out.message.origin = 5;
  out.message.granule = 6;
  out.message.seqno = 7;
  const stored_archive back(zio::to_archive(out.message));
  BOOST_TEST((back.only().metadata().get<std::int64_t>("run") == 7));
  BOOST_TEST((back.only().metadata().get<std::uint64_t>("zio.seqno") == 7u));
  BOOST_TEST(!back.only().metadata().find("zio.label"));
  const zio::from_archive_result again = zio::from_archive(back.opened, back.only());
  BOOST_TEST(again.is_original);
  BOOST_TEST((zio::encode(again.message) == zio::encode(out.message)));
}

BOOST_AUTO_TEST_CASE(a_foreign_key_zio_is_ordinary_metadata) {
  const std::vector<float> values{1, 2};
  for (const cbor_value& theirs : {cbor_value("text"), cbor_value::map({{"level", "high"}}), cbor_value::array({1})}) {
    const stored_archive in(message_of(new_object::of(std::span(values)), cbor_value::map({{"zio", theirs}})));
    const zio::from_archive_result out = zio::from_archive(in.opened, in.only());
    BOOST_TEST(!out.is_original);
    const auto frame = zio::encode(out.message);
    BOOST_TEST((round_trip(frame) == frame));
  }
}

BOOST_AUTO_TEST_CASE(archives_are_restored) {
  std::vector<std::filesystem::path> files;
  for (const auto& entry : std::filesystem::directory_iterator(test_data()))
    if (entry.path().extension() == ".tgm") files.push_back(entry.path());
  if (const auto root = shared_data_or_skip("archives of the reference by ZIO"))
    for (const auto& entry : std::filesystem::recursive_directory_iterator(*root / "data/tgm/golden"))
      if (entry.path().extension() == ".tgm") files.push_back(entry.path());
  std::size_t converted = 0, refused = 0;
  for (const auto& file : files) {
    const archive in(file);
    failure why;
    const std::size_t messages = std::min<std::size_t>(in.size(why), 5);
    for (std::size_t i = 0; i < messages; ++i) {
      const message m = in.at(i, why);
      if (why || m.version() == 1) continue;
      const std::size_t objects = m.size(why);
      if (why || objects > 20) continue;
      // Invalid descriptors cannot be written again, so such a message is recorded like any other.
      const bool is_valid = !file.filename().string().starts_with("descriptor_");
      for (const bool encoded : is_valid ? std::vector{false, true} : std::vector{false})
        (check_round_trip(in, m, file.filename().string() + ":" + std::to_string(i),
                          {.keep_encoded = encoded, .raw_words = true})
             ? converted
             : refused)++;
    }
  }
  BOOST_TEST_MESSAGE(converted << " messages converted, " << refused << " refused");
  BOOST_TEST(converted > 10u);
  BOOST_TEST(refused <= converted / 4);
}

BOOST_AUTO_TEST_CASE(strides_in_bytes_are_sent_as_those_of_elements) {
  const std::vector<float> values{1, 2, 3, 4, 5, 6}, transposed{1, 3, 5, 2, 4, 6};
  const auto sent = [&](std::vector<std::uint64_t> strides) {
    stored_object stored;
    stored.descriptor = cbor_value::map({{"type", "ntensor"},
                                         {"ndim", 2},
                                         {"shape", cbor_value::array({2, 3})},
                                         {"strides", cbor_value::array(strides)},
                                         {"dtype", "float32"},
                                         {"byte_order", "little"},
                                         {"encoding", "none"},
                                         {"filter", "none"},
                                         {"compression", "none"}});
    stored.payload_and_masks = std::as_bytes(std::span(values));
    new_message m;
    m.objects.emplace_back(stored);
    const stored_archive in(m);
    const zio::from_archive_result out = zio::from_archive(in.opened, in.only());
    const auto bytes = out.message.payload.at(0).bytes;
    std::vector<float> numbers(bytes.size() / sizeof(float));
    std::memcpy(numbers.data(), bytes.data(), bytes.size());
    return numbers;
  };
  BOOST_TEST(sent({12, 4}) == values, boost::test_tools::per_element());
  BOOST_TEST(sent({4, 8}) == transposed, boost::test_tools::per_element());
  BOOST_TEST(sent({1, 2}) == transposed, boost::test_tools::per_element());
}

BOOST_AUTO_TEST_SUITE_END()

// SPDX-License-Identifier: Apache-2.0
// An archive that is sound in mode full can be read: all metadata, and every object by the index.
#include <boost/test/unit_test.hpp>
#include <filesystem>
#include <support/guarded.hpp>
#include <support/rounds.hpp>
#include <support/samples.hpp>
#include <support/shared_data.hpp>
#include <support/temporary.hpp>

#include "recorded_findings.hpp"

using namespace tgmap_test;
using tgmap::finding_code;
using tgmap::validation_mode;

BOOST_AUTO_TEST_SUITE(readable)

namespace {

/// Reads everything through the library. Returns the first failure; empty if there is none. Leaves out version 1, which
/// cannot be read, and incomplete messages.
std::string read_failure(const tgmap::archive& archive) {
  tgmap::failure why;
  const std::size_t messages = archive.size(why);
  for (std::size_t i = 0; i < messages && !why; ++i) {
    const tgmap::message message = archive.at(i, why);
    if (why || message.version() == 1 || message.is_incomplete()) continue;
    const std::size_t objects = message.size(why);
    if (!why) (void)message.metadata(why);
    if (!why) (void)message.provenance(why);
    if (!why) (void)message.hash_list(why);
    if (!why) (void)message.summary(why);
    for (std::size_t j = 0; j < objects && !why; ++j) {
      const tgmap::object object = message.at(j, why);
      if (!why) (void)object.descriptor(why);
      if (!why) (void)object.metadata(why);
      if (!why) (void)object.decode({.strides = tgmap::stride_policy::ignore}, why);
    }
  }
  return why ? why.text() : std::string();
}

/// Compares the validation of an archive with reading it. Returns true if both succeed.
bool agree(const tgmap::archive& archive, const std::string& name) {
  const auto found = check(archive, {.mode = validation_mode::full, .threads = 1});
  const std::string failed = read_failure(archive);
  const bool is_sound = found.result.is_sound() && found.result.objects_not_decoded == 0;
  BOOST_TEST((!is_sound || failed.empty()), name << " is called sound, and readers say: " << failed);
  return is_sound && failed.empty();
}

struct survey {
  std::size_t files = 0, sound = 0;
};

survey agree_on_all(const std::filesystem::path& directory) {
  survey out;
  for (const auto& each : std::filesystem::recursive_directory_iterator(directory)) {
    if (each.path().extension() != ".tgm") continue;
    ++out.files;
    out.sound += agree(tgmap::archive(each.path(), {.damage = tgmap::on_damage::skip}), each.path().string());
  }
  BOOST_TEST_MESSAGE(out.files << " files; " << out.sound << " are sound and readable");
  return out;
}

cbor::pair name_and_number(const char* name, std::int64_t n) { return cbor::key(name, cbor::integer(n)); }

/// Returns small messages without hashes, so that only the structure can show a change: both versions, streamed and
/// buffered, with masks, an encoding, a preceder, a descriptor before the payload, and unusual strides.
std::vector<message_spec> small_messages() {
  object_spec packed{
      .dtype = "float64",
      .shape = {2, 2},
      .payload = "\x01\x23",
      .encoding = "simple_packing",
      .more = {cbor::key("sp_reference_value", cbor::real(250)), name_and_number("sp_binary_scale_factor", 1),
               name_and_number("sp_decimal_scale_factor", 0), name_and_number("sp_bits_per_value", 4)}};
  object_spec masked = numbers_object<float>("float32", {0, 2, 3});
  masked.masks = {{.kind = "nan", .method = "none", .blob = "\x80"}};
  object_spec first = bytes_object("abc");
  first.cbor_first = true;
  first.preceder = cbor::map({name_and_number("step", 6)});
  std::vector<message_spec> out;
  for (const int version : {2, 3})
    for (const auto how : {writing::buffered, writing::streamed}) {
      message_spec spec{.version = version, .objects = {packed, first, bytes_object("defgh")}};
      if (version == 3) spec.objects.push_back(masked);
      spec.writing = how;
      spec.hashes = false;
      spec.base = {cbor::map({name_and_number("n", 1)}), cbor::map({name_and_number("n", 2)})};
      spec.extra = {cbor::key("mars", cbor::map({cbor::key("class", cbor::text("od"))}))};
      out.push_back(spec);
    }
  out.push_back(numbered_spec(1));
  out.push_back(numbered_spec(1, 2));
  return out;
}

recorded_findings check_by_index(const message_spec& spec) { return check(message(spec), validation_mode::full); }

message_spec version_2(writing how = writing::buffered) {
  message_spec spec{.version = 2, .objects = {bytes_object("abc"), bytes_object("defgh")}};
  spec.writing = how;
  return spec;
}

/// Returns an index frame without `offsets`.
frame_spec index_without_offsets(std::uint16_t type, std::uint64_t objects) {
  return {.type = type,
          .body = cbor::map({cbor::key("lengths", cbor::numbers(std::vector<std::uint64_t>(objects, 100))),
                             cbor::key("object_count", cbor::unsigned_integer(objects))})};
}

}  // namespace

BOOST_AUTO_TEST_CASE(files_of_this_repository) { BOOST_TEST(agree_on_all(test_data()).sound > 40u); }

BOOST_AUTO_TEST_CASE(all_shared_files) {
  const auto shared = shared_data_or_skip("sound means readable, on all files there are");
  if (!shared) return;
  BOOST_TEST(agree_on_all(*shared / "data" / "tgm").sound > 400u);
}

BOOST_AUTO_TEST_CASE(files_once_wrongly_called_sound) {
  const auto shared = shared_data_or_skip("files that validate once called sound");
  if (!shared) return;
  for (const char* const name : {"val_obj.tgm", "val_size.tgm", "dup_dtype.tgm", "dup_key.tgm"}) {
    const auto path = *shared / "data" / "hostile" / name;
    if (std::filesystem::exists(path)) BOOST_TEST(!agree(tgmap::archive(path), name), name);
  }
}

BOOST_AUTO_TEST_CASE(any_changed_byte) {
  case_sampler cases(7);
  std::size_t sound = 0, all = 0;
  for (const message_spec& spec : small_messages()) {
    const bytes data = message(spec);
    guarded_bytes memory(data.size());
    BOOST_TEST(agree(tgmap::archive::from_memory(memory.hold(data)), "unchanged"));
    for (std::size_t i = 0; i < data.size(); ++i)
      for (const int change : {1, 2, 0x20, 0x80, 0xff}) {
        if (!cases.takes_next()) continue;
        bytes changed = data;
        changed[i] = static_cast<char>(changed[i] ^ change);
        const auto archive = tgmap::archive::from_memory(memory.hold(changed), {.damage = tgmap::on_damage::skip});
        sound += agree(archive, "version " + std::to_string(spec.version) + ", byte " + std::to_string(i) +
                                    " changed by " + std::to_string(change));
        ++all;
      }
  }
  BOOST_TEST_MESSAGE(all << " changes; the archive is sound and readable after " << sound);
  BOOST_TEST(sound > 0u);
  BOOST_TEST(sound < all);
}

BOOST_AUTO_TEST_CASE(lengths_in_an_index_of_version_2) {
  message_spec spec = version_2();
  BOOST_TEST(check_by_index(spec).codes() == code_set{}, boost::test_tools::per_element());
  spec.lie = [](index_spec& says) { says.lengths[1] -= 8; };
  for (const auto mode : {validation_mode::standard, validation_mode::full}) {
    const auto found = check(message(spec), mode);
    BOOST_TEST(found.only(finding_code::index_length_mismatch).object == 1);
    BOOST_TEST(!found.result.is_sound());
  }
  // Early streams list the sizes of payloads there, so readers use the frames.
  spec = version_2(writing::streamed);
  spec.lie = [](index_spec& says) { says.lengths = {3, 5}; };
  BOOST_TEST(check_by_index(spec).result.is_sound());
  spec.lie = [](index_spec& says) { says.lengths.pop_back(); };
  BOOST_TEST((check(message(spec)).codes().count("error: index_cbor_parse_failed") == 1));
}

BOOST_AUTO_TEST_CASE(an_index_without_offsets) {
  for (const int version : {2, 3})
    for (const bool header : {true, false}) {
      message_spec spec;
      spec.version = version;
      spec.objects.push_back(bytes_object("abc"));
      spec.index = where::none;
      if (header)
        spec.header_frames.push_back(index_without_offsets(2, 1));
      else
        spec.footer_frames.push_back(index_without_offsets(6, 1));
      const auto found = check(message(spec));
      BOOST_TEST(found.only(finding_code::index_cbor_parse_failed).text ==
                 "failed to parse index CBOR: offsets are missing");
      BOOST_TEST(!found.result.is_sound());
    }
  // A stream without objects, as release 0.16.1 writes it.
  message_spec none;
  none.version = 2;
  none.writing = writing::streamed;
  none.index = where::none;
  none.footer_frames.push_back(index_without_offsets(6, 0));
  BOOST_TEST(!check(message(none)).result.is_sound());
}

BOOST_AUTO_TEST_CASE(a_count_in_an_index_of_version_3) {
  message_spec spec{.objects = {bytes_object("abc")}};
  spec.lie = [](index_spec& says) { says.count = 1; };
  BOOST_TEST(check(message(spec)).result.is_sound());
  spec.lie = [](index_spec& says) { says.count = 2; };
  BOOST_TEST(check(message(spec)).only(finding_code::index_cbor_parse_failed).text ==
             "failed to parse index CBOR: object_count 2 != 1 entries");
}

/// Another reader may have other limits.
BOOST_AUTO_TEST_CASE(limits_of_this_reader_are_notes) {
  object_spec object{.dtype = "uint8", .shape = std::vector<std::uint64_t>(33, 1), .payload = "x"};
  const auto found = check_by_index({.objects = {object}});
  BOOST_TEST(found.codes() == code_set{"note: not_decoded"}, boost::test_tools::per_element());
  BOOST_TEST(found.only(finding_code::not_decoded).text ==
             "values not checked: 33 dimensions; at most 32 are possible");
  BOOST_TEST(found.only(finding_code::not_decoded).object == 0);
  BOOST_TEST(found.result.objects_not_decoded == 1u);
}

BOOST_AUTO_TEST_CASE(masks_of_elements_that_cannot_be_missing) {
  object_spec bits{.dtype = "bitmask", .shape = {8}, .payload = "x"};
  bits.masks = {{.kind = "nan", .method = "none", .blob = "\x80"}};
  BOOST_TEST(check_by_index({.objects = {bits}}).codes() == code_set{"error: decode_object_failed"},
             boost::test_tools::per_element());
  object_spec whole = bytes_object("abcd");  // masks of integers are not read
  whole.masks = bits.masks;
  const bytes data = message({.objects = {whole}});
  BOOST_TEST(agree(tgmap::archive::from_memory(span_of(data)), "masks of integers"));
}

BOOST_AUTO_TEST_CASE(same_findings_mapped_and_read) {
  const temporary_directory temporary;
  message_spec lying = version_2();
  lying.lie = [](index_spec& says) { says.lengths[0] += 8; };
  for (const message_spec& spec : {lying, version_2(), numbered_spec(1)}) {
    const auto path = temporary.file("a.tgm", message(spec));
    const tgmap::archive mapped(path, {.io = tgmap::io_mode::map}), read(path, {.io = tgmap::io_mode::read});
    const auto by_map = check(mapped, {.mode = validation_mode::full}),
               by_read = check(read, {.mode = validation_mode::full});
    BOOST_TEST(by_map.codes() == by_read.codes(), boost::test_tools::per_element());
  }
}

BOOST_AUTO_TEST_SUITE_END()

// SPDX-License-Identifier: Apache-2.0
// stored_message::load returns the same parts as the other public calls, for any bytes, and writing them gives the same
// message.
#include <algorithm>
#include <boost/test/unit_test.hpp>
#include <fstream>
#include <functional>
#include <support/every_mode.hpp>
#include <support/samples.hpp>
#include <support/shared_data.hpp>
#include <tgmap/tgmap.hpp>

using namespace tgmap_test;
using tgmap::cbor_value;
using tgmap::failure;
using tgmap::index_placement;
using tgmap::on_mismatch;
using tgmap::stored_message;
using tgmap::stored_object;

BOOST_AUTO_TEST_SUITE(stored_message_test)

namespace {

/// Compares the hash of a frame that is not an object. Throws tgmap::error for a mismatch unless it is to be taken.
void check_hash(const tgmap::frame& each, on_mismatch rule, stored_message& out) {
  if (each.is_object() || each.verify() != tgmap::hash_result::mismatch) return;
  const failure why{.code = tgmap::errc::hash_mismatch, .offset = each.offset()};
  if (rule == on_mismatch::refuse) throw tgmap::error(why);
  out.mismatches.push_back(why);
}

/// Loads a message part by part, by other public calls. Throws tgmap::error.
stored_message load_by_parts(const tgmap::message& message, on_mismatch rule = on_mismatch::refuse) {
  stored_message out;
  out.options = {.version = message.version(),
                 .hashes = false,
                 .index = index_placement::none,
                 .hash_list = index_placement::none,
                 .provenance = {}};
  const auto place = [](index_placement& of, index_placement found) {
    of = of == index_placement::none || of == found ? found : index_placement::both;
  };
  for (const tgmap::frame& each : message.frames()) {
    using type = tgmap::frame_type;
    check_hash(each, rule, out);
    if (each.type() == type::header_index) place(out.options.index, index_placement::header);
    if (each.type() == type::footer_index) place(out.options.index, index_placement::footer);
    if (each.type() == type::header_hash) place(out.options.hash_list, index_placement::header);
    if (each.type() == type::footer_hash) place(out.options.hash_list, index_placement::footer);
    out.options.hashes = out.options.hashes || each.stored_hash();
  }
  out.options.hashes = out.options.hashes || out.options.hash_list != index_placement::none;
  for (std::size_t j = 0; j < message.size(); ++j)
    out.content.objects.emplace_back(stored_object::of(message, j, message.version(), rule));
  out.content.extra = cbor_value::copy(message.metadata());
  out.content.provenance = cbor_value::copy(message.provenance());
  return out;
}

bool same_object(const stored_object& a, const stored_object& b) {
  const auto &one = a.source.value(), &other = b.source.value();
  return a.base == b.base && a.descriptor == b.descriptor && a.payload_and_masks.empty() &&
         b.payload_and_masks.empty() && a.preceder == b.preceder && one.index() == other.index() &&
         one.frame().offset() == other.frame().offset() && one.frame().length() == other.frame().length() &&
         one.frame().flags() == other.frame().flags() && one.payload_offset() == other.payload_offset() &&
         one.payload_size() == other.payload_size() && one.payload_and_masks_size() == other.payload_and_masks_size();
}

/// Returns the first difference, or nothing.
std::string difference(const stored_message& a, const stored_message& b) {
  const auto &one = a.options, &other = b.options;
  if (one.version != other.version || one.hashes != other.hashes || one.index != other.index ||
      one.hash_list != other.hash_list || one.payload_alignment != other.payload_alignment)
    return "layout";
  if (!(a.content.extra == b.content.extra)) return "extra";
  if (!(a.content.provenance == b.content.provenance)) return "provenance";
  if (a.content.objects.size() != b.content.objects.size()) return "number of objects";
  if (a.mismatches.size() != b.mismatches.size()) return "number of hash mismatches";
  for (std::size_t i = 0; i < a.mismatches.size(); ++i)
    if (a.mismatches[i].offset != b.mismatches[i].offset) return "offset of hash mismatch " + std::to_string(i);
  for (std::size_t j = 0; j < a.content.objects.size(); ++j)
    if (!same_object(std::get<stored_object>(a.content.objects[j]), std::get<stored_object>(b.content.objects[j])))
      return "object " + std::to_string(j);
  return {};
}

/// Writes a message and returns its bytes.
std::vector<std::byte> write(tgmap::writer& writer, tgmap::memory_sink& sink, const stored_message& message,
                             failure& why) {
  writer.write(message.content, why);
  return sink.release();
}

/// Loads messages in both ways, into one stored_message, and writes them with one writer for each layout.
class load_comparison {
 public:
  explicit load_comparison(on_mismatch rule = on_mismatch::refuse) : rule_(rule) {}

  /// Compares one message. Returns true if it could be loaded.
  bool compare(const tgmap::message& m) {
    failure why, expected;
    loaded_.load(m, rule_, why);
    stored_message wanted;
    try {
      wanted = load_by_parts(m, rule_);
    } catch (const tgmap::error& refused) {
      expected = refused.details();
    }
    BOOST_TEST_REQUIRE(why.code == expected.code, why.text() + " instead of " + expected.text());
    if (why) return false;
    BOOST_TEST_REQUIRE(difference(loaded_, wanted) == "");
    check_written(wanted);
    return true;
  }

  void compare_all(const tgmap::archive& in) {
    for (const tgmap::message& m : in) compare(m) ? ++loaded : ++refused;
  }

  unsigned loaded = 0, refused = 0;

 private:
  void check_written(const stored_message& wanted) {
    const auto& how = loaded_.options;
    auto& used = used_[how.version == 2][how.hashes][static_cast<int>(how.index)][static_cast<int>(how.hash_list)];
    if (!used.by) used.by = std::make_unique<tgmap::writer>(used.to, how);
    tgmap::memory_sink sink;
    tgmap::writer fresh(sink, how);
    failure why, expected;
    const auto bytes = write(*used.by, used.to, loaded_, why), expected_bytes = write(fresh, sink, wanted, expected);
    BOOST_TEST_REQUIRE(why.code == expected.code, why.text() + " instead of " + expected.text());
    BOOST_TEST_REQUIRE((bytes == expected_bytes));
  }

  struct used_writer {
    tgmap::memory_sink to{};
    std::unique_ptr<tgmap::writer> by{};
  };
  const on_mismatch rule_;
  stored_message loaded_{};
  used_writer used_[2][2][4][4];
};

message_spec keyed(unsigned objects, int version = 3) {
  message_spec spec;
  spec.version = version;
  for (unsigned n = 0; n < objects; ++n) {
    spec.objects.push_back(bytes_object(payload_of(n, 20 + n)));
    const bytes mars = cbor::map({cbor::key("step", cbor::integer(6 * n)), cbor::key("class", cbor::text("od"))});
    spec.base.push_back(cbor::map({cbor::key("mars", mars), cbor::key("_reserved_", cbor::map({}))}));
  }
  spec.extra = {cbor::key("title", cbor::text("demo"))};
  spec.reserved = cbor::map({cbor::key("encoder", cbor::map({cbor::key("name", cbor::text("test"))}))});
  return spec;
}

/// Returns messages that differ from the first one in one property each.
std::vector<bytes> varied_messages(int version) {
  std::vector<bytes> out;
  const auto add = [&](const std::function<void(message_spec&)>& change, unsigned objects = 2) {
    message_spec spec = keyed(objects, version);
    change(spec);
    out.push_back(message(spec));
  };
  add([](message_spec&) {});
  for (const unsigned objects : {0u, 1u, 3u, 16u, 17u, 40u}) add([](message_spec&) {}, objects);
  for (const where at : {where::none, where::footer, where::both}) {
    add([=](message_spec& it) { it.index = at; });
    add([=](message_spec& it) { it.metadata = at; });
  }
  for (const writing how : {writing::streamed, writing::backfilled}) add([=](message_spec& it) { it.writing = how; });
  add([](message_spec& it) { it.hashes = it.hash_frames = false; });
  add([](message_spec& it) { it.hash_frames = false; });
  add([](message_spec& it) { it.extra.clear(); });
  add([](message_spec& it) { it.reserved.reset(); });
  add([](message_spec& it) { it.base.clear(); });
  add([](message_spec& it) { it.base.pop_back(); });
  add([](message_spec& it) { it.base.push_back(cbor::map({})); });
  add([](message_spec& it) { it.base[1] = cbor::null(); });
  add([](message_spec& it) { it.base[1] = cbor::text("no map"); });
  add([](message_spec& it) {
    it.base[0] = cbor::map({cbor::key("b", cbor::integer(1)), cbor::key("a", cbor::null())});
  });
  add([](message_spec& it) { it.base[0] = bytes("\xbf\x61k\x01\xff", 5); });
  add([](message_spec& it) { it.base[0] = cbor::map({cbor::key("\xff", cbor::integer(1))}); });
  add([](message_spec& it) { it.base[0] = bytes("\xa1\x01\x18\x01", 4); });
  add([](message_spec& it) { it.top = {cbor::key("free", cbor::integer(1))}; });
  add([](message_spec& it) { it.top = {cbor::key("_extra_", cbor::map({}))}; });
  add([](message_spec& it) { it.header_metadata = cbor::map({}); });
  add([](message_spec& it) { it.header_metadata = cbor::map({cbor::key("_extra_", cbor::text("no map"))}); });
  add([](message_spec& it) { it.header_metadata = bytes(5000, '\x61'); });
  add([](message_spec& it) { it.extra = {cbor::key("long", cbor::text(std::string(3000, 'x')))}; });
  add([](message_spec& it) { it.objects[1].payload = bytes(9000, 'p'), it.objects[1].shape = {9000}; });
  add([](message_spec& it) { it.objects[1].payload = bytes(40000, 'p'), it.objects[1].shape = {40000}; });
  add([](message_spec& it) { it.objects[1].cbor_first = true; });
  add([](message_spec& it) { it.objects[1].preceder = cbor::map({cbor::key("p", cbor::integer(1))}); });
  add([](message_spec& it) { it.objects[0].shape = {4, 5}; });
  add([](message_spec& it) { it.objects[0].more = {cbor::key("units", cbor::text("K"))}; });
  add([](message_spec& it) { it.objects[0].descriptor = cbor::map({}); });
  add([](message_spec& it) { it.junk_before[1] = bytes(16, 'j'); });
  add([](message_spec& it) { it.frames_before[1] = {{.type = 77, .body = "unknown"}}; });
  add([](message_spec& it) { it.header_frames = {{.type = 3, .body = cbor::map({}), .flags = 2}}; });
  add([](message_spec& it) { it.header_frames = {{.type = 2, .body = cbor::map({})}}; });
  if (version == 3) {
    add([](message_spec& it) { it.objects[1].masks = {{.kind = "nan", .blob = "mask"}}; });
    add([](message_spec& it) { it.flags = std::uint16_t{0}; });
  }
  return out;
}

bytes joined(const std::vector<bytes>& parts) {
  bytes out;
  for (const bytes& each : parts) out += each;
  return out;
}

tgmap::archive in_memory(const bytes& data) {
  return tgmap::archive::from_memory(std::as_bytes(std::span(data)), {.damage = tgmap::on_damage::skip});
}

}  // namespace

BOOST_AUTO_TEST_CASE(messages_of_all_kinds_one_after_another) {
  for (const int version : {2, 3}) {
    load_comparison comparison;
    const bytes once = joined(varied_messages(version)), data = once + once;
    comparison.compare_all(in_memory(data));
    BOOST_TEST(comparison.loaded > 60u);
    BOOST_TEST(comparison.refused > 0u);
  }
}

BOOST_AUTO_TEST_CASE(every_access_to_the_file) {
  const bytes data = joined(varied_messages(3));
  const temporary_directory files;
  const auto path = files.file("a.tgm", data);
  for (const tgmap::io_mode mode : {tgmap::io_mode::map, tgmap::io_mode::read}) {
    load_comparison comparison;
    comparison.compare_all(tgmap::archive(path, {.io = mode, .damage = tgmap::on_damage::skip}));
    BOOST_TEST(comparison.loaded > 30u);
  }
  load_comparison walking;
  walking.compare_all(tgmap::archive(path, {.damage = tgmap::on_damage::skip, .lookup = tgmap::object_lookup::walk}));
  BOOST_TEST(walking.loaded > 30u);
}

BOOST_AUTO_TEST_CASE(limits) {
  const bytes data = joined(varied_messages(3));
  for (const tgmap::open_options& limits :
       {tgmap::open_options{.max_metadata_bytes = 3000}, tgmap::open_options{.max_metadata_bytes = 50},
        tgmap::open_options{.max_cbor_depth = 2}, tgmap::open_options{.max_objects = 2}}) {
    tgmap::open_options options = limits;
    options.damage = tgmap::on_damage::skip;
    load_comparison comparison;
    comparison.compare_all(tgmap::archive::from_memory(std::as_bytes(std::span(data)), options));
    BOOST_TEST(comparison.refused > 0u);
  }
}

void compare_changed_bytes(on_mismatch rule) {
  for (const int version : {2, 3}) {
    load_comparison comparison(rule);
    const bytes sound = message(keyed(2, version));
    for (std::size_t i = 0; i < sound.size(); ++i)
      for (const int change : {1, 2, 8, 0x20, 0x80, 0xff}) {
        bytes data = sound;
        data[i] = static_cast<char>(data[i] ^ change);
        comparison.compare_all(in_memory(data));
      }
    BOOST_TEST(comparison.loaded > sound.size());
    BOOST_TEST(comparison.refused > sound.size() / 2);
  }
}

BOOST_AUTO_TEST_CASE(changed_bytes) {
  compare_changed_bytes(on_mismatch::refuse);
  compare_changed_bytes(on_mismatch::take);
}

BOOST_AUTO_TEST_CASE(archives_of_the_reference) {
  std::vector<std::filesystem::path> folders{test_data()};
  if (const auto shared = shared_data_or_skip("messages of archives, loaded in two ways"))
    folders.push_back(*shared / "data/tgm");
  load_comparison comparison;
  for (const auto& folder : folders)
    for (const auto& each : std::filesystem::recursive_directory_iterator(folder)) {
      if (each.path().extension() != ".tgm" || each.file_size() == 0 || each.file_size() > 4 << 20) continue;
      BOOST_TEST_CONTEXT(each.path())
      comparison.compare_all(tgmap::archive(each.path(), {.damage = tgmap::on_damage::skip}));
    }
  BOOST_TEST(comparison.loaded > 20u);
}

BOOST_AUTO_TEST_CASE(selected_objects) {
  for (const int version : {2, 3}) {
    const bytes data = message(keyed(5, version));
    const auto in = in_memory(data);
    const auto wanted = load_by_parts(in[0]);
    stored_message out;
    for (const std::vector<std::size_t>& numbers : {std::vector<std::size_t>{3, 1}, {}, {0, 1, 2, 3, 4}, {2, 2}}) {
      out.load(in[0], numbers);
      BOOST_TEST_REQUIRE(out.content.objects.size() == numbers.size());
      for (std::size_t k = 0; k < numbers.size(); ++k)
        BOOST_TEST(same_object(std::get<stored_object>(out.content.objects[k]),
                               std::get<stored_object>(wanted.content.objects[numbers[k]])));
      BOOST_TEST((out.content.extra == wanted.content.extra));
      BOOST_TEST((out.content.provenance == wanted.content.provenance));
      BOOST_TEST((out.options.index == wanted.options.index));
    }
    failure why;
    out.load(in[0], std::vector<std::size_t>{0, 5}, why);
    BOOST_TEST(why.code == make_error_code(tgmap::errc::out_of_range));
    BOOST_TEST(why.found == 5U);
  }
}

BOOST_AUTO_TEST_CASE(messages_that_cannot_be_loaded) {
  stored_message out;
  failure why;
  out.load(tgmap::message(), why);
  BOOST_TEST(why.code == make_error_code(tgmap::errc::no_archive));
  const bytes old = version_1_message({"payload"});
  const auto in = in_memory(old);
  out.load(in[0], why);
  BOOST_TEST(why.code == make_error_code(tgmap::errc::version_1));
  BOOST_CHECK_THROW(out.load(in[0]), tgmap::error);
}

BOOST_AUTO_TEST_CASE(changes_of_the_last_message_are_overwritten) {
  const bytes data = message(keyed(2)) + message(keyed(2));
  const auto in = in_memory(data);
  stored_message reused, fresh;
  reused.load(in[0]);
  auto& changed = std::get<stored_object>(reused.content.objects[0]);
  changed.base.set("other", 1);
  changed.descriptor = cbor_value::map({{"ndim", 1}});
  changed.payload_and_masks = std::as_bytes(std::span(data));
  changed.preceder = true;
  reused.content.extra = cbor_value();
  reused.content.provenance.reset();
  reused.content.objects[1] = tgmap::new_object{};
  reused.content.objects.emplace_back();
  reused.options.payload_alignment = 64;
  reused.load(in[1]);
  fresh.load(in[1]);
  BOOST_TEST(difference(reused, fresh) == "");
}

BOOST_AUTO_TEST_SUITE_END()

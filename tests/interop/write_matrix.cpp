// SPDX-License-Identifier: Apache-2.0
// Writes messages of every kind for another implementation to read: each group of objects in each layout.
//
// usage: interop_matrix write FOLDER | read ARCHIVE VALUES
//
// Writes to FOLDER the archives `wire3.tgm` and `wire2.tgm`, the expected values `values.bin`, and `manifest.json` with
// their offsets. Each message is first read back and validated here. `read` writes the values of an archive of the
// other implementation.
#include <algorithm>
#include <cmath>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <support/rounds.hpp>
#include <unordered_map>

#include "layouts.hpp"
#include "read_archive.hpp"

namespace tgmap_interop {

namespace {

using nlohmann::json;

struct failed : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// A `value_file` is a file that bytes are appended to. add() returns their offset and size.
struct value_file {
  std::ofstream file;
  std::uint64_t size = 0;
  explicit value_file(const std::filesystem::path& path) : file(path, std::ios::binary) {}

  json add(std::span<const std::byte> what) {
    file.write(reinterpret_cast<const char*>(what.data()), static_cast<std::streamsize>(what.size()));
    size += what.size();
    return json::array({size - what.size(), what.size()});
  }
};

/// Returns metadata with every kind of value that the reference supports.
tgmap::cbor_value keys(std::size_t n) {
  using tgmap::cbor_value;
  return cbor_value::map(
      {{"n", n},
       {"text", "K\xc3\xb6ln"},
       {"mars", cbor_value::map({{"param", "2t"}, {"step", 12}, {"levels", cbor_value::array({500, 850, -1})}})},
       {"real", 0.1},
       {"half", 1.5},
       {"single", 16777216.0F * 3},
       {"most", INT64_MAX},
       {"least", INT64_MIN},
       {"yes", true},
       {"nothing", nullptr},
       {"empty", cbor_value::array({cbor_value::map(), cbor_value::array({}), ""})},
       {"a key of more than twenty-three bytes", false}});
}

json keys_as_json(std::size_t n) {
  return {{"n", n},
          {"text", "K\xc3\xb6ln"},
          {"mars", {{"param", "2t"}, {"step", 12}, {"levels", {500, 850, -1}}}},
          {"real", 0.1},
          {"half", 1.5},
          {"single", 50331648.0},
          {"most", INT64_MAX},
          {"least", INT64_MIN},
          {"yes", true},
          {"nothing", nullptr},
          {"empty", {json::object(), json::array(), ""}},
          {"a key of more than twenty-three bytes", false}};
}

bool is_within_bound(const recipe& recipe, std::span<const std::byte> found) {
  if (found.size() != recipe.expected.size()) return false;
  if (std::memcmp(found.data(), recipe.expected.data(), found.size()) == 0) return true;
  if (recipe.bound == 0) return false;
  for (std::size_t at = 0; at < found.size(); at += sizeof(double)) {
    double was = 0, is = 0;
    std::memcpy(&was, recipe.expected.data() + at, sizeof(was));
    std::memcpy(&is, found.data() + at, sizeof(is));
    const bool same_bits = std::memcmp(recipe.expected.data() + at, found.data() + at, sizeof(is)) == 0;
    if (!same_bits && !(std::abs(was - is) <= recipe.bound)) return false;
  }
  return true;
}

/// Returns the errors that validation finds, as one line.
std::string validation_errors(const tgmap::archive& archive) {
  struct collecting final : tgmap::validation_visitor {
    void unclaimed_bytes(const tgmap::finding& f) override { text += f.text + "; "; }
    void message(const tgmap::message_report& m) override {
      for (const auto& f : m.findings)
        if (f.severity == tgmap::severity::error) text += std::string(to_string_view(f.code)) + ": " + f.text + "; ";
    }
    std::string text;
  } all;
  (void)tgmap::validate(archive, {.mode = tgmap::validation_mode::full, .check_canonical = true, .threads = 1}, all);
  return all.text;
}

class matrix {
 public:
  explicit matrix(const std::filesystem::path& folder)
      : values_(folder / "values.bin"), three_(folder / "wire3.tgm"), two_(folder / "wire2.tgm") {}

  void add(const layout& how, const group& of) {
    tgmap::new_message message{.extra = keys(99)};
    std::vector<const recipe*> taken;
    for (const recipe& each : of.recipes) {
      if (!can_hold(how, each.object)) continue;
      tgmap::new_object object = each.object;
      object.data = tgmap_test::span_of(each.elements);
      object.base = keys(taken.size());
      message.objects.emplace_back(std::move(object));
      taken.push_back(&each);
    }
    if (taken.empty() && !of.recipes.empty()) return;
    std::vector<std::byte> bytes;
    try {
      bytes = write(how, std::move(message));
    } catch (const tgmap::error& error) {
      throw failed(how.name + ", " + of.name + ": " + error.what());
    }
    describe(how, of, taken, bytes);
  }

  json release() { return std::move(messages_); }

 private:
  void describe(const layout& how, const group& of, const std::vector<const recipe*>& taken,
                const std::vector<std::byte>& bytes) {
    const auto archive = tgmap::archive::from_memory(bytes);
    const std::string where = how.name + ", " + of.name;
    if (archive.size() != 1 || archive[0].size() != taken.size()) throw failed(where + ": not one message");
    if (const auto why = validation_errors(archive); !why.empty()) throw failed(where + ": " + why);
    json objects = json::array();
    for (std::size_t j = 0; j < taken.size(); ++j) objects.push_back(object(*taken[j], archive[0][j], where));
    const auto alignment = how.options.payload_alignment;
    for (std::size_t j = 0; j < taken.size() && how.by != route::verbatim; ++j)
      if (archive[0][j].payload_offset() % alignment != 0) throw failed(where + ": a payload that is not aligned");
    auto& file = how.options.version == 3 ? three_ : two_;
    messages_.push_back({{"layout", how.name},
                         {"group", of.name},
                         {"wire", how.options.version},
                         {"bytes", file.add(bytes)},
                         {"hashes", how.options.hashes},
                         {"metadata_in_footer", how.by == route::streamed || how.by == route::pieces},
                         {"extra", keys_as_json(99)},
                         {"objects", std::move(objects)}});
  }

  json object(const recipe& recipe, const tgmap::object& object, const std::string& where) {
    const auto found = object.decode();
    if (!is_within_bound(recipe, found.bytes())) throw failed(where + ", " + recipe.name + ": other values come back");
    const auto read_object = object.descriptor();
    json masks = json::array();
    for (const auto& mask : read_object.masks()) masks.push_back({to_string_view(mask.kind), mask.method.view()});
    return {{"name", recipe.name},
            {"dtype", to_string_view(recipe.object.dtype)},
            {"shape", recipe.object.shape},
            {"order", to_string_view(recipe.object.byte_order)},
            {"encoding", recipe.object.pipeline.encoding == tgmap::encoding::none ? "none" : "simple_packing"},
            {"filter", recipe.object.pipeline.filter == tgmap::filter::none ? "none" : "shuffle"},
            {"compression", recipe.object.pipeline.compression == tgmap::compression::none
                                ? "none"
                                : to_string_view(recipe.object.pipeline.compression)},
            {"masks", std::move(masks)},
            {"bound", recipe.bound},
            {"values", values_of(found.bytes())}};
  }

  /// Stores values once, because each layout has the same ones.
  json values_of(std::span<const std::byte> values) {
    auto& place = places_[std::string(tgmap_test::view_of(values))];
    if (place.is_null()) place = values_.add(values);
    return place;
  }

  value_file values_, three_, two_;
  std::unordered_map<std::string, json> places_{};
  json messages_ = json::array();
};

}  // namespace

}  // namespace tgmap_interop

namespace {

int write_all(const std::filesystem::path& folder) {
  using namespace tgmap_interop;
  std::filesystem::create_directories(folder);
  matrix all(folder);
  tgmap_test::case_sampler cases(7);
  for (const int version : {3, 2})
    for (const auto& each : groups(version))
      for (const auto& how : layouts())
        if (how.options.version == version && cases.takes_next()) all.add(how, each);
  std::ofstream(folder / "manifest.json") << all.release().dump();
  return 0;
}

}  // namespace

int main(int count, char** arguments) try {
  const std::string_view verb = count > 1 ? arguments[1] : "";
  if (verb == "write" && count == 3) return write_all(arguments[2]);
  if (verb == "read" && count == 4) {
    tgmap_interop::read_archive(arguments[2], arguments[3]);
    return 0;
  }
  std::cerr << "usage: interop_matrix write FOLDER | read ARCHIVE VALUES\n";
  return 2;
} catch (const std::exception& error) {
  std::cerr << "interop_matrix: " << error.what() << '\n';
  return 1;
}

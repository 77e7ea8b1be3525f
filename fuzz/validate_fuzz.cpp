// SPDX-License-Identifier: Apache-2.0
// Validation of any bytes: what is found does not depend on how they are reached, what a level finds of structure every
// level finds, and every byte belongs to a message or to a passage.
#include <cstdint>
#include <string>

#include "support/archives.hpp"
#include "support/require.hpp"

using namespace tgmap_fuzz;
using tgmap::validation_mode;

namespace {

struct listener final : tgmap::validation_visitor {
  explicit listener(const tgmap::archive& about) : archive(about) {}

  void unclaimed_bytes(const tgmap::finding& what) override {
    add(what);
    bytes += what.length;
    require(!what.message, "a passage belongs to no message");
  }

  void message(const tgmap::message_report& verdict) override {
    require(archive[verdict.index].offset() == verdict.message.offset(), "messages come under their numbers");
    text += "message " + std::to_string(verdict.index) + ": " + std::to_string(verdict.objects) + " objects" +
            (verdict.hash_verified ? ", verified\n" : "\n");
    bytes += verdict.message.length();
    bool sound = true;
    for (const tgmap::finding& each : verdict.findings) {
      add(each);
      sound = sound && each.severity != tgmap::severity::error;
      require(each.message == verdict.index, "a finding names its message");
      require(
          each.offset >= verdict.message.offset() && each.offset <= verdict.message.offset() + verdict.message.length(),
          "and lies in it");
    }
    require(sound || !verdict.hash_verified, "what has errors is not verified");
  }

  void add(const tgmap::finding& what) {
    errors += what.severity == tgmap::severity::error ? 1 : 0;
    text += std::string(to_string_view(what.severity)) + " " + std::string(to_string_view(what.code)) + " " +
            std::to_string(what.offset) + " " + (what.object ? std::to_string(*what.object) : "-") + " " + what.text +
            "\n";
    if (what.level == tgmap::validation_level::structure && what.severity == tgmap::severity::error)
      structure += std::string(to_string_view(what.code)) + " " + std::to_string(what.offset) + "\n";
  }

  const tgmap::archive& archive;
  std::string text{}, structure{};
  std::uint64_t bytes = 0, errors = 0;
};

listener found(const tgmap::archive& archive, const tgmap::validate_options& options) {
  listener out(archive);
  const tgmap::validation_result result = tgmap::validate(archive, options, out);
  require(out.bytes == archive.size_bytes(), "messages and passages are the archive");
  require(result.is_sound() == (out.errors == 0), "it is sound when nothing is wrong");
  return out;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  const auto data = std::as_bytes(std::span(bytes, size));
  const auto memory = in_memory(data), read = in_file(data, tgmap::io_mode::read);
  std::string structure;
  for (const validation_mode what :
       {validation_mode::quick, validation_mode::standard, validation_mode::checksum, validation_mode::full}) {
    const tgmap::validate_options options{.mode = what, .check_canonical = what == validation_mode::full, .threads = 1};
    const listener one = found(memory, options);
    require_same(one.text, found(read, options).text, "read as in memory");
    if (what == validation_mode::quick) structure = one.structure;
    require_same(structure, one.structure, "all levels find what is wrong with the structure");
  }
  return 0;
}

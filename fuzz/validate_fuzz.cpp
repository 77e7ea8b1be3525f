// SPDX-License-Identifier: Apache-2.0
// Validates any bytes. Findings are the same in memory and by reads, all modes find the same errors of structure, and
// each byte belongs to a message or to an unclaimed range.
#include <cstdint>
#include <string>

#include "support/archives.hpp"
#include "support/require.hpp"

using namespace tgmap_fuzz;
using tgmap::validation_mode;

namespace {

struct finding_recorder final : tgmap::validation_visitor {
  explicit finding_recorder(const tgmap::archive& source) : archive(source) {}

  void unclaimed_bytes(const tgmap::finding& range) override {
    add(range);
    bytes += range.length;
    require(!range.message, "unclaimed bytes belong to no message");
  }

  void message(const tgmap::message_report& report) override {
    require(archive[report.index].offset() == report.message.offset(), "each message has its number");
    text += "message " + std::to_string(report.index) + ": " + std::to_string(report.objects) + " objects" +
            (report.hash_verified ? ", verified\n" : "\n");
    bytes += report.message.length();
    bool sound = true;
    for (const tgmap::finding& each : report.findings) {
      add(each);
      sound = sound && each.severity != tgmap::severity::error;
      require(each.message == report.index, "a finding names its message");
      require(
          each.offset >= report.message.offset() && each.offset <= report.message.offset() + report.message.length(),
          "a finding is in its message");
    }
    require(sound || !report.hash_verified, "a message with errors is not verified");
  }

  void add(const tgmap::finding& one) {
    errors += one.severity == tgmap::severity::error ? 1 : 0;
    text += std::string(to_string_view(one.severity)) + " " + std::string(to_string_view(one.code)) + " " +
            std::to_string(one.offset) + " " + (one.object ? std::to_string(*one.object) : "-") + " " + one.text + "\n";
    if (one.level == tgmap::validation_level::structure && one.severity == tgmap::severity::error)
      structure += std::string(to_string_view(one.code)) + " " + std::to_string(one.offset) + "\n";
  }

  const tgmap::archive& archive;
  std::string text{}, structure{};
  std::uint64_t bytes = 0, errors = 0;
};

finding_recorder check(const tgmap::archive& archive, const tgmap::validate_options& options) {
  finding_recorder out(archive);
  const tgmap::validation_result result = tgmap::validate(archive, options, out);
  require(out.bytes == archive.size_bytes(), "messages and unclaimed bytes are the whole archive");
  require(result.is_sound() == (out.errors == 0), "an archive is sound if it has no errors");
  return out;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  const auto data = std::as_bytes(std::span(bytes, size));
  const auto memory = in_memory(data), read = in_file(data, tgmap::io_mode::read);
  std::string structure;
  for (const validation_mode mode :
       {validation_mode::quick, validation_mode::standard, validation_mode::checksum, validation_mode::full}) {
    const tgmap::validate_options options{.mode = mode, .check_canonical = mode == validation_mode::full, .threads = 1};
    const finding_recorder one = check(memory, options);
    require_same(one.text, check(read, options).text, "the same findings by reads and in memory");
    if (mode == validation_mode::quick) structure = one.structure;
    require_same(structure, one.structure, "all modes find the same errors of structure");
  }
  return 0;
}

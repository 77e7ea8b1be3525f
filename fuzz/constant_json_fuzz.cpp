// SPDX-License-Identifier: Apache-2.0
// Any text as a constant: problems with their places, or a constant, and then the text is JSON; the same in windows of
// every size, on threads, and, of what constant files have, as documents. The first byte chooses how it is read, the
// second a window, the line behind them is the type, which may be none.
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <tgmap/constant/read.hpp>
#include <tgmap/constant/write.hpp>

#include "constant/json/json_reader.hpp"
#include "support/require.hpp"

using tgmap_fuzz::require;
namespace constant = tgmap::constant;

namespace {

/// What came of reading, as far as it must always be the same.
struct reading {
  constant::report report{};
  constant::tensor_constant made{};

  reading(std::string_view text, const constant::read_options& options, std::size_t window) {
    made = constant::json::read_text({text.data(), text.size()}, options, report, window);
    require(report.problems.size() <= std::max<std::size_t>(options.max_problems, 1), "no more than was asked for");
    for (const constant::problem& each : report.problems) {
      require(each.cause.offset <= text.size() && each.line != 0 && each.column != 0, "a problem has its place");
      require(!each.text().empty() && each.text().size() < 10'000, "and a text that can be read");
      require(each.cause.code.category() != std::system_category(), "which is no system's");
    }
    require(!report || made.blocks() == 0, "there is no constant where there are problems");
  }
};

void require_same(const constant::tensor_constant& one, const constant::tensor_constant& other) {
  require(one.type() == other.type() && one.blocks() == other.blocks(), "of one type and size");
  require(std::ranges::equal(one.bytes(), other.bytes()), "the same cells");
  for (std::uint64_t block = 0; block < one.blocks(); ++block)
    for (std::size_t i = 0; i < one.type().mapped_count(); ++i)
      require(one.label(block, i) == other.label(block, i), "the same labels");
}

void require_same(const reading& one, const reading& other) {
  require(one.report.has_more == other.report.has_more && one.report.problems.size() == other.report.problems.size(),
          "as many");
  for (std::size_t i = 0; i < one.report.problems.size(); ++i)
    require(one.report.problems[i].text() == other.report.problems[i].text(), "the same problems");
  require(one.report.warnings.size() == other.report.warnings.size(), "the same warnings");
  require_same(one.made, other.made);
}

/// NaNs of hexadecimal digits have bits that no word has: of those the sign counts.
void require_same_values(const constant::tensor_constant& one, const constant::tensor_constant& other) {
  require(one.size() == other.size(), "as many cells");
  for (std::uint64_t i = 0; i < one.size(); ++i) {
    const double a = one.value(i), b = other.value(i);
    require(std::signbit(a) == std::signbit(b) && (a == b || (std::isnan(a) && std::isnan(b))), "the same values");
  }
}

bool all_finite(const constant::tensor_constant& of) {
  for (std::uint64_t i = 0; i < of.size(); ++i)
    if (!std::isfinite(of.value(i))) return false;
  return true;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size < 2) return 0;
  const std::string_view all(reinterpret_cast<const char*>(data) + 2, size - 2);
  const std::size_t line = all.find('\n');
  if (line == all.npos) return 0;
  const std::string_view text = all.substr(line + 1);
  const std::uint8_t how = data[0];
  constant::read_options options{.extended = (how & 1) != 0,
                                 .require_content = (how & 2) != 0,
                                 .allow_empty_labels = (how & 4) != 0,
                                 .round_to_nearest = (how & 8) != 0,
                                 .reject_fractions = (how & 16) != 0,
                                 .max_problems = (how & 32) != 0 ? std::size_t{100} : 1,
                                 .max_bytes = std::uint64_t{1} << 20};
  if (line != 0) {
    tgmap::failure why;
    options.type = constant::tensor_type::parse(all.substr(0, line), why);
    if (why) return 0;
  }
  const reading usual(text, options, constant::json::default_window);
  const std::size_t window = data[1] + std::size_t{1};
  require_same(usual, reading(text, options, window));
  static const auto threads = tgmap::make_thread_executor(2);
  constant::read_options with_threads = options;
  with_threads.executor = threads.get();
  require_same(usual, reading(text, with_threads, window % 8 + 1));
  if (usual.report) return 0;

  if (!options.extended) {
    constant::read_options document = options;
    document.extended = true;
    require_same(usual, reading(text, document, constant::json::default_window));
  }
  require(!usual.made.validate(), "every block is found by its labels");
  // nlohmann-json takes no number beyond the largest double.
  if (all_finite(usual.made)) require(nlohmann::json::accept(text), "what is read is JSON");
  constant::read_options again{
      .type = usual.made.type(), .extended = usual.made.type().is_scalar(), .allow_empty_labels = true};
  const reading written(to_json(usual.made), again, constant::json::default_window);
  require(!written.report, "what is written is read");
  require_same_values(usual.made, written.made);
  return 0;
}

// SPDX-License-Identifier: Apache-2.0 Reads any text as a constant. The result is either a list of problems with
// positions, or a constant; then the text is JSON. It is the same for all window sizes and with several threads;
// constant files give it also in extended mode. The first byte selects options, the second one the window; the line
// after them is the type, which may be empty.
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

/// A `reading` is the result of reading a text.
struct reading {
  constant::report report{};
  constant::tensor_constant tensor{};

  reading(std::string_view text, const constant::read_options& options, std::size_t window) {
    tensor = constant::json::read_text({text.data(), text.size()}, options, report, window);
    require(report.problems.size() <= std::max<std::size_t>(options.max_problems, 1),
            "at most the requested number of problems");
    for (const constant::problem& each : report.problems) {
      require(each.cause.offset <= text.size() && each.line != 0 && each.column != 0, "a problem has a place");
      require(!each.text().empty() && each.text().size() < 10'000, "a problem has a short text");
      require(each.cause.code.category() != std::system_category(), "a problem is not a system error");
    }
    require(!report || tensor.blocks() == 0, "no constant if there are problems");
  }
};

void require_same(const constant::tensor_constant& one, const constant::tensor_constant& other) {
  require(one.type() == other.type() && one.blocks() == other.blocks(), "the same type and size");
  require(std::ranges::equal(one.bytes(), other.bytes()), "the same cells");
  for (std::uint64_t block = 0; block < one.blocks(); ++block)
    for (std::size_t i = 0; i < one.type().mapped_count(); ++i)
      require(one.label(block, i) == other.label(block, i), "the same labels");
}

void require_same(const reading& one, const reading& other) {
  require(one.report.has_more == other.report.has_more && one.report.problems.size() == other.report.problems.size(),
          "the same number of problems");
  for (std::size_t i = 0; i < one.report.problems.size(); ++i)
    require(one.report.problems[i].text() == other.report.problems[i].text(), "the same problems");
  require(one.report.warnings.size() == other.report.warnings.size(), "the same warnings");
  require_same(one.tensor, other.tensor);
}

/// NaNs are compared only by sign, because text cannot represent their other bits.
void require_same_values(const constant::tensor_constant& one, const constant::tensor_constant& other) {
  require(one.size() == other.size(), "the same number of cells");
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
  const reading reference(text, options, constant::json::default_window);
  const std::size_t window = data[1] + std::size_t{1};
  require_same(reference, reading(text, options, window));
  static const auto threads = tgmap::make_thread_executor(2);
  constant::read_options with_threads = options;
  with_threads.executor = threads.get();
  require_same(reference, reading(text, with_threads, window % 8 + 1));
  if (reference.report) return 0;

  if (!options.extended) {
    constant::read_options document = options;
    document.extended = true;
    require_same(reference, reading(text, document, constant::json::default_window));
  }
  require(!reference.tensor.validate(), "each block is found by its labels");
  // nlohmann-json rejects numbers that exceed the largest double.
  if (all_finite(reference.tensor)) require(nlohmann::json::accept(text), "the text is JSON");
  constant::read_options again{
      .type = reference.tensor.type(), .extended = reference.tensor.type().is_scalar(), .allow_empty_labels = true};
  const reading written(to_json(reference.tensor), again, constant::json::default_window);
  require(!written.report, "a written constant can be read");
  require_same_values(reference.tensor, written.tensor);
  return 0;
}

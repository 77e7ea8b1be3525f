// SPDX-License-Identifier: Apache-2.0
#include "cli/manual/inline.hpp"

#include <utility>

namespace tgmap::cli::manual {

namespace {

constexpr std::string_view marks = "\\`*[]|";

class run_reader {
 public:
  explicit run_reader(std::string_view text) : rest_(text) {}

  std::vector<run> read() {
    while (!rest_.empty())
      if (!code() && !strong() && !link()) character();
    return std::move(out_);
  }

 private:
  void add(run_style style, std::string_view text) {
    if (out_.empty() || out_.back().style != style || style != run_style::plain) out_.push_back({style, {}});
    out_.back().text += text;
  }

  /// What stands between `mark` here and the next one; false where there is no pair.
  bool between(std::string_view mark, std::string_view& inner) {
    if (!rest_.starts_with(mark)) return false;
    const std::size_t end = rest_.find(mark, mark.size());
    if (end == rest_.npos || end == mark.size()) return false;
    inner = rest_.substr(mark.size(), end - mark.size());
    rest_.remove_prefix(end + mark.size());
    return true;
  }

  bool code() {
    std::string_view inner;
    if (!between("``", inner) && !between("`", inner)) return false;
    std::string text;
    for (std::size_t i = 0; i < inner.size(); ++i)  // a bar in a cell must be marked even in code
      if (!inner.substr(i).starts_with("\\|")) text += inner[i];
    add(run_style::code, text);
    return true;
  }

  bool strong() {
    std::string_view inner;
    if (!between("**", inner)) return false;
    add(run_style::strong, inner);
    return true;
  }

  bool link() {
    if (!rest_.starts_with('[')) return false;
    const std::size_t middle = rest_.find("](");
    if (middle == rest_.npos || rest_.substr(1, middle - 1).find_first_of("[]") != rest_.npos) return false;
    const std::size_t end = rest_.find(')', middle);
    if (end == rest_.npos) return false;
    for (const run& each : run_reader(rest_.substr(1, middle - 1)).read()) add(each.style, each.text);
    rest_.remove_prefix(end + 1);
    return true;
  }

  void character() {
    if (rest_.size() > 1 && rest_[0] == '\\' && marks.find(rest_[1]) != marks.npos) rest_.remove_prefix(1);
    add(run_style::plain, rest_.substr(0, 1));
    rest_.remove_prefix(1);
  }

  std::string_view rest_;
  std::vector<run> out_;
};

}  // namespace

std::vector<run> runs(std::string_view text) { return run_reader(text).read(); }

std::string marked(std::string_view plain) {
  std::string out;
  for (const char c : plain) {
    if (marks.find(c) != marks.npos) out += '\\';
    out += c;
  }
  return out;
}

}  // namespace tgmap::cli::manual

// SPDX-License-Identifier: Apache-2.0
#include "cli/assignments.hpp"

#include <fmt/format.h>

#include <array>
#include <optional>
#include <utility>

#include "cli/complaint.hpp"

namespace tgmap::cli {

namespace {

constexpr std::array<std::pair<std::string_view, assigned_type>, 6> suffixes{{{"i", assigned_type::integer},
                                                                              {"d", assigned_type::floating},
                                                                              {"s", assigned_type::text},
                                                                              {"b", assigned_type::boolean},
                                                                              {"null", assigned_type::null},
                                                                              {"j", assigned_type::json}}};

std::optional<assigned_type> type_of(std::string_view suffix) {
  for (const auto& [name, type] : suffixes)
    if (name == suffix) return type;
  return std::nullopt;
}

/// Reads one argument of -s from its front.
class assignment_reader {
 public:
  explicit assignment_reader(std::string_view text) : text_(text) {}

  std::vector<assignment> all() {
    std::vector<assignment> out;
    do {
      out.push_back(next());
    } while (more_);
    return out;
  }

 private:
  assignment next() {
    const std::size_t begin = at_;
    const std::string name = until("=,");
    const bool has_value = at_ < text_.size() && text_[at_] == '=';
    assignment out = named(name, begin);
    if (out.type == assigned_type::null) {
      if (has_value) refuse(at_, "null has no value", "write KEY:null");
    } else if (!has_value) {
      refuse(begin, fmt::format("'{}' is given no value", name), "write KEY=VALUE, and \\, for a comma in a value");
    } else {
      ++at_;
      out.value = out.type == assigned_type::json ? rest() : until(",");
    }
    more_ = at_ < text_.size();
    ++at_;
    return out;
  }

  assignment named(const std::string& name, std::size_t begin) const {
    const std::size_t colon = name.rfind(':');
    assignment out{.key = name.substr(0, colon)};
    if (colon != name.npos) {
      const auto type = type_of(std::string_view(name).substr(colon + 1));
      if (!type)
        refuse(begin, fmt::format("'{}' is no type of a value", name.substr(colon)),
               "there are :i :d :s :b :null and :j; a key with a colon in it takes one of them behind it");
      out.type = *type;
    }
    if (out.key.empty()) refuse(begin, "a key is missing", "write KEY=VALUE");
    return out;
  }

  /// Up to one of `ends`, or to the end.
  std::string until(std::string_view ends) {
    std::string out;
    for (; at_ < text_.size() && ends.find(text_[at_]) == ends.npos; ++at_) {
      const bool escape =
          text_[at_] == '\\' && at_ + 1 < text_.size() && (text_[at_ + 1] == ',' || text_[at_ + 1] == '\\');
      if (escape) ++at_;
      out += text_[at_];
    }
    return out;
  }

  std::string rest() { return std::string(text_.substr(std::exchange(at_, text_.size()))); }

  [[noreturn]] void refuse(std::size_t at, const std::string& what, const std::string& next_step) const {
    throw usage_error(fmt::format("{}, at column {} of '{}'", what, at + 1, text_), next_step);
  }

  std::string_view text_;
  std::size_t at_ = 0;
  bool more_ = false;
};

}  // namespace

std::vector<assignment> parse_assignments(std::string_view text) { return assignment_reader(text).all(); }

}  // namespace tgmap::cli

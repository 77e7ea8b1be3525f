// SPDX-License-Identifier: Apache-2.0
// Checks of to_string_view() and from_string() against the enumerators in the text of the headers, so that none can be
// forgotten.
#pragma once

#include <boost/test/unit_test.hpp>
#include <cctype>
#include <cstddef>
#include <filesystem>
#include <map>
#include <regex>
#include <string>
#include <support/temporary.hpp>
#include <tgmap/enum_names.hpp>

namespace tgmap_test {

/// Returns the number of enumerators of each enumeration that headers of a folder define outside of classes. Leaves out
/// folders of other components.
inline std::map<std::string, std::size_t> enumerators_in(const std::filesystem::path& folder) {
  static const std::regex comment("//[^\n]*"), space("\\s+");
  static const std::regex definition(R"((?:^|\n)enum class (?:\[\[nodiscard\]\] )?(\w+)[^;{]*\{([^}]*)\})");
  std::map<std::string, std::size_t> out;
  for (auto at = std::filesystem::recursive_directory_iterator(folder);
       at != std::filesystem::recursive_directory_iterator(); ++at) {
    const std::string file = at->path().filename().string();
    if (file == "zio" || file == "constant" || file == "bridge") at.disable_recursion_pending();
    if (!at->is_regular_file()) continue;
    const std::string text = std::regex_replace(read_file(at->path()), comment, "");
    for (std::sregex_iterator each(text.begin(), text.end(), definition), none; each != none; ++each) {
      std::size_t count = 0;
      bool in_name = false;
      for (const char c : std::regex_replace((*each)[2].str(), space, "")) {
        if (c != ',' && !in_name) ++count;
        in_name = c != ',';
      }
      out[(*each)[1]] = count;
    }
  }
  return out;
}

/// Checks a text that is no name of the enumeration, unless it is that of another value.
template <class Enum>
void check_no_name(const std::string& text) {
  const auto found = tgmap::from_string<Enum>(text);
  BOOST_TEST((!found || to_string_view(*found) == text), "'" << text << "' is taken for a name");
}

/// Checks the names of `count` enumerators, which are found among the numbers 0 to 999.
template <class Enum>
void check_names(const std::string& of, std::size_t count) {
  BOOST_TEST_CONTEXT(of) {
    std::size_t named = 0;
    for (unsigned number = 0; number < (sizeof(Enum) == 1 ? 256 : 1000); ++number) {
      const auto value = static_cast<Enum>(number);
      const std::string name(to_string_view(value));
      const auto back = tgmap::from_string<Enum>(name);
      if (!back || *back != value) {
        BOOST_TEST((name.empty() || name == "unknown"),
                   number << " is named '" << name << "', which means another value");
        continue;
      }
      ++named;
      std::string other_case = name;
      other_case[0] = static_cast<char>(std::isupper(static_cast<unsigned char>(name[0])) ? std::tolower(name[0])
                                                                                          : std::toupper(name[0]));
      for (const std::string& wrong :
           {other_case, name.substr(0, name.size() - 1), name + ' ', name + '\0', name + '\0' + name, '\0' + name})
        check_no_name<Enum>(wrong);
    }
    BOOST_TEST(named == count);
    for (const std::string& wrong : {std::string(), std::string(1, '\0'), std::string(" ")})
      BOOST_TEST(!tgmap::from_string<Enum>(wrong));
  }
}

/// The enumerations that headers of a folder define. Each must be checked.
class public_enums {
 public:
  explicit public_enums(const std::filesystem::path& folder) : unchecked_(enumerators_in(folder)) {}
  ~public_enums() {
    for (const auto& [name, count] : unchecked_) BOOST_ERROR(name << " was not checked");
  }
  public_enums(const public_enums&) = delete;
  public_enums& operator=(const public_enums&) = delete;

  /// Leaves out an enumeration of a component that the test does not link, which another test checks.
  void leave_out(const std::string& name) {
    BOOST_TEST(unchecked_.erase(name) == 1u, name << " is not in the headers");
  }

  /// Checks the names of the enumeration `name`.
  template <class Enum>
  void check(const std::string& name) {
    const auto found = unchecked_.find(name);
    BOOST_TEST_REQUIRE((found != unchecked_.end()), name << " is not in the headers");
    check_names<Enum>(name, found->second);
    unchecked_.erase(found);
  }

 private:
  std::map<std::string, std::size_t> unchecked_;
};

}  // namespace tgmap_test

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <stdexcept>
#include <string>
#include <system_error>
#include <utility>

namespace tgmap::cli {

/// The command line makes no sense: nothing is done, exit status 2. The text ends with the next step, or with a
/// question mark, or the verb's help is what to read.
class usage_error : public std::runtime_error {
 public:
  explicit usage_error(const std::string& text, std::string next_step = {})
      : std::runtime_error(text), next_step_(std::move(next_step)) {}
  const std::string& next_step() const noexcept { return next_step_; }

 private:
  std::string next_step_;
};

/// Something could not be done with a file, told in words of our own, together with what to do next.
class complaint : public std::runtime_error {
 public:
  complaint(const std::string& text, std::string next_step, std::string file = {})
      : std::runtime_error(text), next_step_(std::move(next_step)), file_(std::move(file)) {}
  const std::string& next_step() const noexcept { return next_step_; }
  const std::string& file() const noexcept { return file_; }  ///< where it is not the one at hand

 private:
  std::string next_step_, file_;
};

/// The operating system refused something with a file other than the one at hand, such as the output of extract.
class file_error : public std::system_error {
 public:
  file_error(int number, std::string file)
      : std::system_error(number, std::system_category()), file_(std::move(file)) {}
  const std::string& file() const noexcept { return file_; }

 private:
  std::string file_;
};

}  // namespace tgmap::cli

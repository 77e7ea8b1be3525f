// SPDX-License-Identifier: Apache-2.0
// Tests that need ecCodes.
#pragma once

#include <fcntl.h>
#include <unistd.h>

#include <boost/test/unit_test.hpp>
#include <cstdio>
#include <string>
#include <support/shared_data.hpp>
#include <support/temporary.hpp>
#include <tgmap/bridge/eccodes.hpp>

namespace tgmap_test {

/// Returns true if ecCodes is there; else says that the current test is skipped.
inline bool has_eccodes() {
  if (tgmap::bridge::find_eccodes()) return true;
  say_skipped(boost::unit_test::framework::current_test_case().full_name(), "ecCodes is missing; install libeccodes0");
  return false;
}

/// A `captured_standard_error` keeps what is printed to standard error while it lives, and stores it at its end.
class captured_standard_error {
 public:
  explicit captured_standard_error(std::string& to) : to_(to) {
    std::fflush(stderr);
    const int file = ::open(file_.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600);
    ::dup2(file, STDERR_FILENO);
    ::close(file);
  }
  ~captured_standard_error() {
    std::fflush(stderr);
    ::dup2(original_, STDERR_FILENO);
    ::close(original_);
    to_ = read_file(file_);
  }
  captured_standard_error(const captured_standard_error&) = delete;
  captured_standard_error& operator=(const captured_standard_error&) = delete;

 private:
  std::string& to_;
  temporary_directory temporary_{};
  std::string file_ = (temporary_ / "stderr").string();
  int original_ = ::dup(STDERR_FILENO);
};

}  // namespace tgmap_test

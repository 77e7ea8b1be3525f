// SPDX-License-Identifier: Apache-2.0
// A first program with the component bridge: an error of GRIB.
#include <cstdio>
#include <tgmap/bridge/enum_names.hpp>

int main() {
  const std::error_code code = tgmap::bridge::errc::message_truncated;
  std::puts(code.message().c_str());
  return tgmap::from_string<tgmap::bridge::errc>("message_truncated") == tgmap::bridge::errc::message_truncated ? 0 : 1;
}

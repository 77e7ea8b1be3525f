// SPDX-License-Identifier: Apache-2.0
#include "cli/stream/zeromq_version.hpp"

#include <tgmap/zio/curve_keys.hpp>
#include <tgmap/zio/errc.hpp>

#include "tgmap_build_info.hpp"

namespace tgmap::cli {

std::string_view zeromq_version() {
  failure why;
  static_cast<void>(zio::make_curve_keys(why));  // loads the library
  return why.code == zio::errc::zmq_absent ? std::string_view() : build::zeromq_version;
}

}  // namespace tgmap::cli

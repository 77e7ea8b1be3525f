// SPDX-License-Identifier: Apache-2.0
#include "cli/stream/stream_advice.hpp"

#include <cerrno>
#include <tgmap/zio/errc.hpp>

#include "cli/app/next_step.hpp"

namespace tgmap::cli {

std::string stream_advice(const failure& why) {
  if (why.code.category() == std::system_category() && why.code.value() == EADDRINUSE)
    return "choose another port, or end what listens there";
  if (why.code.category() != zio::category()) return next_step(why, {});
  switch (static_cast<zio::errc>(why.code.value())) {
    case zio::errc::bad_endpoint: return "write it as tcp://HOST:PORT or ipc://FILE";
    case zio::errc::insecure_endpoint:
      return "give keys by --curve-key, listen at 127.0.0.1 or ipc://FILE, or add --insecure if everybody may send "
             "there";
    case zio::errc::bad_curve_key: return "name a ZeroMQ certificate, or a file with one key of 40 characters";
    case zio::errc::timed_out: return "see whether the other end runs, or wait longer with --timeout";
    case zio::errc::peer_gone: return "see whether the other end runs";
    case zio::errc::flow_protocol:
    case zio::errc::flow_credit: return "see what the other end runs: it breaks the FLOW protocol";
    case zio::errc::flow_refused: return "see what the other end wants: both may want to give, or to take";
    case zio::errc::message_limit: return "add --max-message or --max-memory if you trust who sends";
    case zio::errc::bad_prefix:
    case zio::errc::bad_level:
    case zio::errc::bad_coordinates:
    case zio::errc::too_few_parts: return "see who sends it: it is no message of ZIO";
    case zio::errc::bad_label:
    case zio::errc::label_too_deep: return "see who sends it: its label is no JSON";
    default: return next_step(why, {});
  }
}

}  // namespace tgmap::cli

// SPDX-License-Identifier: Apache-2.0
#include "cli/stream/stream_advice.hpp"

#include <cerrno>

#include "cli/advice.hpp"

namespace tgmap::cli {

std::string stream_advice(const failure& why) {
  if (why.code.category() == std::system_category() && why.code.value() == EADDRINUSE)
    return "choose another port, or end what listens there";
  if (why.code.category() != category()) return next_step(why, {});
  switch (static_cast<errc>(why.code.value())) {
    case errc::bad_endpoint: return "write it as tcp://HOST:PORT or ipc://FILE";
    case errc::insecure_endpoint:
      return "give keys by --curve-key, listen at 127.0.0.1 or ipc://FILE, or add --insecure if everybody may send "
             "there";
    case errc::bad_curve_key: return "name a ZeroMQ certificate, or a file with one key of 40 characters";
    case errc::timed_out: return "see whether the other end runs, or wait longer with --timeout";
    case errc::peer_gone: return "see whether the other end runs";
    case errc::flow_protocol:
    case errc::flow_credit: return "see what the other end runs: it breaks the FLOW protocol";
    case errc::flow_refused: return "see what the other end wants: both may want to give, or to take";
    case errc::message_limit: return "add --max-message or --max-memory if you trust who sends";
    case errc::bad_zio:
    case errc::zio_level:
    case errc::zio_coordinates:
    case errc::zio_parts: return "see who sends it: it is no message of ZIO";
    case errc::bad_label:
    case errc::label_too_deep: return "see who sends it: its label is no JSON";
    default: return next_step(why, {});
  }
}

}  // namespace tgmap::cli

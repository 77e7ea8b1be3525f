// SPDX-License-Identifier: Apache-2.0
#include <tgmap/zio/enum_names.hpp>

#include "core/text/enum_table.hpp"

namespace tgmap {
inline namespace v0 {

TGMAP_INNER_ENUM_NAMES(zio, flow_event, 0, "requested", "opened", "credited", "data", "late", "peer_ended", "ended")
TGMAP_INNER_ENUM_NAMES(zio, flow_role, 0, "giver", "taker")
TGMAP_INNER_ENUM_NAMES(zio, flow_side, 0, "client", "server")
TGMAP_INNER_ENUM_NAMES(zio, flow_state, 0, "closed", "opening", "requested", "open", "ending", "peer_ended", "ended",
                       "broken")
TGMAP_INNER_ENUM_NAMES(zio, level, 0, "undefined", "trace", "verbose", "debug", "info", "summary", "warning", "error",
                       "fatal")
TGMAP_INNER_ENUM_NAMES(zio, socket_kind, 0, "push", "pull", "dealer", "router")

}  // namespace v0
}  // namespace tgmap

// SPDX-License-Identifier: Apache-2.0
// What a stream_writer is a handle of, and what an appender looks at when it closes one.
#pragma once

#include <cstdint>

#include "write/guarded.hpp"
#include "write/stream_encoder.hpp"

namespace tgmap {
inline namespace v0 {
namespace detail {

struct stream_state {
  stream_state(sink& to, const write_options& options, const cbor_value& extra) : encoder(to, options, extra) {}

  enum class turn : std::uint8_t { ready, object_open, finished, broken };

  write::stream_encoder encoder;
  turn now = turn::ready;

  /// Does `work` when its turn is `when`, and goes on to `then`. What fails once something was put out ends the stream.
  template <class Work>
  failure take(turn when, turn then, Work&& work) noexcept {
    if (now != when) return {.code = errc::call_out_of_order};
    failure why = write::guarded(work);
    if (!why)
      now = then;
    else if (when == turn::object_open || !encoder.untouched())
      now = turn::broken;
    return why;
  }

  failure finish(bool backfill) noexcept {
    failure why = take(turn::ready, turn::finished, [&] { return encoder.finish(backfill); });
    if (why && now == turn::ready) now = turn::broken;
    return why;
  }

  failure about_object(failure why) const noexcept {
    if (why && !why.object) why.object = encoder.objects();
    return why;
  }
};

}  // namespace detail
}  // namespace v0
}  // namespace tgmap

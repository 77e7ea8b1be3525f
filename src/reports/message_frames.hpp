// SPDX-License-Identifier: Apache-2.0
// The frames of a message with their contents, without payloads.
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <tgmap/cbor_view.hpp>
#include <tgmap/descriptor.hpp>
#include <tgmap/frame.hpp>
#include <tgmap/message.hpp>
#include <tgmap/object.hpp>
#include <vector>

#include "reports/json_stream.hpp"

namespace tgmap::reports {

/// Returns the names of the flags that are set, such as "HEADER_METADATA"; "BIT_9" for unknown ones.
std::vector<std::string> flag_names(const message&);
std::vector<std::string> flag_names(const frame&);

/// Returns the sixteen digits of the stored hash. Returns nothing if the frame has none.
std::optional<std::string> hash_text(const frame&);

/// A frame, and what it contains.
struct frame_content {
  tgmap::frame frame;
  std::optional<tgmap::object> object{};                  ///< of an object frame that can be read
  std::string problem{};                                  ///< why the frame cannot be read
  std::shared_ptr<const tgmap::descriptor> descriptor{};  ///< of the object
  std::string body{};                                     ///< of a known frame of another kind
  bool has_body = false;

  /// Returns the contents; null if unknown or unreadable. Lifetime: that of this object.
  cbor_view content() const;

  /// Returns the limit on the JSON of the contents.
  json_limit limit(const std::optional<std::uint64_t>& asked) const;
};

/// Receives a frame and its number in the message. Returns false to stop.
using frame_receiver = std::function<bool(std::size_t number, const frame_content&)>;

/// Visits all frames, or with `object` only the frame of that object. A mapped file may shrink meanwhile.
/// Errors: throws tgmap::error if the frames cannot be followed.
void for_each_frame(const message&, std::optional<std::size_t> object, const frame_receiver&);

}  // namespace tgmap::reports

// SPDX-License-Identifier: Apache-2.0
// A frame as JSON.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <tgmap/zio/frame_description.hpp>

#include "json/writer.hpp"

namespace tgmap::zio {

/// Writes the members of an object that docs/schema/tens_show.json describes, without the name of the file.
void put_frame_members(json_text::writer<>&, const message&, const frame_description&);

/// Returns the text of a failure in a frame, including an offset of 0.
std::string frame_fault_text(const failure&);

/// Returns the XXH3-64 hash as 16 hexadecimal digits.
std::string hash_text(std::span<const std::byte> of);

}  // namespace tgmap::zio

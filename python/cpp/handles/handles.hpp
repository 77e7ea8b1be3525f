// SPDX-License-Identifier: Apache-2.0
// Messages, objects and metadata as Python has them: a handle of the library and what keeps it alive.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <tgmap/located_object.hpp>
#include <tgmap/message.hpp>
#include <tgmap/metadata.hpp>
#include <tgmap/object.hpp>
#include <tgmap/untyped_view.hpp>

#include "cpp/handles/opened_archive.hpp"

namespace tgmap_python {

struct py_message {
  shared_archive from;
  tgmap::message handle;
};

struct py_object {
  shared_archive from;
  tgmap::located_object place;                          ///< read once something but its elements was needed
  std::shared_ptr<const tgmap::descriptor> parsed{};    ///< once it was needed
  std::shared_ptr<const tgmap::untyped_view> viewed{};  ///< of an archive with bytes in place, once there was a view

  /// Returns the object, with the descriptor, of which nothing is read again.
  tgmap::object handle() {
    if (place.is_read()) return place.read();
    tgmap::failure why;
    tgmap::object found = place.read(parsed, why);
    if (why) found = place.read();  // a descriptor that is damaged is reported when it is used
    place = {place.message(), found};
    return found;
  }

  /// Returns the descriptor, parsed once, with a copy of its bytes.
  const tgmap::descriptor& descriptor() {
    if (!place.is_read()) static_cast<void>(handle());
    if (!parsed) parsed = tgmap::shared_descriptor(place.read());
    return *parsed;
  }
};

struct py_metadata {
  shared_archive from;
  tgmap::metadata_copy copy;                                                ///< whatever happens to the file
  std::shared_ptr<const std::map<std::string, tgmap::cbor_view>> listed{};  ///< of many keys, once they were iterated

  const tgmap::metadata& keys() const noexcept { return copy.keys(); }
};

struct py_descriptor {
  shared_archive from;
  std::shared_ptr<const tgmap::descriptor> parsed;
};

}  // namespace tgmap_python

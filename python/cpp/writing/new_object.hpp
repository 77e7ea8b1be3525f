// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <tgmap/write/new_message.hpp>
#include <variant>
#include <vector>

#include "cpp/handles/handles.hpp"
#include "cpp/writing/pipeline.hpp"

namespace tgmap_python {

/// A `py_new_object` is an array, its keys and its pipeline, ready to be written any number of times.
struct py_new_object {
  nb::object owner{};  ///< of the elements
  tgmap::new_object content{};
};

/// A `py_stored_object` is an object that is encoded already.
struct py_stored_object {
  nb::object owner{};  ///< of the payload
  tgmap::stored_object content{};
};

/// What describes an object besides its elements and its pipeline.
struct object_keys {
  nb::object metadata = nb::none();
  std::string type = "ntensor";
  nb::object descriptor = nb::none();
  bool preceder = false;
};

/// Returns an object without elements. Raises TypeError for keys that are no metadata.
tgmap::new_object describe_object(const object_keys&, const pipeline_options&);

/// Returns an array as an object.
py_new_object make_new_object(nb::handle array, nb::handle dtype, const object_keys&, const pipeline_options&);

/// A `new_content` is a message to be written and the owners of its memory.
struct new_content {
  tgmap::new_message message{};
  std::vector<nb::object> owners{};
  std::size_t bytes = 0;  ///< of all elements
};

/// Returns `objects` as a message: an array, a NewObject, a StoredObject, an Object of an archive, or a list or tuple
/// of them. `keywords` are the pipeline of arrays, and take_damaged. Raises TypeError; Error for an Object whose keys
/// or payload get a new hash and do not have the old one, without take_damaged.
new_content to_content(nb::handle objects, nb::handle metadata, keywords&, int version);

}  // namespace tgmap_python

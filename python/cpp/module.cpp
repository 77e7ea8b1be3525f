// SPDX-License-Identifier: Apache-2.0
#include <tgmap/build_info.hpp>

#include "errors.hpp"
#include "numpy.hpp"

namespace tgmap_python {
namespace {

/// Returns what the library is and which libraries it uses.
nb::dict doctor() {
  const tgmap::build_info info = tgmap::get_build_info();
  nb::list libraries;
  for (const tgmap::dependency& each : info.dependencies) {
    nb::dict one;
    one["name"] = each.name;
    one["version"] =
        each.version.empty() ? nb::object(nb::none()) : nb::object(nb::str(each.version.data(), each.version.size()));
    one["origin"] = each.origin;
    one["used_for"] = each.used_for;
    libraries.append(one);
  }
  nb::dict out;
  out["version"] = info.version;
  out["compiler"] = info.compiler;
  out["build_type"] = info.build_type;
  out["target"] = info.target;
  out["libraries"] = libraries;
  return out;
}

}  // namespace
}  // namespace tgmap_python

NB_MODULE(_core, m) {
  using namespace tgmap_python;
  import_numpy();
  register_errors();
  register_metadata(m);
  register_descriptor(m);
  register_message(m);
  register_object(m);
  register_archive(m);
  register_table(m);
  register_gather(m);
  register_new_object(m);
  register_writer(m);
  m.def("doctor", doctor, "Return what the library is and which libraries it uses, as a dict.");
}

// SPDX-License-Identifier: Apache-2.0
#include "cpp/archive/archive_iterators.hpp"

namespace tgmap_python {

void register_archive_iterators(nb::module_& m) {
  nb::class_<message_iterator>(m, "_MessageIterator")
      .def("__iter__", [](nb::handle self) { return self; })
      .def("__next__", &message_iterator::operator());
  nb::class_<found_messages>(m, "_FoundMessages")
      .def("__iter__", [](nb::handle self) { return self; })
      .def("__next__", [](found_messages& self) {
        return py_message{self.from(), self.next().message};
      });
  nb::class_<found_objects>(m, "_FoundObjects")
      .def("__iter__", [](nb::handle self) { return self; })
      .def("__next__", [](found_objects& self) {
        const auto found = self.next();
        return py_object{self.from(), {found.message, found.object}};
      });
}

}  // namespace tgmap_python

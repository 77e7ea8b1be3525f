// SPDX-License-Identifier: Apache-2.0
// Many archives as one sequence, for _collection.py.
#include <tgmap/tools/collection.hpp>

#include "cpp/archive/py_archive.hpp"
#include "cpp/arrays/numpy.hpp"
#include "cpp/handles/readable_memory.hpp"
#include "cpp/interpreter/errors.hpp"
#include "cpp/interpreter/interruptible.hpp"
#include "cpp/interpreter/scalars.hpp"
#include "cpp/interpreter/text.hpp"
#include "cpp/tools/table.hpp"

namespace tgmap_python {
namespace {

/// A collection, and what all of its archives are opened with.
struct py_collection {
  tgmap::collection all;
  std::uint64_t max_decoded;
};

void make_collection(py_collection* self, nb::sequence places, const std::string& mode, const std::string& damage,
                     const std::string& index, argument<bool> index_cache, const std::string& trust_index_of,
                     argument<std::uint64_t> max_decoded, argument<std::size_t> max_open) {
  std::vector<tgmap::archive_place> all;
  for (nb::handle each : places) {
    const auto place = nb::cast<nb::tuple>(each);
    const auto length = nb::cast<std::optional<std::uint64_t>>(place[2]);
    all.push_back({.path = to_path(place[0]),
                   .offset = nb::cast<std::uint64_t>(place[1]),
                   .length = length.value_or(UINT64_MAX)});
  }
  const opening_options how{.mode = mode,
                            .damage = damage,
                            .index = index,
                            .index_cache = index_cache,
                            .trust_index_of = trust_index_of,
                            .max_decoded = max_decoded};
  tgmap::failure why;
  auto out = tgmap::collection::open(std::move(all), {.open = to_options(how), .max_open = max_open}, why);
  raise_if(why);
  new (self) py_collection{std::move(out), max_decoded};
}

nb::object open_one(const py_collection& from, std::size_t number) {
  tgmap::failure why;
  opened_archive opened;
  opened.archive = without_lock(true, [&] { return from.all.archive(number, why); });
  if (number < from.all.archive_count()) opened.path = from.all.place(number).path.string();
  raise_if(why, opened.path);
  opened.max_decoded = from.max_decoded;
  return nb::borrow(share_archive(std::move(opened)).owner());
}

/// Runs `work(stop, failure&)`, which Ctrl-C ends.
template <class Work>
void run_query(Work&& work) {
  tgmap::failure why;
  std::exception_ptr problem;
  run_interruptibly(true, [&](const std::stop_token& stop) {
    try {
      work(stop, why);
    } catch (...) {
      problem = std::current_exception();
    }
  });
  if (problem) std::rethrow_exception(problem);
  raise_if(why);
}

nb::list failures_of(const std::vector<tgmap::collection_failure>& all) {
  nb::list out;
  for (const tgmap::collection_failure& each : all)
    out.append(
        nb::make_tuple(each.archive, path_object(each.path.string()), shown_text(each.cause.text()), each.count));
  return out;
}

/// Returns an array of archive, message and, of objects, object: shape (rows, 2) or (rows, 3).
nb::object address_array(const std::vector<tgmap::collection_address>& all, bool of_objects) {
  const std::array<std::uint64_t, 2> shape{all.size(), of_objects ? 3U : 2U};
  const new_array out = make_array(tgmap::dtype::int64, tgmap::native_byte_order, shape);
  auto* at = reinterpret_cast<std::uint64_t*>(out.bytes.data());
  for (const tgmap::collection_address& each : all) {
    *at++ = each.archive;
    *at++ = each.message;
    if (of_objects) *at++ = each.object.value_or(0);
  }
  return out.array;
}

std::vector<tgmap::sort_column> sort_columns_of(nb::sequence sort) {
  std::vector<tgmap::sort_column> out;
  for (nb::handle each : sort) {
    const auto column = nb::cast<nb::tuple>(each);
    tgmap::failure why;
    out.push_back({tgmap::metadata_key::parse(name_to_find(column[0], "a key"), why), nb::cast<bool>(column[1])});
    raise_if(why);
  }
  return out;
}

nb::tuple find(const py_collection& in, nb::handle where, bool of_objects, nb::sequence sort,
               std::optional<std::uint64_t> limit) {
  tgmap::collection_query wanted{.where = to_selection(where),
                                 .of_objects = of_objects,
                                 .sort = sort_columns_of(sort),
                                 .limit = limit.value_or(UINT64_MAX)};
  tgmap::found_addresses found;
  run_query([&](const std::stop_token& stop, tgmap::failure& why) {
    wanted.stop = stop;
    found = in.all.find(wanted, why);
  });
  return nb::make_tuple(address_array(found.addresses, of_objects), failures_of(found.failures));
}

nb::tuple facets(const py_collection& in, nb::sequence keys, nb::handle where, bool of_objects) {
  const auto names = to_keys(keys);
  tgmap::collection_query wanted{.where = to_selection(where), .of_objects = of_objects};
  tgmap::found_facets found;
  run_query([&](const std::stop_token& stop, tgmap::failure& why) {
    wanted.stop = stop;
    found = in.all.facets(names, wanted, why);
  });
  nb::list out;
  for (const tgmap::facet& each : found.facets) {
    nb::dict values;
    for (const auto& [text, count] : each.values) values[found_name(text)] = nb::int_(count);
    if (each.missing != 0) values[nb::none()] = nb::int_(each.missing);
    out.append(values);
  }
  return nb::make_tuple(out, failures_of(found.failures));
}

nb::tuple group(const py_collection& in, nb::sequence keys, nb::handle where, bool of_objects, nb::sequence sort,
                std::optional<std::uint64_t> limit) {
  const auto names = to_keys(keys);
  tgmap::collection_query wanted{.where = to_selection(where),
                                 .of_objects = of_objects,
                                 .sort = sort_columns_of(sort),
                                 .limit = limit.value_or(UINT64_MAX)};
  tgmap::found_groups found;
  run_query([&](const std::stop_token& stop, tgmap::failure& why) {
    wanted.stop = stop;
    found = in.all.group(names, wanted, why);
  });
  nb::list out;
  for (const tgmap::collection_group& each : found.groups) {
    nb::list values;
    for (const auto& text : each.values) values.append(text ? nb::object(found_name(*text)) : nb::object(nb::none()));
    out.append(nb::make_tuple(nb::tuple(values), address_array(each.addresses, of_objects)));
  }
  return nb::make_tuple(out, failures_of(found.failures));
}

/// Returns (table, failures, archives with an incomplete tail). Archives that cannot be opened or read have no rows.
/// `at_once` archives are open for it, beside those that the collection keeps open.
nb::tuple table(const py_collection& in, nb::sequence keys, argument<bool> objects, nb::handle where,
                argument<bool> skip_unread, argument<unsigned> threads, nb::handle all_keys, std::size_t at_once) {
  const auto wanted = to_keys(keys);
  auto options = to_options({keys, where, objects, skip_unread, threads, all_keys});
  auto data = std::make_shared<tgmap::key_columns>();
  std::vector<tgmap::collection_failure> failures;
  std::vector<std::size_t> tails;
  run_query([&](const std::stop_token& stop, tgmap::failure& why) {
    options.stop = stop;
    tgmap::key_columns_reader reader(wanted, options);
    const auto fail = [&](std::size_t archive, const tgmap::failure& cause) {
      failures.push_back({.archive = archive, .path = in.all.place(archive).path, .cause = cause});
    };
    for (std::size_t begin = 0; begin < in.all.archive_count(); begin += at_once) {
      const std::size_t end = std::min(begin + at_once, in.all.archive_count());
      std::vector<tgmap::archive> archives;
      std::vector<tgmap::failure> unopened(end - begin);
      for (std::size_t i = begin; i < end; ++i) archives.push_back(in.all.archive(i, unopened[i - begin]));
      const auto unread = reader.add(archives);
      for (std::size_t i = begin; i < end; ++i) {
        const tgmap::failure& cause = unopened[i - begin] ? unopened[i - begin] : unread[i - begin];
        if (cause.code == std::errc::operation_canceled) why = cause;
        if (cause)
          fail(i, cause);
        else if (archives[i - begin].incomplete_tail())
          tails.push_back(i);
      }
      if (why) return;
    }
    *data = reader.finish();
  });
  nb::list with_tail;
  for (const std::size_t each : tails) with_tail.append(each);
  return nb::make_tuple(py_table{std::move(data), objects}, failures_of(failures), with_tail);
}

/// Returns (keys, failures): those of to_python(key_listing).
nb::tuple keys(const py_collection& in, argument<bool> skip_unread) {
  tgmap::key_listing_options options{.skip_unread = skip_unread};
  tgmap::key_listing found;
  std::vector<tgmap::collection_failure> failures;
  run_query([&](const std::stop_token& stop, tgmap::failure& why) {
    options.stop = stop;
    tgmap::key_list_reader reader(options);
    for (std::size_t i = 0; i < in.all.archive_count(); ++i) {
      tgmap::failure cause;
      const tgmap::archive each = in.all.archive(i, cause);
      if (!cause) reader.add(each, cause);
      if (cause.code == std::errc::operation_canceled) why = cause;
      if (why) return;
      if (cause) failures.push_back({.archive = i, .path = in.all.place(i).path, .cause = cause});
    }
    found = reader.finish();
  });
  return nb::make_tuple(to_python(found), failures_of(failures));
}

nb::object address_tuple(const tgmap::collection_address& at) {
  if (!at.object) return nb::make_tuple(at.archive, at.message);
  return nb::make_tuple(at.archive, at.message, *at.object);
}

}  // namespace

void register_collection(nb::module_& m) {
  nb::class_<py_collection>(m, "_Collection", "Many archives as one sequence.")
      .def("__init__", make_collection, "places"_a, "mode"_a, "damage"_a, "index"_a, "index_cache"_a,
           "trust_index_of"_a, "max_decoded"_a, "max_open"_a)
      .def_prop_ro("archive_count", [](const py_collection& self) { return self.all.archive_count(); })
      .def_prop_ro("open_count", [](const py_collection& self) { return self.all.open_count(); })
      .def("open", open_one, "number"_a)
      .def("size", [](const py_collection& self) { return without_lock(true, [&] { return self.all.size(); }); })
      .def(
          "size_of",
          [](const py_collection& self, std::size_t n) {
            return without_lock(true, [&] { return self.all.size_of(n); });
          },
          "archive"_a)
      .def(
          "address_of",
          [](const py_collection& self, std::size_t number) {
            return address_tuple(without_lock(true, [&] { return self.all.address_of(number); }));
          },
          "number"_a)
      .def(
          "number_of",
          [](const py_collection& self, std::size_t archive, std::size_t message) {
            return without_lock(true, [&] { return self.all.number_of({archive, message}); });
          },
          "archive"_a, "message"_a)
      .def(
          "text_of",
          [](const py_collection& self, std::size_t archive, std::size_t message, std::optional<std::uint64_t> object) {
            return path_object(without_lock(true, [&] { return self.all.text_of({archive, message, object}); }));
          },
          "archive"_a, "message"_a, "object"_a.none())
      .def(
          "parse_address",
          [](const py_collection& self, nb::handle text) {
            const std::string address = to_path(text);
            return address_tuple(without_lock(true, [&] { return self.all.parse_address(address); }));
          },
          "text"_a)
      .def("failures", [](const py_collection& self) { return failures_of(self.all.failures()); })
      .def("find", find, "where"_a.none(), "of_objects"_a, "sort"_a, "limit"_a.none())
      .def("table", table, "keys"_a, "objects"_a, "where"_a.none(), "skip_unread"_a, "threads"_a, "all_keys"_a,
           "at_once"_a)
      .def("keys", keys, "skip_unread"_a)
      .def("facets", facets, "keys"_a, "where"_a.none(), "of_objects"_a)
      .def("group", group, "keys"_a, "where"_a.none(), "of_objects"_a, "sort"_a, "limit"_a.none());
}

}  // namespace tgmap_python

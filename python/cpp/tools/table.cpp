// SPDX-License-Identifier: Apache-2.0
#include "cpp/tools/table.hpp"

#include "cpp/arguments/threads.hpp"
#include "cpp/arrays/numpy.hpp"
#include "cpp/interpreter/errors.hpp"
#include "cpp/interpreter/interruptible.hpp"
#include "cpp/interpreter/scalars.hpp"
#include "cpp/interpreter/text.hpp"
#include "cpp/metadata/missing_keys.hpp"

namespace tgmap_python {

tgmap::selection to_selection(nb::handle where) {
  if (where.is_none()) return {};
  const bool is_text = PyUnicode_Check(where.ptr());
  const nb::object text = is_text ? nb::borrow(where) : call_python(from_package("tgmap._selection", "text_of"), where);
  const std::string bytes = name_to_find(text, "a selection");
  if (!is_text && bytes.empty()) return {};  // of an empty mapping
  tgmap::failure why;
  auto out = tgmap::selection::parse(bytes, tgmap::selection_syntax::full, why);
  raise_if(why);
  return out;
}

std::vector<tgmap::metadata_key> to_keys(nb::handle names) {
  std::vector<tgmap::metadata_key> out;
  tgmap::failure why;
  for (nb::handle each : names) {
    out.push_back(tgmap::metadata_key::parse(name_to_find(each, "a key"), why));
    raise_if(why);
  }
  return out;
}

namespace {

/// Returns whether the last name of a key is one of these, or has one that begins with `*` in it. Letters of ASCII are
/// compared without case.
bool is_named(std::string_view leaf, const std::vector<std::string>& names) {
  std::string lower(leaf);
  for (char& each : lower)
    if (each >= 'A' && each <= 'Z') each = static_cast<char>(each - 'A' + 'a');
  for (const std::string& each : names)
    if (each.starts_with('*') ? lower.find(std::string_view(each).substr(1)) != lower.npos : lower == each) return true;
  return false;
}

}  // namespace

nb::tuple to_python(const tgmap::key_listing& from) {
  nb::list keys, unread;
  for (const tgmap::key_summary& each : from.keys) {
    nb::list kinds;
    for (const tgmap::cbor_kind kind : each.kinds) kinds.append(text_of(to_string_view(kind)));
    keys.append(
        nb::make_tuple(found_name(each.key), each.messages, each.values, each.has_more_values, nb::tuple(kinds)));
  }
  for (const tgmap::unread_message& each : from.unread)
    unread.append(nb::make_tuple(each.archive, each.index, shown_text(each.cause.text())));
  return nb::make_tuple(keys, unread, from.is_by_index, from.omits_more);
}

tgmap::key_columns_options to_options(const table_arguments& from) {
  tgmap::key_columns_options out{.of_objects = from.objects,
                                 .where = to_selection(from.where),
                                 .distinct_values = true,
                                 .skip_unread = from.skip_unread};
  if (from.threads != 1) out.executor = &executor_of(from.threads);
  if (PyBool_Check(from.all_keys.ptr())) {
    out.all_keys = nb::cast<bool>(from.all_keys);
    return out;
  }
  out.all_keys = true;
  std::vector<std::string> names;
  for (nb::handle each : from.all_keys) names.push_back(name_to_find(each, "a name"));
  out.wants_key = [names](std::string_view key) { return !is_named(key.substr(key.rfind('.') + 1), names); };
  return out;
}

namespace {

py_table read_table(nb::handle opened, nb::sequence keys, argument<bool> objects, nb::handle where,
                    argument<bool> skip_unread, argument<unsigned> threads, nb::handle all_keys) {
  const shared_archive from(nb::borrow(opened));
  const auto wanted = to_keys(keys);
  auto options = to_options({keys, where, objects, skip_unread, threads, all_keys});
  auto data = std::make_shared<tgmap::key_columns>();
  tgmap::failure why;
  run_interruptibly(true, [&](const std::stop_token& stop) {
    options.stop = stop;
    *data = tgmap::read_key_columns(from->archive, wanted, options, why);
  });
  raise_if(why, from->path);
  const bool has_matched = !data->messages.empty();
  warn_of_keys(without_lock(true, [&] { return find_missing_keys(*from, options.where, has_matched); }));
  return {std::move(data), objects};
}

/// Returns the table of several open archives. Raises the first failure.
py_table read_tables(nb::sequence opened, nb::sequence keys, argument<bool> objects, nb::handle where,
                     argument<bool> skip_unread, argument<unsigned> threads, nb::handle all_keys) {
  std::vector<shared_archive> from;
  std::vector<tgmap::archive> archives;
  for (nb::handle each : opened) archives.push_back(from.emplace_back(nb::borrow(each))->archive);
  const auto wanted = to_keys(keys);
  auto options = to_options({keys, where, objects, skip_unread, threads, all_keys});
  std::vector<tgmap::failure> failures;
  auto data = std::make_shared<tgmap::key_columns>();
  run_interruptibly(true, [&](const std::stop_token& stop) {
    options.stop = stop;
    tgmap::key_columns_reader reader(wanted, options);
    failures = reader.add(archives);
    *data = reader.finish();
  });
  for (std::size_t i = 0; i < failures.size(); ++i) raise_if(failures[i], from[i]->path);
  return {std::move(data), objects};
}

/// Returns numbers as a read-only array that borrows from the table.
template <class Number>
nb::object borrow(const std::vector<Number>& numbers, tgmap::dtype type, nb::handle table) {
  const std::uint64_t size = numbers.size();
  return borrowed_array(std::as_bytes(std::span(numbers)), type, tgmap::native_byte_order, std::span(&size, 1), {},
                        table);
}

const py_table& table_of(nb::handle self) { return require<py_table>(self, "this needs a table of an archive"); }

/// Returns the numbers of messages, of objects, or the addresses of the rows.
nb::object messages_of(nb::handle self) { return borrow(table_of(self).data->messages, tgmap::dtype::int64, self); }
nb::object objects_of(nb::handle self) { return borrow(table_of(self).data->objects, tgmap::dtype::int64, self); }
nb::object archives_of(nb::handle self) { return borrow(table_of(self).data->archives, tgmap::dtype::int64, self); }

nb::object addresses_of(const py_table& table) {
  const auto& data = *table.data;
  const std::array<std::uint64_t, 2> shape{data.messages.size(), 2};
  const new_array out = make_array(tgmap::dtype::int64, tgmap::native_byte_order, shape);
  auto* const numbers = reinterpret_cast<std::uint64_t*>(out.bytes.data());
  for (std::size_t i = 0; i < data.messages.size(); ++i) {
    numbers[2 * i] = data.messages[i];
    numbers[2 * i + 1] = table.has_objects ? data.objects[i] : 0;
  }
  return out.array;
}

const tgmap::key_column& column_at(const py_table& table, std::size_t k) {
  if (k >= table.data->columns.size()) throw nb::index_error("the table has fewer columns");
  return table.data->columns[k];
}

/// Returns a column as (values, present, texts): an array of numbers, of codes or None; an array of bool or None; a
/// list of str or None.
nb::tuple column_of(nb::handle self, std::size_t k) {
  const tgmap::key_column& column = column_at(table_of(self), k);
  nb::object values = nb::none(), texts = nb::none();
  switch (column.type) {
    case tgmap::column_type::none: break;
    case tgmap::column_type::boolean: values = borrow(column.booleans, tgmap::dtype::bitmask, self); break;
    case tgmap::column_type::integer: values = borrow(column.integers, tgmap::dtype::int64, self); break;
    case tgmap::column_type::unsigned_integer:
      values = borrow(column.unsigned_integers, tgmap::dtype::uint64, self);
      break;
    case tgmap::column_type::floating: values = borrow(column.reals, tgmap::dtype::float64, self); break;
    case tgmap::column_type::text: {
      values = borrow(column.codes, tgmap::dtype::uint32, self);
      nb::list list;
      for (const std::string& each : column.texts) list.append(text_of(each));
      texts = list;
      break;
    }
  }
  const nb::object present =
      column.is_present.empty() ? nb::object(nb::none()) : borrow(column.is_present, tgmap::dtype::bitmask, self);
  return nb::make_tuple(values, present, texts);
}

/// Returns a value as Python has it: text of lists and maps is JSON.
nb::object value_of(const tgmap::distinct_value& value) {
  if (const auto* const truth = std::get_if<bool>(&value.value)) return nb::bool_(*truth);
  if (const auto* const number = std::get_if<std::int64_t>(&value.value)) return nb::int_(*number);
  if (const auto* const number = std::get_if<std::uint64_t>(&value.value)) return nb::int_(*number);
  if (const auto* const number = std::get_if<double>(&value.value)) return nb::float_(*number);
  const std::string& text = std::get<std::string>(value.value);
  if (value.kind == tgmap::cbor_kind::integer)
    return nb::steal(PyLong_FromString(text.c_str(), nullptr, 10));  // below -2^63
  if (value.kind == tgmap::cbor_kind::bytes)
    return nb::module_::import_("builtins").attr("bytes").attr("fromhex")(text);
  return text_of(text);
}

/// Returns the different values of a column as (codes, values, kinds).
nb::tuple codes_of(nb::handle self, std::size_t k) {
  const tgmap::key_column& column = column_at(table_of(self), k);
  nb::list values, kinds;
  for (const tgmap::distinct_value& each : column.values) {
    values.append(value_of(each));
    kinds.append(text_of(to_string_view(each.kind)));
  }
  return nb::make_tuple(borrow(column.value_codes, tgmap::dtype::int32, self), values, kinds);
}

/// Returns which rows have a value; None if all have.
nb::object present_in(nb::handle self, std::size_t k) {
  const tgmap::key_column& column = column_at(table_of(self), k);
  if (column.missing == 0) return nb::none();
  return borrow(column.is_present, tgmap::dtype::bitmask, self);
}

nb::list names_of(const std::vector<std::string>& all) {
  nb::list out;
  for (const std::string& each : all) out.append(found_name(each));
  return out;
}

nb::list names_of_columns(const py_table& table) {
  nb::list out;
  for (const tgmap::key_column& each : table.data->columns) out.append(found_name(each.key));
  return out;
}

nb::list unread_of(const py_table& table) {
  nb::list out;
  for (const tgmap::unread_message& each : table.data->unread)
    out.append(nb::make_tuple(each.index, shown_text(each.cause.text())));
  return out;
}

nb::tuple list_keys_of(nb::handle opened, argument<bool> skip_unread) {
  const shared_archive from(nb::borrow(opened));
  tgmap::key_listing_options options{.skip_unread = skip_unread};
  tgmap::key_listing found;
  tgmap::failure why;
  run_interruptibly(true, [&](const std::stop_token& stop) {
    options.stop = stop;
    found = tgmap::list_keys(from->archive, options, why);
  });
  raise_if(why, from->path);
  return to_python(found);
}

}  // namespace

void register_table(nb::module_& m) {
  nb::class_<py_table>(m, "_Table", "Columns of keys.")
      .def("__len__", [](const py_table& self) { return self.data->messages.size(); })
      .def_prop_ro("has_objects", [](const py_table& self) { return self.has_objects; })
      .def_prop_ro("messages", messages_of)
      .def_prop_ro("objects", objects_of)
      .def_prop_ro("archives", archives_of)
      .def_prop_ro("addresses", addresses_of)
      .def_prop_ro("unread", unread_of)
      .def_prop_ro("keys", names_of_columns)
      .def_prop_ro("omitted", [](const py_table& self) { return names_of(self.data->omitted); })
      .def_prop_ro("omits_more", [](const py_table& self) { return self.data->omits_more; })
      .def("column", column_of, "number"_a)
      .def("codes", codes_of, "number"_a)
      .def("present", present_in, "number"_a)
      .def("__arrow_c_stream__", to_arrow_stream);
  m.def(
      "_quote", [](nb::handle text) { return found_name(tgmap::quote(name_to_find(text, "the text"))); }, "text"_a);
  m.def("_read_tables", read_tables, "opened"_a, "keys"_a, "objects"_a, "where"_a.none(), "skip_unread"_a, "threads"_a,
        "all_keys"_a);
  m.def("_list_keys", list_keys_of, "opened"_a, "skip_unread"_a);
  m.def("_read_table", read_table, "opened"_a, "keys"_a, "objects"_a, "where"_a.none(), "skip_unread"_a, "threads"_a,
        "all_keys"_a);
}

}  // namespace tgmap_python

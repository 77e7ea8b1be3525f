// SPDX-License-Identifier: Apache-2.0
// Tables as streams of the Arrow C data interface. Only its structures are declared here; no library of Arrow is
// needed.
#include <cerrno>
#include <cstring>
#include <deque>

#include "cpp/interpreter/text.hpp"
#include "cpp/tools/table.hpp"

namespace tgmap_python {
namespace {

// The layout that https://arrow.apache.org/docs/format/CDataInterface.html defines.
struct arrow_schema {
  const char* format;
  const char* name;
  const char* metadata;
  std::int64_t flags;
  std::int64_t n_children;
  arrow_schema** children;
  arrow_schema* dictionary;
  void (*release)(arrow_schema*);
  void* private_data;
};

struct arrow_array {
  std::int64_t length;
  std::int64_t null_count;
  std::int64_t offset;
  std::int64_t n_buffers;
  std::int64_t n_children;
  const void** buffers;
  arrow_array** children;
  arrow_array* dictionary;
  void (*release)(arrow_array*);
  void* private_data;
};

struct arrow_stream {
  int (*get_schema)(arrow_stream*, arrow_schema*);
  int (*get_next)(arrow_stream*, arrow_array*);
  const char* (*get_last_error)(arrow_stream*);
  void (*release)(arrow_stream*);
  void* private_data;
};

constexpr std::int64_t flag_nullable = 2;

/// Text as Arrow has it: the bytes of all texts, and where each begins.
struct arrow_text {
  std::string bytes{};
  std::vector<std::int64_t> offsets{0};
};

/// A column, and what only Arrow needs of it. `values` borrows from the table or from `bits`.
struct arrow_column {
  std::string name{};
  const char* format = "n";
  const void* values = nullptr;
  std::int64_t missing = 0;
  std::string bits{}, present{};  ///< one bit for each row, the first one in the lowest bit
  std::optional<arrow_text> texts{};
};

struct arrow_table {
  std::shared_ptr<const tgmap::key_columns> data;
  std::deque<arrow_column> columns{};  // elements do not move
  std::int64_t rows = 0;
};
using shared_table = std::shared_ptr<const arrow_table>;

std::string packed(const std::vector<std::uint8_t>& truths) {
  std::string out((truths.size() + 7) / 8, '\0');
  for (std::size_t i = 0; i < truths.size(); ++i)
    if (truths[i] != 0) out[i / 8] = static_cast<char>(out[i / 8] | 1 << (i % 8));
  return out;
}

/// Joins texts. Ill-formed UTF-8 becomes U+FFFD. Needs the lock of the interpreter.
arrow_text joined(const std::vector<std::string>& texts) {
  arrow_text out;
  for (const std::string& each : texts) {
    const nb::object text = text_of(each);
    Py_ssize_t size = 0;
    const char* const utf8 = PyUnicode_AsUTF8AndSize(text.ptr(), &size);
    if (utf8 == nullptr) throw nb::python_error();
    out.bytes.append(utf8, static_cast<std::size_t>(size));
    out.offsets.push_back(static_cast<std::int64_t>(out.bytes.size()));
  }
  return out;
}

void add_column(arrow_table& to, const tgmap::key_column& from) {
  arrow_column& out = to.columns.emplace_back();
  out.name = from.key.find('\0') == std::string::npos ? from.key : shown(from.key);  // names end at a NUL
  out.missing = static_cast<std::int64_t>(from.missing);
  out.present = packed(from.is_present);
  switch (from.type) {
    case tgmap::column_type::none: break;
    case tgmap::column_type::boolean:
      out.format = "b";
      out.bits = packed(from.booleans);
      out.values = out.bits.data();
      break;
    case tgmap::column_type::integer:
      out.format = "l";
      out.values = from.integers.data();
      break;
    case tgmap::column_type::unsigned_integer:
      out.format = "L";
      out.values = from.unsigned_integers.data();
      break;
    case tgmap::column_type::floating:
      out.format = "g";
      out.values = from.reals.data();
      break;
    case tgmap::column_type::text:
      out.format = "I";
      out.values = from.codes.data();
      out.texts = joined(from.texts);
      break;
  }
}

void add_numbers(arrow_table& to, const char* name, const std::vector<std::uint64_t>& numbers) {
  arrow_column& out = to.columns.emplace_back();
  out.name = name;
  out.format = "l";
  out.values = numbers.data();
}

/// What a structure of Arrow points to.
template <class Struct>
struct owned {
  shared_table keeps;
  std::vector<Struct> children{};
  std::vector<Struct*> child_pointers{};
  Struct dictionary{};
  std::array<const void*, 3> buffers{};

  static void release(Struct* self) {
    for (std::int64_t i = 0; i < self->n_children; ++i)
      if (self->children[i]->release != nullptr) self->children[i]->release(self->children[i]);
    if (self->dictionary != nullptr && self->dictionary->release != nullptr)
      self->dictionary->release(self->dictionary);
    self->release = nullptr;
    delete static_cast<owned*>(self->private_data);
  }

  /// Makes place for children. The caller fills them.
  void add_children(Struct& of, std::size_t count) {
    children.resize(count);
    for (Struct& each : children) child_pointers.push_back(&each);
    of.n_children = static_cast<std::int64_t>(count);
    of.children = child_pointers.data();
  }
};

template <class Struct>
owned<Struct>* own(Struct& out, const shared_table& keeps) {
  out = {};
  auto* const owner = new owned<Struct>{.keeps = keeps};
  out.private_data = owner;
  out.release = owned<Struct>::release;
  return owner;
}

void fill_schema(arrow_schema& out, const shared_table& table, const char* format, const char* name) {
  own(out, table);
  out.format = format;
  out.name = name;
  out.flags = flag_nullable;
}

struct stream_state {
  shared_table table;
  bool has_ended = false;
};

int get_schema(arrow_stream* self, arrow_schema* out) try {
  const shared_table& table = static_cast<stream_state*>(self->private_data)->table;
  auto* const owner = own(*out, table);
  out->format = "+s";
  out->name = "";
  owner->add_children(*out, table->columns.size());
  for (std::size_t i = 0; i < table->columns.size(); ++i) {
    const arrow_column& column = table->columns[i];
    arrow_schema& child = owner->children[i];
    fill_schema(child, table, column.format, column.name.c_str());
    if (!column.texts) continue;
    auto* const of_child = static_cast<owned<arrow_schema>*>(child.private_data);
    fill_schema(of_child->dictionary, table, "U", "");
    child.dictionary = &of_child->dictionary;
  }
  return 0;
} catch (const std::bad_alloc&) {
  return ENOMEM;
}

void fill_texts(arrow_array& out, const shared_table& table, const arrow_text& texts) {
  auto* const owner = own(out, table);
  owner->buffers = {nullptr, texts.offsets.data(), texts.bytes.data()};
  out.buffers = owner->buffers.data();
  out.n_buffers = 3;
  out.length = static_cast<std::int64_t>(texts.offsets.size() - 1);
}

void fill_column(arrow_array& out, const shared_table& table, const arrow_column& column) {
  auto* const owner = own(out, table);
  out.length = table->rows;
  out.null_count = column.missing;
  if (column.values == nullptr && column.format[0] == 'n') return;  // it has no buffers
  owner->buffers = {column.present.empty() ? nullptr : column.present.data(), column.values, nullptr};
  out.buffers = owner->buffers.data();
  out.n_buffers = 2;
  if (!column.texts) return;
  fill_texts(owner->dictionary, table, *column.texts);
  out.dictionary = &owner->dictionary;
}

int get_next(arrow_stream* self, arrow_array* out) try {
  auto* const state = static_cast<stream_state*>(self->private_data);
  if (std::exchange(state->has_ended, true)) {
    *out = {};  // the end of the stream
    return 0;
  }
  auto* const owner = own(*out, state->table);
  out->length = state->table->rows;
  out->buffers = owner->buffers.data();
  out->n_buffers = 1;
  owner->add_children(*out, state->table->columns.size());
  for (std::size_t i = 0; i < state->table->columns.size(); ++i)
    fill_column(owner->children[i], state->table, state->table->columns[i]);
  return 0;
} catch (const std::bad_alloc&) {
  return ENOMEM;
}

const char* get_last_error(arrow_stream*) { return nullptr; }

void release_stream(arrow_stream* self) {
  delete static_cast<stream_state*>(self->private_data);
  self->release = nullptr;
}

constexpr const char* capsule_name = "arrow_array_stream";

void free_capsule(PyObject* capsule) {
  auto* const stream = static_cast<arrow_stream*>(PyCapsule_GetPointer(capsule, capsule_name));
  if (stream->release != nullptr) stream->release(stream);
  delete stream;
}

}  // namespace

nb::object to_arrow_stream(const py_table& from) {
  auto table = std::make_shared<arrow_table>();
  table->data = from.data;
  table->rows = static_cast<std::int64_t>(from.data->messages.size());
  add_numbers(*table, "message", from.data->messages);
  if (from.has_objects) add_numbers(*table, "object", from.data->objects);
  for (const tgmap::key_column& each : from.data->columns) add_column(*table, each);
  auto stream = std::make_unique<arrow_stream>();
  stream->get_schema = get_schema;
  stream->get_next = get_next;
  stream->get_last_error = get_last_error;
  stream->release = release_stream;
  stream->private_data = new stream_state{.table = std::move(table)};
  PyObject* const capsule = PyCapsule_New(stream.get(), capsule_name, free_capsule);
  if (capsule == nullptr) {
    stream->release(stream.get());
    throw nb::python_error();
  }
  static_cast<void>(stream.release());  // the capsule has it
  return nb::steal(capsule);
}

}  // namespace tgmap_python

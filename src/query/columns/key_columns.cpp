// SPDX-License-Identifier: Apache-2.0
// Reads the values of keys in all messages or objects of an archive.
#include <tgmap/query/key_columns.hpp>

#include <algorithm>
#include <cerrno>
#include <new>
#include <tgmap/decode/executor.hpp>
#include <tgmap/enum_names.hpp>
#include <utility>

#include "archive/access.hpp"
#include "core/text/enum_table.hpp"
#include "query/columns/key_plan.hpp"
#include "query/columns/row_reader.hpp"

namespace tgmap {
inline namespace v0 {

namespace {

using detail::archive_rows;
using detail::key_plan;
using detail::row_reader;
using detail::table_builder;

/// Reads all messages, in batches that the threads share.
archive_rows read_all(const key_plan& plan, std::size_t messages, executor* threads, failure& why) {
  constexpr std::size_t batch = 1024;
  row_reader all(plan);
  if (threads == nullptr || threads->concurrency() == 1 || messages <= batch) {
    all.read(0, messages);
    why = all.why();
    return why ? archive_rows() : all.take(why);
  }
  struct task_context {
    std::vector<row_reader> readers{};
    std::size_t begin = 0, messages = 0;
  } tasks;
  tasks.messages = messages;
  for (unsigned t = 0; t < 4 * threads->concurrency(); ++t) tasks.readers.emplace_back(plan);
  for (; tasks.begin < messages; tasks.begin += batch * tasks.readers.size()) {
    threads->run(tasks.readers.size(), {[](void* context, std::size_t t) noexcept {
                                          auto& all_tasks = *static_cast<task_context*>(context);
                                          const std::size_t begin = all_tasks.begin + t * batch;
                                          all_tasks.readers[t].read(begin, std::min(begin + batch, all_tasks.messages));
                                        },
                                        &tasks});
    for (row_reader& each : tasks.readers) {
      why = each.why();
      if (why) return {};
      all.append(each);
    }
  }
  return all.take(why);
}

archive_rows read_rows(const archive& from, std::span<const metadata_key> keys, const key_columns_options& options,
                       executor* threads, failure& why) noexcept try {
  why = {};
  from.scan(UINT64_MAX, options.stop, why);
  if (!why && options.stop.stop_requested()) why = {.code = {ECANCELED, std::system_category()}};
  if (why) return {};
  const std::size_t messages = from.size(why);
  if (why) return {};
  const key_plan plan(from, keys, options, why);
  return why ? archive_rows() : read_all(plan, messages, threads, why);
} catch (const std::bad_alloc&) {
  why = {.code = errc::out_of_memory};
  return {};
}

}  // namespace

key_columns read_key_columns(const archive& from, std::span<const metadata_key> keys,
                             const key_columns_options& options, failure& why) noexcept try {
  archive_rows rows = read_rows(from, keys, options, options.executor, why);
  if (why) return {};
  table_builder table({keys.begin(), keys.end()}, options.distinct_values);
  table.add(0, std::move(rows));
  return table.finish(false);
} catch (const std::bad_alloc&) {
  why = {.code = errc::out_of_memory};
  return {};
}

key_columns read_key_columns(const archive& from, std::span<const metadata_key> keys,
                             const key_columns_options& options) {
  return detail::or_throw([&](failure& why) { return read_key_columns(from, keys, options, why); });
}

struct key_columns_reader::state {
  state(std::span<const metadata_key> keys, key_columns_options how)
      : options(std::move(how)), table({keys.begin(), keys.end()}, options.distinct_values) {}

  key_columns_options options;
  table_builder table;
  std::uint64_t archives = 0;
};

key_columns_reader::key_columns_reader(std::span<const metadata_key> keys, const key_columns_options& options)
    : state_(std::make_unique<state>(keys, options)) {}
key_columns_reader::key_columns_reader(key_columns_reader&&) noexcept = default;
key_columns_reader& key_columns_reader::operator=(key_columns_reader&&) noexcept = default;
key_columns_reader::~key_columns_reader() = default;

std::vector<failure> key_columns_reader::add(std::span<const archive> all) {
  state& to = *state_;
  struct task_context {
    std::span<const archive> all;
    const state& to;
    std::vector<archive_rows> rows;
    std::vector<failure> failures;
  } tasks{all, to, std::vector<archive_rows>(all.size()), std::vector<failure>(all.size())};
  executor* const threads = to.options.executor;
  if (threads == nullptr || threads->concurrency() == 1 || all.size() == 1) {
    for (std::size_t i = 0; i < all.size(); ++i)
      tasks.rows[i] = read_rows(all[i], to.table.keys(), to.options, threads, tasks.failures[i]);
  } else {
    threads->run(all.size(), {[](void* context, std::size_t i) noexcept {
                                auto& of = *static_cast<task_context*>(context);
                                of.rows[i] =
                                    read_rows(of.all[i], of.to.table.keys(), of.to.options, nullptr, of.failures[i]);
                              },
                              &tasks});
  }
  for (std::size_t i = 0; i < all.size(); ++i, ++to.archives)
    if (!tasks.failures[i]) to.table.add(to.archives, std::move(tasks.rows[i]));
  return std::move(tasks.failures);
}

key_columns key_columns_reader::finish() {
  state_->archives = 0;
  return state_->table.finish(true);
}

TGMAP_ENUM_NAMES(column_type, 0, "none", "boolean", "integer", "unsigned_integer", "floating", "text")

}  // namespace v0
}  // namespace tgmap

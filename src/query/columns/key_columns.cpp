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

using detail::key_plan;
using detail::row_reader;

/// Reads all messages, in batches that the threads share.
key_columns read_all(const key_plan& plan, std::size_t messages, failure& why) {
  constexpr std::size_t batch = 1024;
  row_reader all(plan);
  executor* const threads = plan.options().executor;
  if (threads == nullptr || threads->concurrency() == 1 || messages <= batch) {
    all.read(0, messages);
    why = all.why();
    return why ? key_columns() : all.finish(why);
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
  return all.finish(why);
}

}  // namespace

key_columns read_key_columns(const archive& from, std::span<const metadata_key> keys,
                             const key_columns_options& options, failure& why) noexcept try {
  from.scan(UINT64_MAX, options.stop, why);
  if (!why && options.stop.stop_requested()) why = {.code = {ECANCELED, std::system_category()}};
  if (why) return {};
  const std::size_t messages = from.size(why);
  if (why) return {};
  const key_plan plan(from, keys, options, why);
  return why ? key_columns() : read_all(plan, messages, why);
} catch (const std::bad_alloc&) {
  why = {.code = errc::out_of_memory};
  return {};
}

key_columns read_key_columns(const archive& from, std::span<const metadata_key> keys,
                             const key_columns_options& options) {
  return detail::or_throw([&](failure& why) { return read_key_columns(from, keys, options, why); });
}

TGMAP_ENUM_NAMES(column_type, 0, "none", "boolean", "integer", "unsigned_integer", "floating", "text")

}  // namespace v0
}  // namespace tgmap

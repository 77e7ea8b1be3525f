// SPDX-License-Identifier: Apache-2.0
#include <new>
#include <tgmap/tools/index.hpp>

#include "archive/access.hpp"
#include "archive/archive_state.hpp"
#include "index/index_writer.hpp"
#include "index/listing.hpp"
#include "index/open_index_calls.hpp"
#include "index/structure_digest.hpp"
#include "index_file/open_file.hpp"

namespace tgmap {
inline namespace v0 {

archive detail::rescanned(const archive& given, failure& why) {
  if (!given) {
    why = {.code = errc::no_archive};
    return {};
  }
  open_options options = given.options();
  options.damage = on_damage::skip;
  return access::make_archive(access::state(given)->bytes().refreshed(options, why), options, why);
}

std::shared_ptr<const index_file::reader> detail::open_index_file(const std::filesystem::path& path, failure& why) {
  io::file file = index_file::open_file(path, {}, why);
  if (why) return nullptr;
  auto bytes = io::source::from_file(std::move(file), {}, why);
  return why ? nullptr : index_file::reader::open(std::move(bytes), why);
}

archive without_index(const archive& of, failure& why) noexcept {
  why = {};
  const detail::archive_state* const state = detail::access::state(of);
  if (state == nullptr) {
    why = {.code = errc::no_archive};
    return {};
  }
  const detail::archive_state& scanned = state->without_index(why);
  return why ? archive() : detail::access::make_archive(scanned.share());
}

archive without_index(const archive& of) {
  return detail::or_throw([&](failure& why) { return without_index(of, why); });
}

index_summary create_index(const archive& given, sink& to, const index_options& options, failure& why) {
  why = {};
  index_summary done;
  const std::uint64_t before = to.bytes_written();
  try {
    const archive a = detail::rescanned(given, why);
    if (why) return {};
    const io::source& bytes = detail::access::state(a)->bytes();
    const auto stamp = bytes.settled_stamp();  // before anything is read
    static_cast<void>(a.size(why));
    detail::index_writer file(to, a, why);
    if (why) return {};
    detail::structure_digest records(file);
    detail::listing all(a, records, options);
    const std::uint64_t covered = detail::listing::covered_end(a, why);
    if (!why) why = all.run(covered, file.sample_seed(), done);
    done.structure = records.value();
    if (!why && !done.stopped) why = file.finish(covered, done.structure, detail::unchanged(bytes, stamp), done);
  } catch (const std::bad_alloc&) {
    why = {.code = errc::out_of_memory};
  }
  done.index_bytes = to.bytes_written() - before;
  return done;
}

index_summary create_index(const archive& a, sink& to, const index_options& options) {
  return detail::or_throw([&](failure& why) { return create_index(a, to, options, why); });
}

}  // namespace v0
}  // namespace tgmap

// SPDX-License-Identifier: Apache-2.0
// Gives the bytes of an index to other processes, and opens archives with them.
#include <memory>
#include <new>
#include <tgmap/archive.hpp>
#include <utility>

#include "archive/access.hpp"
#include "archive/archive_state.hpp"
#include "archive/scan/open_index.hpp"
#include "index/open_index_calls.hpp"

namespace tgmap {
inline namespace v0 {

namespace {

using detail::access;

failure check_index_options(const open_options& options) noexcept {
  if (options.index == index_use::none) return {.code = errc::invalid_option, .argument = "open_options::index"};
  if (!options.index_path.empty()) return {.code = errc::invalid_option, .argument = "open_options::index_path"};
  return {};
}

/// Lets an archive that was just opened begin with these bytes of its index.
failure begin_with(const archive& a, std::span<const std::byte> bytes, const open_options& options) {
  failure why;
  auto source = io::source::from_memory(bytes, {}, why);
  if (why) return why;
  std::shared_ptr<const index_file::reader> index = index_file::reader::open(std::move(source), why);
  if (why) return why;
  auto found = detail::fit(std::move(index), access::state(a)->bytes(), options, why);
  const bool is_checked = options.index == index_use::checked;
  if (!why && is_checked) {
    found.stamp.reset();
    detail::check_open_index(a, *found.index, {}, found.stamp, why);
  }
  if (why) return why;
  return access::mutable_state(a).begin_with(std::move(found),
                                             is_checked ? index_trust::checked : index_trust::sampled);
}

}  // namespace

archive archive::open(const std::filesystem::path& path, std::span<const std::byte> index_bytes,
                      const open_options& options, failure& why) noexcept {
  why = check_index_options(options);
  if (why) return {};
  io::file file = io::file::open(path, why);
  if (why) return {};
  archive out = access::make_archive(io::source::from_file(std::move(file), options, why), options, why);
  if (!why) why = access::set_path(out, path);
  if (why) return {};
  try {
    why = begin_with(out, index_bytes, options);
  } catch (const std::bad_alloc&) {
    why = {.code = errc::out_of_memory};
  }
  return why ? archive() : out;
}

archive::archive(const std::filesystem::path& path, std::span<const std::byte> index_bytes,
                 const open_options& options) {
  failure why;
  *this = open(path, index_bytes, options, why);
  if (!why) return;
  if (why.code == make_error_code(errc::out_of_memory)) detail::raise(why);
  throw error(why, "cannot open '" + path.string() + "'");
}

std::vector<std::byte> archive::index_bytes(failure& why) const {
  why = {};
  if (!state_) {
    access::none(why);
    return {};
  }
  const auto& index = state_->index();
  if (index == nullptr) {
    why = {.code = errc::no_index};
    return {};
  }
  std::vector<std::byte> out(static_cast<std::size_t>(index->bytes().size()));
  why = index->bytes().read(0, out);
  return why ? std::vector<std::byte>() : out;
}

std::vector<std::byte> archive::index_bytes() const {
  return detail::or_throw([&](failure& why) { return index_bytes(why); });
}

}  // namespace v0
}  // namespace tgmap

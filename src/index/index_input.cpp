// SPDX-License-Identifier: Apache-2.0
#include "index/index_input.hpp"

#include "archive/access.hpp"
#include "archive/archive_state.hpp"
#include "io/file.hpp"

namespace tgmap {
inline namespace v0 {
namespace detail {

archive rescanned(const archive& given, failure& why) {
  if (!given) {
    why = {.code = errc::no_archive};
    return {};
  }
  open_options options = given.options();
  options.damage = on_damage::skip;
  return access::make_archive(access::state(given)->bytes().refreshed(options, why), options, why);
}

std::shared_ptr<const index_file::reader> open_index_file(const std::filesystem::path& path, failure& why) {
  io::file file = io::file::open(path, why);
  if (why) return nullptr;
  auto bytes = io::source::from_file(std::move(file), {}, why);
  return why ? nullptr : index_file::reader::open(std::move(bytes), why);
}

}  // namespace detail
}  // namespace v0
}  // namespace tgmap

// SPDX-License-Identifier: Apache-2.0
#include "archive/metadata/legacy_szip.hpp"

#include <charconv>
#include <string_view>

namespace tgmap {
inline namespace v0 {
namespace detail {

namespace {

/// Checks if a release such as "0.6.1" came before 0.7.0. Returns false for any other text.
bool before_0_7(std::string_view release) noexcept {
  unsigned parts[2] = {0, 0};
  for (unsigned& part : parts) {
    const auto [end, why] = std::from_chars(release.data(), release.data() + release.size(), part);
    if (why != std::errc()) return false;
    release.remove_prefix(static_cast<std::size_t>(end - release.data()));
    if (release.starts_with('.')) release.remove_prefix(1);
  }
  return parts[0] == 0 && parts[1] < 7;
}

}  // namespace

bool wrote_legacy_szip(const std::optional<std::string>& encoder, const std::optional<std::string>& release) noexcept {
  return (!encoder || *encoder == "tensogram") && (!release || before_0_7(*release));
}

bool wrote_legacy_szip(const cbor_view& reserved) {
  const auto name = reserved.at_path("encoder.name"), release = reserved.at_path("encoder.version");
  const auto text = [](const std::optional<cbor_view>& of) { return of ? std::optional(of->text()) : std::nullopt; };
  return wrote_legacy_szip(text(name), text(release));
}

}  // namespace detail
}  // namespace v0
}  // namespace tgmap

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <tgmap/metadata.hpp>
#include <variant>
#include <vector>

#include "core/text/text_sink.hpp"
#include "json/cbor_text.hpp"
#include "reports/json.hpp"

namespace tgmap::reports {

/// A limit on the JSON of some metadata: on its text, and separately on the memory used.
struct json_limit {
  std::uint64_t input = 0;      ///< bytes of the metadata
  std::uint64_t max_bytes = 0;  ///< the limit

  /// Returns the limit `asked` for, or 40 bytes per byte of metadata plus 64 KiB.
  static json_limit for_metadata(std::uint64_t input, const std::optional<std::uint64_t>& asked) noexcept;
};

/// A `json_stream` writes JSON of metadata piece by piece, in the format of the reference implementation. It writes
/// nothing more after the limit is exceeded.
/// Lifetime: borrows the sink.
class json_stream {
 public:
  struct member {
    std::string name;
    std::variant<cbor_view, json> what;
  };

  json_stream(core::text_sink& to, bool is_indented, const json_limit& limit);

  /// For containers, and names in sorted order.
  json_text::writer<>& writer() noexcept { return writer_; }

  void put(const cbor_view&);
  void put(const metadata&);        ///< an object with the visible keys
  void put(std::vector<member>&&);  ///< an object of members in any order; the last of equal names wins

  /// Returns the limit if it was exceeded. The text so far remains.
  const std::optional<json_limit>& exceeded() const noexcept { return limited_.exceeded(); }

 private:
  /// Counts the text that it passes on.
  class limited_sink final : public core::text_sink {
   public:
    limited_sink(core::text_sink& to, const json_limit& limit) : to_(to), limit_(limit) {}
    bool take(std::string_view text) override;
    void stop() { exceeded_ = limit_; }
    const std::optional<json_limit>& exceeded() const noexcept { return exceeded_; }

   private:
    core::text_sink& to_;
    json_limit limit_;
    std::uint64_t written_ = 0;
    std::optional<json_limit> exceeded_{};
  };

  limited_sink limited_;
  json_text::writer<> writer_;
  json_text::memory_limit keys_;
};

}  // namespace tgmap::reports

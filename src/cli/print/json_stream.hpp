// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <tgmap/metadata.hpp>
#include <variant>
#include <vector>

#include "cli/app/output.hpp"
#include "cli/print/json.hpp"
#include "core/text/text_sink.hpp"
#include "json/cbor_text.hpp"

namespace tgmap::cli {

/// A limit on the JSON of some metadata: on its text, and separately on the memory used.
struct json_limit {
  std::uint64_t input = 0;      ///< bytes of the metadata
  std::uint64_t max_bytes = 0;  ///< the limit

  /// Returns the limit `asked` for, or 40 bytes per byte of metadata plus 64 KiB.
  static json_limit for_metadata(std::uint64_t input, const std::optional<std::uint64_t>& asked) noexcept;
};

/// Writes JSON of metadata piece by piece to the output, in the format of the reference implementation.
/// Errors: cli_error if the limit is exceeded; the output so far remains.
class json_stream {
 public:
  struct member {
    std::string name;
    std::variant<cbor_view, json> what;
  };

  json_stream(output& to, bool is_indented, const json_limit& limit);

  /// For containers, and names in sorted order.
  json_text::writer<>& writer() noexcept { return writer_; }

  void put(const cbor_view&);
  void put(const metadata&);        ///< an object with the visible keys
  void put(std::vector<member>&&);  ///< an object of members in any order; the last of equal names wins

 private:
  /// Counts the text that it passes on.
  class limited_output final : public core::text_sink {
   public:
    limited_output(output& to, const json_limit& limit) : to_(to), limit_(limit) {}
    bool take(std::string_view text) override;
    [[noreturn]] void refuse() const;

   private:
    output& to_;
    json_limit limit_;
    std::uint64_t written_ = 0;
  };

  limited_output limited_;
  json_text::writer<> writer_;
  json_text::memory_limit keys_;
};

}  // namespace tgmap::cli

// SPDX-License-Identifier: Apache-2.0
// What manuals are made of, whether they came from Markdown or from the declarations of the options.
#pragma once

#include <string>
#include <utility>
#include <vector>

namespace tgmap::cli::manual {

enum class block_kind : unsigned char {
  heading,    ///< `text`, of `level` 1 and up
  paragraph,  ///< `text`
  list,       ///< `items`
  code,       ///< `text`: lines, shown as they are
  table,      ///< `rows`; the first one names the columns unless `named` is false
};

/// One block. Text, items and cells hold inline marks (see inline.hpp), code does not.
struct block {
  block_kind kind = block_kind::paragraph;
  int level = 0;
  std::string text{};
  std::vector<std::string> items{};
  std::vector<std::vector<std::string>> rows{};
  bool named = true;
};

using blocks = std::vector<block>;

inline block heading(int level, std::string text) { return {block_kind::heading, level, std::move(text)}; }
inline block paragraph(std::string text) { return {block_kind::paragraph, 0, std::move(text)}; }

/// Terms and what they mean.
inline block definitions(std::vector<std::vector<std::string>> rows) {
  return {block_kind::table, 0, {}, {}, std::move(rows), false};
}

}  // namespace tgmap::cli::manual

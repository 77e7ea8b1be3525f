// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <exception>
#include <functional>
#include <map>
#include <memory>
#include <span>
#include <tgmap/error.hpp>
#include <tgmap/write/sink.hpp>
#include <tgmap/write/writer.hpp>
#include <tuple>
#include <utility>
#include <vector>

#include "edit/output/output_set.hpp"

namespace tgmap::edit {

/// A `throwing_sink` is a sink whose functions may throw. A failure has no room for a file name, so the exception is
/// kept and can be thrown again after the writer has returned.
class throwing_sink : public sink {
 public:
  using sink::write;
  failure write(std::span<const std::span<const std::byte>>) noexcept final;
  failure overwrite(std::uint64_t at, std::span<const std::byte>) noexcept final;
  failure flush() noexcept final;

  /// Writes the gathered bytes. Errors: throws write_error.
  void finish() { write_gathered(); }

  /// Throws the exception behind the last failure, if there is one.
  void rethrow_error() const {
    if (error_) std::rethrow_exception(error_);
  }

  /// Throws for the failure of a writer to this sink: the exception behind it, or tgmap::error.
  void throw_if(const failure& why) const {
    if (!why) return;
    rethrow_error();
    throw error(why);
  }

 protected:
  /// Writes the pieces. May throw anything.
  virtual void write_pieces(std::span<const std::span<const std::byte>>) = 0;

  /// Changes bytes that were written. Only called if `can_overwrite`.
  virtual void overwrite_bytes(std::uint64_t, std::span<const std::byte>) {}

  /// Writes what was gathered, if anything. May throw anything.
  virtual void write_gathered() {}

 private:
  template <class Work>
  failure catch_errors(Work&&) noexcept;

  std::exception_ptr error_{};
};

/// An `output_sink` writes to an output file and gathers small pieces. `progress` receives the number of bytes written.
class output_sink final : public throwing_sink {
 public:
  explicit output_sink(output_set::output& to, std::function<void(std::uint64_t)> progress = {})
      : to_(&to), progress_(std::move(progress)) {}

  std::uint64_t bytes_written() const noexcept override { return to_->bytes_written() + buffer_.size(); }

  bool can_overwrite() const noexcept override { return to_->can_overwrite(); }

 private:
  void write_pieces(std::span<const std::span<const std::byte>>) override;
  void overwrite_bytes(std::uint64_t, std::span<const std::byte>) override;
  void write_gathered() override;

  output_set::output* to_;
  std::function<void(std::uint64_t)> progress_;
  std::vector<std::byte> buffer_{};
};

/// A `guarded_sink` writes to an output file what may lie in a mapped file that shrinks: it copies all pieces in blocks
/// under the mapping guard, so that a missing page is file_shrank.
class guarded_sink final : public throwing_sink {
 public:
  explicit guarded_sink(output_set::output& to) : to_(to) {}

 private:
  void write_pieces(std::span<const std::span<const std::byte>>) override;
  void write_gathered() override;

  output_set::output& to_;
  std::vector<std::byte> block_ = std::vector<std::byte>(std::size_t{1} << 18);
  std::size_t size_ = 0;  ///< used bytes of the block
};

/// A `writer_cache` keeps one writer for each message layout, so that messages of mixed layouts reuse memory.
class writer_cache {
 public:
  /// Lifetime: the sink must outlive the cache.
  explicit writer_cache(throwing_sink& to) noexcept : to_(&to) {}

  /// Errors: throws tgmap::error and the exceptions of the sink.
  void write(const stored_message&);

 private:
  throwing_sink* to_;
  std::map<std::tuple<int, bool, index_placement, index_placement>, std::unique_ptr<writer>> writers_{};
};

}  // namespace tgmap::edit

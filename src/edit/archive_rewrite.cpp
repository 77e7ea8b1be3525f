// SPDX-License-Identifier: Apache-2.0
#include "edit/archive_rewrite.hpp"

#include <span>
#include <utility>
#include <vector>

#include "edit/message_failure.hpp"
#include "edit/output/output_location.hpp"
#include "edit/output/output_sink.hpp"
#include "edit/output/range_copier.hpp"

namespace tgmap {

namespace edit {

namespace {

constexpr std::uint64_t min_system_copy = std::uint64_t{256} << 10;  // smaller ranges are gathered

/// Bytes scanned ahead: faster than message by message, and small enough to stay in a cache until they are used.
constexpr std::uint64_t scan_ahead = std::uint64_t{1} << 20;

/// Writes new messages and copies of ranges to one file.
class rewrite_writer {
 public:
  /// Lifetime: both arguments must outlive this object.
  rewrite_writer(const copy_source& from, output_set::output& to) : from_(&from), to_(&to), sink_(to) {}

  /// Appends a message. Errors: throws tgmap::error, write_error.
  void write(const stored_message& what) {
    write_range();
    writers_.write(what);
  }

  /// Appends a range of the archive and joins adjacent ranges. Errors: as `write`.
  void copy(std::uint64_t offset, std::uint64_t length) {
    if (offset != end_) {
      write_range();
      begin_ = offset;
    }
    end_ = offset + length;
  }

  void finish() {
    write_range();
    sink_.finish();
  }

 private:
  void write_range() {
    const std::uint64_t length = end_ - begin_, begin = std::exchange(begin_, end_);
    if (length == 0) return;
    if (length >= min_system_copy) {
      sink_.finish();
      copier_.copy(*from_, begin, length, *to_);
      return copier_.finish();
    }
    block_.resize(static_cast<std::size_t>(length));
    from_->from.read(begin, block_);
    sink_.throw_if(sink_.write(std::span<const std::byte>(block_)));
  }

  const copy_source* from_;
  output_set::output* to_;
  output_sink sink_;
  writer_cache writers_{sink_};
  range_copier copier_{};
  std::uint64_t begin_ = 0, end_ = 0;  ///< the pending range
  std::vector<std::byte> block_{};
};

/// One run over one archive.
class archive_rewriter {
 public:
  archive_rewriter(const copy_source& from, output_set::output& to, const message_change& change,
                   const rewrite_options& how)
      : source_(from), to_(from, to), file_(to), change_(change), how_(how) {}

  rewrite_result run(failure& why) {
    const archive& from = source_.from;
    for (std::size_t i = 0; goes_on_; ++i) {
      result_.stopped = how_.stop.stop_requested();
      if (result_.stopped) break;
      if (const progress p = from.scan_progress(); i >= p.messages && !p.is_complete) from.scan(scan_ahead);
      failure unread;
      const message m = from.at(i, unread);
      if (unread.code == make_error_code(errc::out_of_range)) break;
      if (unread) throw error(unread);
      if (how_.progress) how_.progress(m.offset());
      add(m);
    }
    if (how_.keep_gaps && !result_.stopped) to_.copy(last_end_, from.size_bytes() - last_end_);
    to_.finish();
    result_.bytes = file_.bytes_written();
    why = first_;
    return result_;
  }

 private:
  void add(const message& m) {
    if (how_.keep_gaps) to_.copy(last_end_, m.offset() - last_end_);
    last_end_ = m.offset() + m.length();
    if (m.is_incomplete() && !how_.keep_gaps) {
      ++result_.left_out;
      if (how_.left_out) how_.left_out(m);
      return;
    }
    ++result_.messages;
    if (!m.is_incomplete() && write_changed(m))
      ++result_.changed;
    else
      to_.copy(m.offset(), m.length());
  }

  /// Writes the new form of a message. Returns false if the message is not selected or does not change.
  bool write_changed(const message& m) {
    failure why;
    if (!how_.selection.selects_all() && !how_.selection.matches(m, why)) return why && fail(m, why);
    ++result_.selected;
    changed_.mismatches.clear();
    bool is_changed = false;
    try {
      is_changed = change_(m, changed_, why);
    } catch (const error& thrown) {
      why = thrown.details();
    }
    if (why) {
      if (how_.damaged == on_mismatch::refuse) throw_damage(m, why);
      return fail(m, why);
    }
    if (!is_changed) return false;
    for (const failure& each : changed_.mismatches) accept(m, each);
    try {
      to_.write(changed_);
      return true;
    } catch (const error& thrown) {
      return fail(m, thrown.details());
    }
  }

  /// Throws the damage that caused the failure of a message, if there is any.
  void throw_damage(const message& m, const failure& why) const {
    if (why.code == make_error_code(errc::hash_mismatch)) accept(m, why);
    for (const failure& each : changed_.mismatches) accept(m, each);
  }

  /// Errors: throws tgmap::error, unless damage is taken.
  void accept(const message& m, const failure& damage) const {
    if (how_.damage) how_.damage(m, damage);
    if (how_.damaged == on_mismatch::refuse) throw error(failure_in(m, damage));
  }

  /// Notes the failure of a message. Returns false.
  bool fail(const message& m, const failure& why) {
    if (!first_) first_ = failure_in(m, why);
    goes_on_ = how_.failed && how_.failed(m, why);
    return false;
  }

  const copy_source& source_;
  rewrite_writer to_;
  output_set::output& file_;
  const message_change& change_;
  const rewrite_options& how_;
  rewrite_result result_{};
  stored_message changed_{};
  failure first_{};
  bool goes_on_ = true;
  std::uint64_t last_end_ = 0;  ///< of the previous message
};

}  // namespace

rewrite_result rewrite_archive(const copy_source& from, output_set::output& to, const message_change& change,
                               const rewrite_options& how, failure& why) {
  return archive_rewriter(from, to, change, how).run(why);
}

}  // namespace edit

inline namespace v0 {

rewrite_result rewrite(const archive& from, const std::filesystem::path& to, const message_change& change,
                       const rewrite_options& how, failure& why) {
  rewrite_result out;
  why = {};
  try {
    edit::output_set outputs(how.output);
    edit::output_set::output& file = outputs.open(edit::output_name(to));
    out = edit::rewrite_archive({.from = from, .name = {}, .descriptor = how.descriptor}, file, change, how, why);
    if (why || out.stopped) return out;
    if (out.messages == 0) why = {.code = errc::not_a_message};
    if (!why && how.verify && !how.output.dry_run) how.verify(file.descriptor(), why);
    if (!why) outputs.commit();
  } catch (const edit::write_error& thrown) {
    why = thrown.fault().why;
    out.failed_output = thrown.fault().name;
  } catch (const error& thrown) {
    why = thrown.details();
  }
  return out;
}

rewrite_result rewrite(const archive& from, const std::filesystem::path& to, const message_change& change,
                       const rewrite_options& how) {
  failure why;
  const rewrite_result out = rewrite(from, to, change, how, why);
  edit::throw_naming(why, out.failed_output);
  return out;
}

}  // namespace v0
}  // namespace tgmap

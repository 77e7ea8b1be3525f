// SPDX-License-Identifier: Apache-2.0
// Imports: inputs that give few bytes at a time or fail, small batches, and what observers learn.
#include <algorithm>
#include <boost/test/unit_test.hpp>
#include <cstring>
#include <filesystem>
#include <stdexcept>
#include <string>
#include <support/bytes.hpp>
#include <support/temporary.hpp>
#include <tgmap/archive.hpp>
#include <tgmap/bridge/grib_export.hpp>
#include <tgmap/bridge/grib_import.hpp>
#include <tgmap/write/sink.hpp>
#include <vector>

#include "../needs_eccodes.hpp"
#include "../sections/grib_files.hpp"

BOOST_AUTO_TEST_SUITE(import_grib_)

using namespace tgmap;
using namespace tgmap::bridge;
using namespace tgmap_test;

namespace {

std::span<const std::byte> view(const bytes& of) { return std::as_bytes(std::span(of.data(), of.size())); }

/// An input that gives at most `step` bytes at a time, and fails at an offset.
class slow_input final : public grib_input {
 public:
  slow_input(bytes content, std::size_t step, std::size_t fails_at = SIZE_MAX)
      : content_(std::move(content)), step_(step), fails_at_(fails_at) {}

  std::size_t read(std::span<std::byte> out, failure& why) noexcept override {
    why = {};
    largest_read = std::max(largest_read, out.size());
    if (position_ >= fails_at_) {
      why = {.code = std::make_error_code(std::errc::io_error)};
      return 0;
    }
    const std::size_t count =
        std::min({out.size(), step_, content_.size() - position_, std::max<std::size_t>(fails_at_ - position_, 1)});
    std::memcpy(out.data(), content_.data() + position_, count);
    position_ += count;
    return count;
  }

  std::size_t largest_read = 0;  ///< bytes that were asked for at once

 private:
  bytes content_;
  std::size_t step_, fails_at_, position_ = 0;
};

/// Keeps everything that it learns.
class recording_observer final : public grib_import_observer {
 public:
  struct seen_field {
    std::size_t input, field;
    std::uint64_t offset, message, object;
    std::error_code code;
    std::string method;
  };
  void field(const grib_field_report& of) override {
    fields.push_back({of.input, of.field, of.offset, of.message, of.object, of.why.code, std::string(of.method)});
  }
  void skipped(std::size_t input, std::uint64_t offset, std::uint64_t size) override {
    gaps.push_back({input, offset, size});
  }
  void input_failed(std::size_t input, const failure&) override { failed.push_back(input); }
  void progress(std::uint64_t bytes) override { done = bytes; }

  std::vector<seen_field> fields;
  struct gap {
    std::uint64_t input, offset, size;
  };
  std::vector<gap> gaps;
  std::vector<std::size_t> failed;
  std::uint64_t done = 0;
};

/// Throws at the second field.
class throwing_observer final : public grib_import_observer {
 public:
  void field(const grib_field_report&) override {
    if (++fields == 2) throw std::runtime_error("enough");
  }
  int fields = 0;
};

/// Refuses everything.
class full_sink final : public sink {
 public:
  failure write(std::span<const std::span<const std::byte>>) noexcept override {
    return {.code = std::make_error_code(std::errc::no_space_on_device)};
  }
};

struct imported {
  std::vector<std::byte> archive;
  grib_import_result result;
  failure why;
};

imported import_from(std::vector<grib_input*> inputs, const grib_import_options& options,
                     grib_import_observer& observer) {
  imported out;
  memory_sink to;
  writer into(to);
  out.result = import_grib(inputs, into, options, observer, out.why);
  out.archive = to.release();
  return out;
}

bytes export_all(const std::vector<std::byte>& of) {
  const archive from = archive::from_memory(of);
  memory_sink to;
  grib_exporter out(to);
  for (const tgmap::message& m : from)
    for (std::size_t j = 0; j < m.size(); ++j) out.add(from, m, j);
  out.finish();
  return {reinterpret_cast<const char*>(to.bytes().data()), to.bytes().size()};
}

}  // namespace

BOOST_AUTO_TEST_CASE(batches_and_reads_of_any_size_give_the_same_archive) {
  if (!has_eccodes()) return;
  const bytes one = grib_file("simple_16"), two = grib_file("several_fields"), three = grib_file("edition_1_ieee");
  const bytes content = "before" + one + "between" + two + three + one + "behind";
  for (const std::uint64_t batch : {1ULL, 5000ULL, 1ULL << 20U})
    for (const std::size_t step : {std::size_t{1}, std::size_t{7}, std::size_t{4096}, SIZE_MAX})
      for (const unsigned threads : {1U, 3U}) {
        BOOST_TEST_CONTEXT("batch " << batch << " step " << step << " threads " << threads) {
          slow_input from(content, step);
          recording_observer seen;
          const auto workers = make_thread_executor(threads);
          const imported made = import_from({&from}, {.batch_bytes = batch, .workers = workers.get()}, seen);
          BOOST_TEST_REQUIRE(!made.why, made.why.text());
          BOOST_TEST(made.result.fields == 7u);
          BOOST_TEST(made.result.failed_fields == 0u);
          BOOST_TEST(made.result.bytes_in == content.size());
          BOOST_TEST(made.result.skipped_bytes == 19u);
          BOOST_TEST(seen.done == content.size());
          BOOST_TEST_REQUIRE(seen.gaps.size() == 3u);
          BOOST_TEST(seen.gaps[1].offset == 6 + one.size());
          BOOST_TEST(seen.gaps[1].size == 7u);
          for (std::size_t i = 0; i < seen.fields.size(); ++i) BOOST_TEST(seen.fields[i].message == i);
          BOOST_TEST((export_all(made.archive) == one + two + three + one));
        }
      }
}

BOOST_AUTO_TEST_CASE(eccodes_is_asked_once_for_equal_sections) {
  if (!has_eccodes()) return;
  bytes content;
  for (int i = 0; i < 20; ++i) content += grib_file("simple_16") + grib_file("simple_24");  // the same sections 1 to 4
  grib_memory_input from(view(content));
  recording_observer seen;
  const imported made = import_from({&from}, {}, seen);
  BOOST_TEST(made.result.fields == 40u);
  BOOST_TEST(made.result.key_calls == 1u);
}

BOOST_AUTO_TEST_CASE(an_input_that_fails_is_reported_and_others_are_read) {
  if (!has_eccodes()) return;
  const bytes one = grib_file("simple_16");
  slow_input broken(one + one, 500, one.size() + 100), sound(one, SIZE_MAX);
  recording_observer seen;
  const imported made = import_from({&broken, &sound}, {}, seen);
  BOOST_TEST(!made.why);
  BOOST_TEST(made.result.failed_inputs == 1u);
  BOOST_TEST(seen.failed == std::vector<std::size_t>{0}, boost::test_tools::per_element());
  BOOST_TEST_REQUIRE(seen.fields.size() == 2u);
  BOOST_TEST(seen.fields[0].input == 0u);
  BOOST_TEST(seen.fields[1].input == 1u);
}

// The memory of a long message is used again for later batches, which do not fill it.
BOOST_AUTO_TEST_CASE(batches_behind_a_long_message_are_short) {
  if (!has_eccodes()) return;
  const auto message_of = [](std::uint32_t local) {  // without fields
    bytes out("GRIB\0\0\0\2\0\0\0\0", 12), section;
    const auto number = [](std::uint32_t of) {
      bytes four;
      for (int shift = 24; shift >= 0; shift -= 8) four += static_cast<char>(of >> shift & 0xFF);
      return four;
    };
    if (local > 0) section = number(local) + '\2' + bytes(local - 5, 'x');
    out += number(41 + local) + bytes("\0\0\0\x15\1", 5) + bytes(16, '\0');
    return out + section + "7777";
  };
  bytes content = message_of(12U << 20U);
  const bytes empty = message_of(0);
  for (int i = 0; i < 200'000; ++i) content += empty;
  slow_input input(content + grib_file("simple_16"), SIZE_MAX);
  grib_import_observer silent;
  const imported made = import_from({&input}, {.batch_bytes = 1U << 20U}, silent);
  BOOST_TEST(!made.why);
  BOOST_TEST(made.result.fields == 1u);
  BOOST_TEST(made.result.failed_fields == 200'001u);
  BOOST_TEST(input.largest_read <= 1U << 20U);
}

BOOST_AUTO_TEST_CASE(a_file_that_was_replaced_is_not_read_again) {
  const temporary_directory files;
  const auto path = files.file("a.grib", grib_file("simple_16"));
  grib_file_input input{std::filesystem::path(path)};
  std::vector<std::byte> all(1U << 20U);
  failure why;
  const std::size_t size = input.read(all, why);
  BOOST_TEST_REQUIRE((!why && size > 100));
  BOOST_TEST(input.read(all, why) == 0u);
  std::vector<std::byte> again(50);
  input.read_again(10, again, why);
  BOOST_TEST((!why && std::equal(again.begin(), again.end(), all.begin() + 10)));
  std::filesystem::rename(files.file("b.grib", grib_file("simple_16")), path);
  input.read_again(10, again, why);
  BOOST_TEST((why.code == tgmap::errc::source_changed), why.text());
}

BOOST_AUTO_TEST_CASE(merging_needs_an_input_that_can_be_read_again) {
  if (!has_eccodes()) return;
  slow_input once(grib_file("simple_16"), SIZE_MAX);
  recording_observer seen;
  const imported made = import_from({&once}, {.merge = {"step"}}, seen);
  BOOST_TEST(!made.why);
  BOOST_TEST(made.result.fields == 0u);
  BOOST_TEST(made.result.failed_inputs == 1u);
}

BOOST_AUTO_TEST_CASE(merged_fields_keep_their_order) {
  if (!has_eccodes()) return;
  const bytes a = grib_file("simple_16"), b = grib_file("edition_1_16"), c = grib_file("simple_24");
  const bytes first = a + b, second = c + b;
  grib_memory_input one(view(first)), two(view(second));
  for (const std::uint64_t batch : {1ULL, 1ULL << 20U}) {
    recording_observer seen;
    grib_memory_input again_one(view(first)), again_two(view(second));
    const imported made = import_from({&again_one, &again_two}, {.merge = {"step"}, .batch_bytes = batch}, seen);
    BOOST_TEST(made.result.fields == 4u);
    const archive written = archive::from_memory(made.archive);
    BOOST_TEST_REQUIRE(written.size() == 2u);
    BOOST_TEST(written[0].size() == 2u);
    BOOST_TEST((export_all(made.archive) == a + c + b + b));
  }
}

BOOST_AUTO_TEST_CASE(observers_and_sinks_end_an_import) {
  if (!has_eccodes()) return;
  const bytes content = grib_file("simple_16") + grib_file("simple_24") + grib_file("ccsds_16");
  grib_memory_input from(view(content));
  grib_input* const inputs[] = {&from};
  memory_sink to;
  writer into(to);
  throwing_observer thrower;
  BOOST_CHECK_THROW(import_grib(inputs, into, {}, thrower), std::runtime_error);
  BOOST_TEST(thrower.fields == 2);

  grib_memory_input again(view(content));
  grib_input* const same[] = {&again};
  full_sink full;
  writer into_full(full);
  failure why;
  import_grib(same, into_full, why);
  BOOST_TEST((why.code == std::errc::no_space_on_device));
}

BOOST_AUTO_TEST_CASE(options_are_checked) {
  if (!has_eccodes()) return;
  memory_sink to;
  writer into(to);
  failure why;
  import_grib({}, into, {.namespaces = {"nothing"}}, why);
  BOOST_TEST((why.code == tgmap::errc::invalid_option));
  const grib_import_result none = import_grib({}, into);
  BOOST_TEST(none.fields == 0u);
}

BOOST_AUTO_TEST_CASE(exports_notice_edited_keys) {
  if (!has_eccodes()) return;
  const bytes content = grib_file("simple_16");
  grib_memory_input from(view(content));
  recording_observer nobody;
  const imported made = import_from({&from}, {}, nobody);
  const archive written = archive::from_memory(made.archive);
  stored_message copy;
  copy.load(written[0]);
  stored_object& only = std::get<stored_object>(copy.content.objects[0]);
  for (const char* const key : {"comment", "mars.step", "name"}) {
    const cbor_value before = only.base;
    only.base.set(key, 7);
    const std::vector<std::byte> edited = to_bytes(copy.content);
    const archive changed = archive::from_memory(edited);
    memory_sink to;
    grib_exporter out(to);
    failure why;
    out.add(changed, changed[0], 0, why);
    const bool is_foreign = std::string(key) == "comment";
    BOOST_TEST((why.code == (is_foreign ? std::error_code() : make_error_code(bridge::errc::keys_edited))), key);
    BOOST_TEST(out.messages() == (is_foreign ? 1u : 0u));
    only.base = before;
  }
}

BOOST_AUTO_TEST_SUITE_END()

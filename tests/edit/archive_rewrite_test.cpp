// SPDX-License-Identifier: Apache-2.0
// Archives with changes: tgmap::rewrite.
#include <fcntl.h>
#include <unistd.h>

#include <boost/test/unit_test.hpp>
#include <stdexcept>
#include <support/failures.hpp>
#include <support/selection_samples.hpp>
#include <support/temporary.hpp>
#include <tgmap/tools/index.hpp>
#include <tgmap/tools/rewrite.hpp>
#include <vector>

using namespace tgmap_test;
using tgmap::archive;
using tgmap::errc;
using tgmap::failure;
using tgmap::on_mismatch;
using tgmap::stored_message;

namespace {

bool keep(const tgmap::message&, stored_message&, failure&) { return false; }

/// Sets "note" of the whole message.
bool add_note(const tgmap::message& m, stored_message& out, failure& why) {
  out.load(m, on_mismatch::take, why);
  if (!why) out.content.extra.set("note", tgmap::cbor_value("new"));
  return !why;
}

std::string notes(const std::filesystem::path& file) {
  std::string out;
  for (const tgmap::message& m : archive(file)) {
    tgmap::key_lookup keys(m);
    const auto found = keys.find(tgmap::metadata_key("extra.note"));
    out += (out.empty() ? "" : " ") + (found ? found.text() : std::string("-"));
  }
  return out;
}

/// Two messages with hashes; in the second one the metadata has another byte than its hash says.
bytes damaged_metadata() {
  bytes second = two_named_objects();
  second[second.find("title")] = 'T';
  return two_named_objects() + second;
}

struct rewrite_fixture {
  temporary_directory files;
  std::filesystem::path in = files.file("in.tgm", six_messages()), out = files / "out.tgm";
};

}  // namespace

BOOST_FIXTURE_TEST_SUITE(archive_rewrites, rewrite_fixture)

BOOST_AUTO_TEST_CASE(selected_messages_change_and_others_stay_equal) {
  const archive from(in);
  const auto done = tgmap::rewrite(from, out, add_note, {.selection = tgmap::selection("mars.step=6")});
  BOOST_TEST(done.messages == 6u);
  BOOST_TEST(done.selected == 2u);
  BOOST_TEST(done.changed == 2u);
  BOOST_TEST(done.bytes == std::filesystem::file_size(out));
  BOOST_TEST(notes(out) == "- - new new - -");
  const bytes before = read_file(in), after = read_file(out);
  const std::uint64_t unchanged = from[2].offset();
  BOOST_TEST((after.substr(0, unchanged) == before.substr(0, unchanged)));
}

BOOST_AUTO_TEST_CASE(without_changes_the_bytes_are_equal) {
  const bytes gaps = "xx" + six_messages() + "yyy" + six_messages() + six_messages().substr(0, 100);
  const auto file = files.file("gaps.tgm", gaps);
  const archive from(file, {.damage = tgmap::on_damage::skip});
  for (const bool by_system : {false, true}) {
    const int descriptor = by_system ? ::open(file.c_str(), O_RDONLY | O_CLOEXEC) : -1;
    std::uint64_t left_out = 0;
    const auto count = [&](const tgmap::message& m) { left_out += m.is_incomplete() ? 1u : 0u; };
    const auto kept = tgmap::rewrite(from, out, keep, {.keep_gaps = true, .descriptor = descriptor, .left_out = count});
    BOOST_TEST((read_file(out) == gaps));
    BOOST_TEST(kept.changed == 0u);
    BOOST_TEST(left_out == 0u);
    const auto clean = tgmap::rewrite(from, out, keep, {.descriptor = descriptor, .left_out = count});
    BOOST_TEST((read_file(out) == six_messages() + six_messages()));
    BOOST_TEST(clean.messages == 12u);
    BOOST_TEST(clean.left_out == left_out);
    if (descriptor >= 0) ::close(descriptor);
  }
  failure why;
  tgmap::rewrite(archive(file), out, keep, why);  // numbers end at the gap
  TGMAP_FAILED(why, errc::damaged);
}

BOOST_AUTO_TEST_CASE(an_archive_is_replaced_by_itself) {
  tgmap::write_index(in);
  const archive from(in);
  std::string removed;
  const auto note = [&](const std::filesystem::path& file, const failure& why) {
    removed = why ? "failed" : file.filename().string();
  };
  BOOST_TEST(tgmap::rewrite(from, in, add_note, {.output = {.index_removed = note}}).changed == 6u);
  BOOST_TEST(notes(in) == "new new new new new new");
  BOOST_TEST(from.size() == 6u);
  BOOST_TEST(removed == "in.tgm");
  BOOST_TEST(!std::filesystem::exists(tgmap::index_path(in)));
  tgmap::rewrite(archive(in), out, keep, {.output = {.write_index = true}});
  BOOST_TEST(archive(out).index_status().is_current);
}

BOOST_AUTO_TEST_CASE(outputs_are_refused) {
  write_file(out, "old");
  const archive from(in);
  failure why;
  auto done = tgmap::rewrite(from, out, keep, {.output = {.replace = false}}, why);
  BOOST_TEST(why.code.value() == EEXIST);
  BOOST_TEST(done.failed_output == out);
  const auto no = [](const std::filesystem::path&) { return false; };
  tgmap::rewrite(from, out, keep, {.output = {.may_replace = no}}, why);
  BOOST_TEST(why.code.value() == ECANCELED);
  done = tgmap::rewrite(from, files / "gone" / "o.tgm", keep, why);
  BOOST_TEST(why.code.value() == ENOENT);
  BOOST_CHECK_EXCEPTION(tgmap::rewrite(from, files / "gone" / "o.tgm", keep), tgmap::error, [&](const auto& thrown) {
    return std::string_view(thrown.what()).starts_with("cannot write '" + (files / "gone" / "o.tgm").string() + "': ");
  });
  done = tgmap::rewrite(from, "/dev/null", keep, {.output = {.write_index = true}}, why);
  TGMAP_FAILED(why, errc::invalid_option);
  BOOST_TEST(read_file(out) == "old");
  const auto dry = tgmap::rewrite(from, out, add_note, {.output = {.dry_run = true}});
  BOOST_TEST(dry.changed == 6u);
  BOOST_TEST(dry.bytes > std::filesystem::file_size(in));
  BOOST_TEST(read_file(out) == "old");
}

BOOST_AUTO_TEST_CASE(a_failed_message_keeps_the_output_from_appearing) {
  const auto fail_some = [](const tgmap::message& m, stored_message&, failure& why) {
    if (*m.index() == 4) throw tgmap::error({.code = errc::codec_failed});
    if (*m.index() % 2 == 1) why = {.code = errc::bad_descriptor};
    return false;
  };
  std::vector<std::uint64_t> failed;
  failure why;
  const auto note = [&](const tgmap::message& m, const failure&) {
    failed.push_back(*m.index());
    return failed.size() < 3;
  };
  tgmap::rewrite(archive(in), out, fail_some, {.failed = note}, why);
  BOOST_TEST((failed == std::vector<std::uint64_t>{1, 3, 4}));
  TGMAP_FAILED(why, errc::bad_descriptor);
  BOOST_TEST(*why.message == 1u);
  TGMAP_THROWS(tgmap::rewrite(archive(in), out, fail_some), errc::bad_descriptor);
  const auto throws = [](const tgmap::message&, stored_message&, failure&) -> bool { throw std::logic_error("mine"); };
  BOOST_CHECK_THROW(tgmap::rewrite(archive(in), out, throws, why), std::logic_error);
  BOOST_TEST(!std::filesystem::exists(out));
}

BOOST_AUTO_TEST_CASE(damage_is_refused_or_taken) {
  const auto file = files.file("damaged.tgm", damaged_metadata());
  const archive from(file);
  failure why;
  tgmap::rewrite(from, out, add_note, why);
  TGMAP_FAILED(why, errc::hash_mismatch);
  BOOST_TEST(*why.message == 1u);
  BOOST_TEST(!std::filesystem::exists(out));
  std::size_t seen = 0;
  const auto count = [&](const tgmap::message& m, const failure& each) {
    seen += each.code == errc::hash_mismatch && *m.index() == 1 ? 1u : 0u;
  };
  tgmap::rewrite(from, out, add_note, {.damaged = on_mismatch::take, .damage = count});
  BOOST_TEST(seen == 1u);
  BOOST_TEST(notes(out) == "new new");
  tgmap::rewrite(from, out, keep);  // copied as it is
  BOOST_TEST((read_file(out) == damaged_metadata()));
}

BOOST_AUTO_TEST_CASE(the_output_is_checked_before_it_appears) {
  failure why;
  const auto refuse = [](int, failure& bad) { bad = {.code = errc::not_representable}; };
  tgmap::rewrite(archive(in), out, keep, {.verify = refuse}, why);
  TGMAP_FAILED(why, errc::not_representable);
  BOOST_TEST(!std::filesystem::exists(out));
  std::size_t messages = 0;
  const auto count = [&](int descriptor, failure& bad) { messages = archive::from_descriptor(descriptor).size(bad); };
  tgmap::rewrite(archive(in), out, keep, {.verify = count});
  BOOST_TEST(messages == 6u);
}

BOOST_AUTO_TEST_CASE(it_ends_after_a_stop_request) {
  std::stop_source stop;
  const auto ask = [&](const tgmap::message& m, stored_message&, failure&) {
    if (*m.index() == 2) stop.request_stop();
    return false;
  };
  std::uint64_t last = 0;
  const auto progress = [&](std::uint64_t done) { last = done; };
  const auto done = tgmap::rewrite(archive(in), out, ask, {.progress = progress, .stop = stop.get_token()});
  BOOST_TEST(done.stopped);
  BOOST_TEST(done.messages == 3u);
  const archive from(in);
  BOOST_TEST(last == from[2].offset());
  BOOST_TEST(!std::filesystem::exists(out));
}

BOOST_AUTO_TEST_CASE(an_archive_without_messages_is_not_written) {
  const auto empty = files.file("empty.tgm", "");
  TGMAP_THROWS(tgmap::rewrite(archive(empty), out, keep), errc::not_a_message);
  BOOST_TEST(!std::filesystem::exists(out));
}

BOOST_AUTO_TEST_SUITE_END()

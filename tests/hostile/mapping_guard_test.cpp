// SPDX-License-Identifier: Apache-2.0
// SIGBUS becomes an error only if the program installed the guard.
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <boost/test/unit_test.hpp>
#include <cstdlib>
#include <support/failures.hpp>
#include <support/numbered.hpp>
#include <support/process/child.hpp>
#include <support/temporary.hpp>
#include <thread>
#include <vector>

using namespace tgmap_test;
using tgmap::errc;
using tgmap::failure;
namespace mapping_guard = tgmap::mapping_guard;

BOOST_AUTO_TEST_SUITE(mapping_guard_test)

namespace {

/// A mapped payload whose file was truncated to 0 bytes.
struct truncated_file {
  truncated_file() { std::filesystem::resize_file(path, 0); }
  unsigned first() const noexcept {
    return static_cast<unsigned>(*static_cast<const volatile std::byte*>(payload.data()));
  }

  temporary_directory temporary{};
  std::filesystem::path path = temporary.file("a.tgm", several(0, 2, 20000));
  tgmap::archive archive{path, {.io = tgmap::io_mode::map}};
  std::span<const std::byte> payload = archive[1][0].payload();
};

volatile sig_atomic_t handled = 0;

}  // namespace

BOOST_AUTO_TEST_CASE(without_a_guard_a_view_raises_the_signal) {
  const truncated_file file;
  BOOST_TEST(ended([&] { (void)file.first(); }) == 128 + SIGBUS);
  BOOST_TEST(ended([&] { (void)mapping_guard::run([&]() noexcept { (void)file.first(); }); }) == 128 + SIGBUS);
}

BOOST_AUTO_TEST_CASE(outside_of_run_the_signal_is_unchanged) {
  const truncated_file file;
  BOOST_TEST(ended([&] {
               (void)mapping_guard::install();
               (void)file.first();
             }) == 128 + SIGBUS);
  BOOST_TEST(ended([&] {
               (void)mapping_guard::install();
               ::raise(SIGBUS);
             }) == 128 + SIGBUS);
  // A previous handler gets the signals that are not ours.
  BOOST_TEST(ended([&] {
               ::signal(SIGBUS, [](int) { std::_Exit(7); });
               (void)mapping_guard::install();
               (void)file.first();
             }) == 7);
  BOOST_TEST(ended([&] {
               struct sigaction wanted {};
               wanted.sa_flags = SA_SIGINFO;
               wanted.sa_sigaction = [](int, siginfo_t* info, void*) {
                 std::_Exit(info->si_code == BUS_ADRERR ? 8 : 9);
               };
               ::sigaction(SIGBUS, &wanted, nullptr);
               (void)mapping_guard::install();
               (void)file.first();
             }) == 8);
  BOOST_TEST(ended([&] {
               ::signal(SIGBUS, [](int) { handled = 1; });
               (void)mapping_guard::install();
               // Sent by another process, even during a guarded read: not caused by a page.
               const bool failed = static_cast<bool>(mapping_guard::run([]() noexcept { ::raise(SIGBUS); }));
               std::_Exit(handled == 1 && !failed ? 5 : 6);
             }) == 5);
}

BOOST_AUTO_TEST_CASE(threads_that_block_all_signals_are_protected) {
  const truncated_file file;
  BOOST_TEST(ended([&] {
               (void)mapping_guard::install();
               sigset_t all;
               ::sigfillset(&all);
               ::pthread_sigmask(SIG_BLOCK, &all, nullptr);
               unsigned failed = 0;
               const auto look = [&] { failed += mapping_guard::run([&]() noexcept { (void)file.first(); }) ? 1 : 0; };
               std::jthread(look).join();
               std::jthread(look).join();
               const tgmap::archive archive(file.temporary.file("b.tgm", several(0, 9, 5000)),
                                            {.io = tgmap::io_mode::map});
               // Blocked again: opening an archive, or any other batch, unblocks it.
               ::pthread_sigmask(SIG_BLOCK, &all, nullptr);
               (void)mapping_guard::is_installed();
               std::filesystem::resize_file(file.temporary / "b.tgm", 0);
               failure why;
               (void)archive.size(why);
               failed += why ? 1 : 0;
               look();
               std::_Exit(failed == 4 ? 0 : 1);
             }) == 0);
}

BOOST_AUTO_TEST_CASE(the_main_thread_may_block_all_signals) {
  const truncated_file file;
  BOOST_TEST(ended([&] {
               sigset_t all, others;
               ::sigfillset(&all);
               ::pthread_sigmask(SIG_BLOCK, &all, nullptr);
               (void)mapping_guard::install();
               const bool failed = static_cast<bool>(mapping_guard::run([&]() noexcept { (void)file.first(); }));
               // All other signals stay blocked.
               ::pthread_sigmask(SIG_BLOCK, nullptr, &others);
               const bool kept = ::sigismember(&others, SIGTERM) == 1 && ::sigismember(&others, SIGBUS) == 0;
               std::_Exit(failed && kept ? 0 : 1);
             }) == 0);
}

namespace {

void leave_with_7(int) { std::_Exit(7); }

/// Reads structure of an archive after the file was cut; returns true if every call fails.
bool fails_when_cut(const tgmap::archive& archive, const tgmap::object& known, const std::filesystem::path& path) {
  std::filesystem::resize_file(path, 0);
  failure scanned, described, decoded, verified;
  (void)archive.size(scanned);
  (void)known.descriptor(described);
  (void)known.decode({.byte_order = tgmap::output_byte_order::native}, decoded);
  (void)known.verify(verified);
  return scanned && described && decoded && verified;
}

/// An archive that is not scanned to its end, and an object whose elements must be swapped.
struct half_scanned_file {
  static constexpr std::size_t elements = 50000;  // enough for more than one thread

  half_scanned_file() { (void)archive[0]; }

  static bytes data() {
    object_spec swapped{.dtype = "float64", .shape = {elements}, .payload = payload_of(7, elements * 8)};
    swapped.byte_order = "big";
    return message({.objects = {swapped}}) + several(0, 20, 20000);
  }

  temporary_directory temporary{};
  std::filesystem::path path = temporary.file("a.tgm", data());
  tgmap::archive archive{path, {.io = tgmap::io_mode::map}};
  tgmap::object known = archive[0][0];
};

}  // namespace

BOOST_AUTO_TEST_CASE(a_handler_that_was_set_later_is_noticed) {
  // By opening an archive, and by a scan of one that was opened before.
  BOOST_TEST(ended([&] {
               (void)mapping_guard::install();
               ::signal(SIGBUS, leave_with_7);
               const half_scanned_file file;
               std::_Exit(fails_when_cut(file.archive, file.known, file.path) ? 0 : 1);
             }) == 0);
  BOOST_TEST(ended([&] {
               (void)mapping_guard::install();
               const half_scanned_file file;
               ::signal(SIGBUS, leave_with_7);
               std::_Exit(fails_when_cut(file.archive, file.known, file.path) ? 0 : 1);
             }) == 0);
  // By validation and by decode_many.
  BOOST_TEST(ended([&] {
               (void)mapping_guard::install();
               const half_scanned_file file;
               (void)file.archive.size();
               ::signal(SIGBUS, leave_with_7);
               std::filesystem::resize_file(file.path, 0);
               failure why;
               tgmap::validation_visitor ignored;
               (void)validate(file.archive, {.mode = tgmap::validation_mode::checksum}, ignored, why);
               std::_Exit(why ? 0 : 1);
             }) == 0);
  BOOST_TEST(ended([&] {
               (void)mapping_guard::install();
               const half_scanned_file file;
               ::signal(SIGBUS, leave_with_7);
               std::filesystem::resize_file(file.path, 0);
               std::vector<std::byte> memory(half_scanned_file::elements * 8);
               const std::span<std::byte> out(memory);
               failure why;
               (void)decode_many({&file.known, 1}, {&out, 1}, {}, why);
               std::_Exit(why ? 0 : 1);
             }) == 0);
}

BOOST_AUTO_TEST_CASE(the_installed_handler_is_read_from_the_system) {
  BOOST_TEST(
      ended([&] {
        bool is_expected = !mapping_guard::is_installed() && !mapping_guard::install() && mapping_guard::is_installed();
        struct sigaction ours {
        }, other{};
        other.sa_handler = leave_with_7;
        ::sigaction(SIGBUS, &other, &ours);
        is_expected = is_expected && !mapping_guard::is_installed();
        // A handler that may call ours is not called by ours.
        is_expected = is_expected && mapping_guard::install().code == std::error_code(EBUSY, std::system_category());
        ::sigaction(SIGBUS, &ours, nullptr);
        is_expected = is_expected && mapping_guard::is_installed() && !mapping_guard::install();
        // If there is no handler any more, ours is installed again.
        ::signal(SIGBUS, SIG_DFL);
        is_expected =
            is_expected && !mapping_guard::is_installed() && !mapping_guard::install() && mapping_guard::is_installed();
        std::_Exit(is_expected ? 0 : 1);
      }) == 0);
}

BOOST_AUTO_TEST_CASE(run_is_protected_if_a_later_handler_forwards) {
  const truncated_file file;
  static struct sigaction ours;
  BOOST_TEST(ended([&] {
               (void)mapping_guard::install();
               struct sigaction other {};
               other.sa_flags = SA_SIGINFO;
               other.sa_sigaction = [](int signal, siginfo_t* info, void* context) {
                 ours.sa_sigaction(signal, info, context);
               };
               ::sigaction(SIGBUS, &other, &ours);
               const bool failed = static_cast<bool>(mapping_guard::run([&]() noexcept { (void)file.first(); }));
               std::_Exit(failed ? 0 : 1);
             }) == 0);
}

BOOST_AUTO_TEST_CASE(a_signal_that_was_ignored_before_stays_ignored) {
  const truncated_file file;
  BOOST_TEST(ended([&] {
               ::signal(SIGBUS, SIG_IGN);
               (void)mapping_guard::install();
               ::raise(SIGBUS);
               const bool failed = static_cast<bool>(mapping_guard::run([&]() noexcept { (void)file.first(); }));
               std::_Exit(failed && mapping_guard::is_installed() ? 0 : 1);
             }) == 0);
  BOOST_TEST(ended([&] {
               ::signal(SIGBUS, SIG_IGN);
               (void)mapping_guard::install();
               (void)file.first();
             }) == 128 + SIGBUS);
}

BOOST_AUTO_TEST_CASE(run_returns_an_error_every_time) {
  const truncated_file file;
  BOOST_TEST(!mapping_guard::install());
  BOOST_TEST(!mapping_guard::install());
  BOOST_TEST(mapping_guard::is_installed());
  for (unsigned n = 0; n < 100; ++n) {
    unsigned reached = 0;
    TGMAP_FAILED(mapping_guard::run([&]() noexcept {
                   reached = 1;
                   (void)file.first();
                   reached = 2;
                 }),
                 errc::file_shrank);
    BOOST_TEST(reached == 1u);
    TGMAP_SUCCEEDED(mapping_guard::run([&]() noexcept { reached = 3; }));
    BOOST_TEST(reached == 3u);
  }
}

BOOST_AUTO_TEST_CASE(guards_nest) {
  const truncated_file file;
  BOOST_TEST(!mapping_guard::install());
  unsigned inner = 0, outer = 0;
  TGMAP_SUCCEEDED(mapping_guard::run([&]() noexcept {
    if (mapping_guard::run([&]() noexcept { (void)file.first(); })) inner = 1;
    outer = 1;
  }));
  BOOST_TEST(inner == 1u);
  BOOST_TEST(outer == 1u);
  TGMAP_FAILED(mapping_guard::run([&]() noexcept {
                 (void)mapping_guard::run([]() noexcept {});
                 (void)file.first();
               }),
               errc::file_shrank);
}

BOOST_AUTO_TEST_CASE(threads_are_guarded_independently) {
  const truncated_file file;
  BOOST_TEST(!mapping_guard::install());
  std::atomic<unsigned> failed{0};
  {
    std::vector<std::jthread> threads;
    for (unsigned t = 0; t < 8; ++t)
      threads.emplace_back([&] {
        for (unsigned n = 0; n < 50; ++n)
          if (mapping_guard::run([&]() noexcept { (void)file.first(); })) ++failed;
      });
  }
  BOOST_TEST(failed == 8u * 50u);
}

BOOST_AUTO_TEST_CASE(structure_is_the_same_through_a_guarded_mapping) {
  const temporary_directory temporary;
  const auto path = temporary.file("a.tgm", several(0, 20, 100));
  BOOST_TEST(!mapping_guard::install());
  const tgmap::archive mapped(path, {.io = tgmap::io_mode::map}), read(path, {.io = tgmap::io_mode::read});
  BOOST_REQUIRE(mapped.size() == read.size());
  for (std::size_t i = 0; i < mapped.size(); ++i) {
    BOOST_TEST(mapped[i].offset() == read[i].offset());
    BOOST_TEST(mapped[i][0].payload_offset() == read[i][0].payload_offset());
    BOOST_TEST(mapped[i][0].descriptor().element_count == read[i][0].descriptor().element_count);
  }
}

BOOST_AUTO_TEST_CASE(lost_keys_are_found_once_they_are_restored) {
  BOOST_TEST(!mapping_guard::install());
  message_spec spec;
  for (unsigned n = 0; n < 20; ++n) spec.objects.push_back(bytes_object(payload_of(n)));
  spec.extra = {cbor::key("long", cbor::text(bytes(20000, 'x'))), cbor::key("z", cbor::integer(7))};
  const bytes data = message(spec);
  const temporary_directory temporary;
  const auto path = temporary.file("a.tgm", data);
  const tgmap::archive archive(path, {.io = tgmap::io_mode::map});
  (void)archive[0][0].metadata();
  const auto keys = archive[0][1].metadata();  // of a message with a path cache
  std::filesystem::resize_file(path, 0);
  BOOST_TEST(!keys.find("z"));
  write_file(path, data);
  BOOST_TEST((keys.get<std::int64_t>("z") == 7));
  // Cached positions stay; their values read as null until the file has the bytes again.
  std::filesystem::resize_file(path, 0);
  BOOST_TEST(!keys.get<std::int64_t>("z"));
  write_file(path, data);
  BOOST_TEST((keys.get<std::int64_t>("z") == 7));
}

BOOST_AUTO_TEST_CASE(memory_that_may_change_is_read_under_the_guard) {
  BOOST_REQUIRE(!mapping_guard::install());
  const temporary_directory temporary;
  const bytes data = several(0, 30, 5000);
  const auto path = temporary.file("a.tgm", data);
  const tgmap::archive file(path, {.io = tgmap::io_mode::map});
  tgmap::failure why;
  const std::span<const std::byte> memory(file[0].bytes().data(), data.size());
  const auto known = tgmap::archive::from_memory(memory, tgmap::memory::may_change);
  const auto fresh = tgmap::archive::from_memory(memory, tgmap::memory::may_change);
  BOOST_TEST(known.is_in_memory());
  BOOST_TEST(known.size() == 30u);
  const tgmap::object object = known[20][0];
  BOOST_TEST(object.decode().size() == 5000u);
  const tgmap::metadata keys = known[20].base(0);
  std::filesystem::resize_file(path, 0);
  fresh.size(why);
  TGMAP_FAILED(why, errc::file_shrank);
  std::vector<std::byte> values(5000);
  object.decode_into(values, {}, why);
  TGMAP_FAILED(why, errc::file_shrank);
  TGMAP_FAILED(known.prefetch(object), errc::file_shrank);
  TGMAP_THROWS(object.verify(), errc::file_shrank);
  TGMAP_THROWS(tgmap::metadata_copy(keys), errc::file_shrank);
  TGMAP_THROWS(tgmap::selection("n=20").matches(known[20]), errc::file_shrank);
  tgmap::memory_sink sink;
  tgmap::writer out(sink);
  out.write(known[20], why);
  TGMAP_FAILED(why, errc::file_shrank);
  known.read(100, values, why);
  TGMAP_FAILED(why, errc::file_shrank);
}

BOOST_AUTO_TEST_CASE(a_truncated_last_page_is_not_read_as_zeros) {
  BOOST_REQUIRE(!mapping_guard::install());
  const temporary_directory temporary;
  for (const std::size_t numbers : {3000, 60000}) {  // copied, and read in place
    object_spec swapped{.dtype = "float32", .shape = {numbers}, .payload = payload_of(7, numbers * 4)};
    swapped.byte_order = "big";
    const auto path = temporary.file("a.tgm", message({.objects = {swapped}}));
    const tgmap::archive archive(path, {.io = tgmap::io_mode::map});
    const tgmap::object object = archive[0][0];
    BOOST_TEST(object.decode().size() == numbers);
    std::filesystem::resize_file(path, object.payload_offset() + object.payload_size() - 100);
    tgmap::failure why;
    object.decode({}, why);
    TGMAP_FAILED(why, errc::file_shrank);
    object.decode_range(numbers - 30, 20, {}, why);
    TGMAP_FAILED(why, errc::file_shrank);
  }
}

BOOST_AUTO_TEST_SUITE_END()

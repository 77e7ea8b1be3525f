// SPDX-License-Identifier: Apache-2.0
// Sends objects of an archive to a ZIO peer over the loopback, and records them in an archive, in comparison with
// libzmq alone.
#include <tgmap/zio/from_archive.hpp>
#include <tgmap/zio/socket.hpp>
#include <tgmap/zio/tens.hpp>
#include <tgmap/zio/tens_builder.hpp>
#include <tgmap/zio/to_archive.hpp>

#include <algorithm>
#include <chrono>
#include <fstream>
#include <memory>

#include "operations/operations.hpp"
#include "support/heap.hpp"
#include "support/write_target.hpp"
#include "zio/bare_zmq.hpp"

namespace tgmap_bench {

namespace {

namespace zio = tgmap::zio;
constexpr std::chrono::milliseconds long_enough{60'000};
constexpr std::uint64_t label_runs = 10'000;
const std::vector<std::uint64_t> detector{2400, 6000};  // a frame of Wire-Cell, 57 MB of float32

zio::message detector_message(std::span<const float> samples) {
  zio::tens_builder build;
  build.append(samples, detector);
  return build.message();
}

row label_encode() {
  return {.name = "zio/label_encode", .unit = "label", .prepare = [] {
            struct state {
              std::vector<float> samples = std::vector<float>(detector[0] * detector[1]);
              zio::tens_builder build{};
              std::string label{};
            };
            const auto in = std::make_shared<state>();
            return contest{.units = label_runs, .operation = [in] {
                             for (std::uint64_t i = 0; i < label_runs; ++i) {
                               in->build.clear();
                               in->build.append(std::span(std::as_const(in->samples)), detector);
                               in->build.label(in->label);
                             }
                           }};
          }};
}

row label_decode() {
  return {.name = "zio/label_decode", .unit = "label", .prepare = [] {
            struct state {
              std::vector<float> samples = std::vector<float>(detector[0] * detector[1]);
              zio::message message = detector_message(samples);
              zio::tens read{};
            };
            const auto in = std::make_shared<state>();
            return contest{.units = label_runs, .operation = [in] {
                             tgmap::failure why;
                             for (std::uint64_t i = 0; i < label_runs; ++i) {
                               in->read.read(in->message, why);
                               expect(!why && !in->read.tensors()[0].fault, "the label was not read");
                             }
                           }};
          }};
}

/// Sends the messages of a mapped archive.
struct send_setup {
  std::uint64_t count;
  std::filesystem::path path;
  tgmap::archive archive;
  peer receiver = peer::receiver(), bare_receiver = peer::receiver();
  zio::socket socket{zio::socket_options{.kind = zio::socket_kind::push, .endpoint = receiver.endpoint()}};
  bare_socket bare = bare_socket::push(bare_receiver.endpoint());
  zio::from_archive_result out{};

  /// `recorded`: the archive stores received messages with their labels.
  send_setup(const archives& files, const char* name, const std::vector<std::uint64_t>& shape, std::uint64_t messages,
             bool recorded = false)
      : count(messages), path(files.directory() / name) {
    write(shape, recorded);
    archive = tgmap::archive(path);
    (void)archive.size();
  }
  ~send_setup() { std::filesystem::remove(path); }

  void write(const std::vector<std::uint64_t>& shape, bool recorded) const {
    std::size_t elements = 1;
    for (const auto extent : shape) elements *= extent;
    const std::vector<float> values(elements, 1.5f);
    std::ofstream file(path, std::ios::binary);
    const auto bytes = tgmap::to_bytes([&] {
      if (recorded) {
        zio::tens_builder build;
        build.append(std::span(values), shape);
        return zio::to_archive(build.message());
      }
      tgmap::new_message m;
      m.objects.emplace_back(tgmap::new_object::of(std::span(values), shape));
      return m;
    }());
    for (std::uint64_t i = 0; i < count; ++i)
      file.write(reinterpret_cast<const char*>(bytes.data()), static_cast<std::streamsize>(bytes.size()));
  }

  void send() {
    receiver.begin(count);
    for (std::uint64_t i = 0; i < count; ++i) {
      zio::from_archive(archive, archive[i], {}, out, why);
      tgmap::detail::raise_if(why);
      out.message.seqno = i;
      socket.send(out.message, long_enough);
    }
    receiver.finish();
  }
  /// Sends the same buffers with a prefix that is made once.
  void send_bare() {
    bare_receiver.begin(count);
    if (prefix.empty()) prefix = zio::prefix_of(zio::from_archive(archive, archive[0]).message);
    for (std::uint64_t i = 0; i < count; ++i) bare.send(prefix, coordinates, archive[i][0].payload());
    bare_receiver.finish();
  }

  tgmap::failure why{};
  std::string prefix{};
  std::array<std::byte, zio::coordinates_bytes> coordinates{};
};

row send_row(const archives& files, const char* name, const std::vector<std::uint64_t>& shape, std::uint64_t messages,
             bool recorded = false) {
  return {.name = name,
          .unit = "message",
          .prepare =
              [&files, shape, messages, recorded] {
                const auto in = std::make_shared<send_setup>(files, "zio_send.tgm", shape, messages, recorded);
                return contest{.units = static_cast<double>(messages),
                               .operation = [in] { in->send(); },
                               .floors = {{.name = "bare libzmq", .run = [in] { in->send_bare(); }}}};
              },
          .rounds = 9};
}

/// Measures the anonymous memory that sending allocates. The receiver is another process.
row send_memory(const archives& files) {
  return {.name = "zio/send_memory",
          .unit = "archive",
          .prepare =
              [&files] {
                const std::uint64_t messages = files.quick() ? 6 : 38;  // of 57 MB: 2 GiB
                const auto in = std::make_shared<send_setup>(files, "zio_memory.tgm", detector, messages);
                const auto grown = std::make_shared<std::int64_t>(0);
                return contest{.operation =
                                   [=] {
                                     const auto before = static_cast<std::int64_t>(anonymous_resident_bytes());
                                     in->send();
                                     *grown = static_cast<std::int64_t>(anonymous_resident_bytes()) - before;
                                   },
                               .value = [=] { return static_cast<double>(std::max<std::int64_t>(*grown, 0)); }};
              },
          .rounds = 1,
          .value_name = "bytes more"};
}

/// Records the messages of a peer in a file in memory.
struct record_setup {
  std::uint64_t count;
  std::string prefix = zio::prefix_of(detector_message(std::vector<float>(detector[0] * detector[1])));
  std::size_t bytes = detector[0] * detector[1] * sizeof(float);
  zio::socket socket{zio::socket_options{
      .kind = zio::socket_kind::pull, .endpoint = "tcp://127.0.0.1:*", .bind = true, .high_water = 4}};
  bare_socket bare = bare_socket::pull();
  peer sender = peer::sender(socket.endpoint(), prefix, bytes),
       bare_sender = peer::sender(bare.endpoint(), prefix, bytes);
  memory_file file{};
  tgmap::new_message message{};

  explicit record_setup(std::uint64_t messages) : count(messages) {}

  void record() {
    file.rewind();
    tgmap::descriptor_sink sink(file.descriptor());
    tgmap::writer out(sink);
    sender.begin(count);
    tgmap::failure why;
    for (std::uint64_t i = 0; i < count; ++i) {
      const zio::message m = socket.receive(long_enough);
      zio::to_archive(m, {}, message, why);
      tgmap::detail::raise_if(why);
      out.write(message);
    }
    tgmap::detail::raise_if(sink.flush());
    sender.finish();
  }
  void receive_bare() const {
    bare_sender.begin(count);
    bare.receive(count);
    bare_sender.finish();
  }
  void write_bare() const {
    static const std::vector<std::byte> payload(bytes, std::byte{1});
    file.rewind();
    for (std::uint64_t i = 0; i < count; ++i)
      expect(::write(file.descriptor(), payload.data(), bytes) == static_cast<ssize_t>(bytes), "write was short");
  }
};

double seconds_of(const std::function<void()>& work) {
  const auto begin = std::chrono::steady_clock::now();
  work();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}

row record_row(const archives& files) {
  return {.name = "zio/record",
          .unit = "message",
          .prepare =
              [&files] {
                const auto in = std::make_shared<record_setup>(files.quick() ? 4 : 16);
                const auto receive = [in] { in->receive_bare(); };
                const auto write = [in] { in->write_bare(); };
                receive(), write();
                // The slower of the two is the lower bound.
                const bool receiving = seconds_of(receive) > seconds_of(write);
                return contest{.units = static_cast<double>(in->count),
                               .operation = [in] { in->record(); },
                               .floors = {{.name = "bare receive", .run = receive, .counts = receiving},
                                          {.name = "bare write", .run = write, .counts = !receiving}}};
              },
          .rounds = 9};
}

}  // namespace

void add_zio_rows(std::vector<row>& rows, const archives& files) {
  rows.push_back(label_encode());
  rows.push_back(label_decode());
  rows.push_back(send_row(files, "zio/send_large", detector, files.quick() ? 6 : 24));
  const std::uint64_t small = files.quick() ? 50'000 : 200'000;
  rows.push_back(send_row(files, "zio/send_small", {256}, small, true));
  rows.push_back(send_row(files, "zio/send_described", {256}, small));  // without stored labels
  rows.push_back(send_memory(files));
  rows.push_back(record_row(files));
}

}  // namespace tgmap_bench

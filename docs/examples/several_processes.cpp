// Shares the work on one archive among processes: one gets the index and gives it to the others, which scan nothing.
#include <cstddef>
#include <cstdint>
#include <exception>
#include <iostream>
#include <string>
#include <tgmap/archive.hpp>
#include <tgmap/tools/index.hpp>
#include <vector>

#ifdef USE_MPI
#include "mpi.h"

#include <algorithm>

/// The processes that mpiexec has started.
class process_group {
 public:
  explicit process_group(int) {
    MPI_Init(nullptr, nullptr);
    MPI_Comm_rank(MPI_COMM_WORLD, &number_);
    MPI_Comm_size(MPI_COMM_WORLD, &size_);
  }
  ~process_group() {
    if (std::uncaught_exceptions() == 0) MPI_Finalize();
  }
  process_group(const process_group&) = delete;
  process_group& operator=(const process_group&) = delete;

  /// Ends the processes that wait for this one, after an error.
  static void end_all() { MPI_Abort(MPI_COMM_WORLD, 1); }

  std::size_t number() const { return static_cast<std::size_t>(number_); }
  std::size_t size() const { return static_cast<std::size_t>(size_); }

  /// Gives bytes of process 0 to all others.
  void share(std::vector<std::byte>& bytes) const {
    constexpr std::size_t most = 1 << 30;  // MPI counts in int
    std::uint64_t size = bytes.size();
    MPI_Bcast(&size, 1, MPI_UINT64_T, 0, MPI_COMM_WORLD);
    bytes.resize(size);
    for (std::size_t at = 0; at < size; at += most)
      MPI_Bcast(&bytes[at], static_cast<int>(std::min(most, size - at)), MPI_BYTE, 0, MPI_COMM_WORLD);
  }

  /// Returns the results of all processes, in process 0.
  template <class Result>
  std::vector<Result> collect(const Result& own) const {
    std::vector<Result> all(size());
    MPI_Gather(&own, sizeof own, MPI_BYTE, all.data(), sizeof own, MPI_BYTE, 0, MPI_COMM_WORLD);
    return all;
  }

 private:
  int number_ = 0, size_ = 1;
};
#else
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <stdexcept>
#include <system_error>

/// This process, which is number 0, and others that it starts. Each has a socket to process 0.
class process_group {
 public:
  explicit process_group(int size) : size_(static_cast<std::size_t>(size)) {
    for (std::size_t n = 1; n < size_; ++n) {
      int ends[2];
      check(::socketpair(AF_UNIX, SOCK_STREAM, 0, ends));
      const pid_t child = ::fork();
      check(child);
      ::close(ends[child == 0 ? 0 : 1]);
      if (child == 0) {
        for (const int other : sockets_) ::close(other);
        sockets_.assign({ends[1]});
        number_ = n;
        return;
      }
      sockets_.push_back(ends[0]);
    }
  }
  ~process_group() {
    for (const int each : sockets_) ::close(each);
    while (number_ == 0 && ::wait(nullptr) > 0) continue;
  }
  process_group(const process_group&) = delete;
  process_group& operator=(const process_group&) = delete;

  /// Does nothing: processes that wait for this one have seen its socket close.
  static void end_all() {}

  std::size_t number() const { return number_; }
  std::size_t size() const { return size_; }

  /// Gives bytes of process 0 to all others.
  void share(std::vector<std::byte>& bytes) const {
    std::uint64_t size = bytes.size();
    for (const int each : sockets_) number_ == 0 ? send(each, &size, sizeof size) : receive(each, &size, sizeof size);
    bytes.resize(size);
    for (const int each : sockets_) number_ == 0 ? send(each, bytes.data(), size) : receive(each, bytes.data(), size);
  }

  /// Returns the results of all processes, in process 0.
  template <class Result>
  std::vector<Result> collect(const Result& own) const {
    std::vector<Result> all{own};
    for (const int each : sockets_)
      number_ == 0 ? receive(each, &all.emplace_back(), sizeof own) : send(each, &own, sizeof own);
    return all;
  }

 private:
  static void check(long result) {
    if (result < 0) throw std::system_error(errno, std::generic_category());
  }
  static void send(int socket, const void* bytes, std::size_t size) {
    for (const auto* at = static_cast<const std::byte*>(bytes); size > 0;) {
      const ssize_t sent = ::send(socket, at, size, MSG_NOSIGNAL);
      check(sent);
      at += sent;
      size -= static_cast<std::size_t>(sent);
    }
  }
  static void receive(int socket, void* bytes, std::size_t size) {
    for (auto* at = static_cast<std::byte*>(bytes); size > 0;) {
      const ssize_t got = ::read(socket, at, size);
      check(got);
      if (got == 0) throw std::runtime_error("another process has failed");
      at += got;
      size -= static_cast<std::size_t>(got);
    }
  }

  std::size_t number_ = 0, size_;
  std::vector<int> sockets_;
};
#endif

struct result {
  std::size_t first_message = 0, messages = 0, elements = 0;
  double sum = 0;
  std::uint64_t scanned_bytes = 0;  // beyond those that the index describes
};

/// Returns the index of an archive. Makes it in memory if there is none beside the file.
std::vector<std::byte> index_of(const char* path) {
  const tgmap::archive data(path);
  if (data.index_status().is_used) return data.index_bytes();
  tgmap::memory_sink made;
  tgmap::create_index(data, made);
  return made.release();
}

result work_on(const tgmap::archive& data, const tgmap::archive_part& part) {
  result out{.first_message = part.first_message, .messages = part.messages};
  for (std::size_t i = part.first_message; i < part.first_message + part.messages; ++i) {
    const tgmap::message message = data[i];
    for (const tgmap::object& object : message)
      for (const double element : object.to_vector<double>()) {
        out.sum += element;
        ++out.elements;
      }
  }
  return out;
}

int main(int argc, char** argv) try {
  const char* const path = argc > 1 ? argv[1] : "large.tgm";
  const process_group group(argc > 2 ? std::stoi(argv[2]) : 4);
  std::vector<std::byte> index;
  if (group.number() == 0) index = index_of(path);
  group.share(index);

  const tgmap::archive data(path, index);
  const std::vector<tgmap::archive_part> parts = data.partition(group.size());  // the same in every process
  result own;
  if (group.number() < parts.size()) own = work_on(data, parts[group.number()]);
  own.scanned_bytes = data.scan_progress().scanned_bytes - data.index_status().covered_bytes;

  const std::vector<result> all = group.collect(own);
  if (group.number() != 0) return 0;
  result total;
  for (std::size_t n = 0; n < all.size(); ++n) {
    std::cout << "process " << n << ": " << all[n].messages << " messages from number " << all[n].first_message << ", "
              << all[n].elements << " elements, " << all[n].scanned_bytes << " bytes scanned\n";
    total.elements += all[n].elements;
    total.sum += all[n].sum;
  }
  std::cout << "mean of all: " << total.sum / static_cast<double>(total.elements) << '\n';
} catch (const std::exception& e) {
  std::cerr << e.what() << '\n';
  process_group::end_all();
  return 1;
}

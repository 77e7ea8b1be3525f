// Opens an archive whose bytes come from a store of blocks, and counts the requests.
#include <algorithm>
#include <atomic>
#include <cstdint>
#include <exception>
#include <fstream>
#include <iostream>
#include <iterator>
#include <map>
#include <memory>
#include <string>
#include <system_error>
#include <tgmap/archive.hpp>
#include <tgmap/byte_source.hpp>
#include <utility>
#include <vector>

using block = std::vector<std::byte>;
using blocks = std::map<std::uint64_t, block>;  // by offset

// What a source for a web server does in the same places: open() is a GET with a Range whose answer has Content-Range
// and ETag; read() is a GET with If-Match for each range, all sent at once.
class block_source final : public tgmap::byte_source {
 public:
  explicit block_source(blocks all) : all_(std::move(all)) {}

  tgmap::failure open(std::span<tgmap::opening_request> first, tgmap::source_state& state) override {
    state.size = all_.empty() ? 0 : all_.rbegin()->first + all_.rbegin()->second.size();
    state.version = "1";  // these blocks never change
    for (tgmap::opening_request& each : first) {
      if (each.is_suffix) continue;  // allowed: the library then reads these bytes as any others
      each.filled = copy(each.offset, each.out);
    }
    return {};
  }

  tgmap::failure read(std::span<const tgmap::byte_request> ranges, const std::stop_token& stop) override {
    for (const tgmap::byte_request& each : ranges) {
      if (stop.stop_requested()) return {.code = std::make_error_code(std::errc::operation_canceled)};
      ++requests_;
      const std::size_t found = copy(each.offset, each.out);
      if (found < each.out.size())
        return {.code = tgmap::errc::file_shrank, .expected = each.out.size(), .found = found};
    }
    return {};
  }

  tgmap::source_costs costs() const noexcept override { return {.gap = 64 << 10}; }
  std::string name() const override { return "blocks in memory"; }

  unsigned requests() const { return requests_; }

 private:
  /// Copies the bytes from `offset` on, and returns how many there are.
  std::size_t copy(std::uint64_t offset, std::span<std::byte> out) const {
    std::size_t done = 0;
    while (done < out.size()) {
      const auto next = all_.upper_bound(offset + done);
      if (next == all_.begin()) break;
      const auto& [begin, bytes] = *std::prev(next);
      const std::uint64_t at = offset + done - begin;
      if (at >= bytes.size()) break;
      const auto count = std::min<std::size_t>(out.size() - done, bytes.size() - at);
      std::copy_n(bytes.begin() + static_cast<std::ptrdiff_t>(at), count,
                  out.begin() + static_cast<std::ptrdiff_t>(done));
      done += count;
    }
    return done;
  }

  blocks all_;
  std::atomic<unsigned> requests_{0};  // read() runs on any thread
};

blocks read_blocks(const char* path, std::size_t size) {
  std::ifstream file(path, std::ios::binary);
  blocks out;
  for (std::uint64_t offset = 0;; offset += size) {
    block next(size);
    file.read(reinterpret_cast<char*>(next.data()), static_cast<std::streamsize>(size));
    next.resize(static_cast<std::size_t>(file.gcount()));
    if (next.empty()) return out;
    out[offset] = std::move(next);
  }
}

int main(int argc, char** argv) try {
  const auto source = std::make_shared<block_source>(read_blocks(argc > 1 ? argv[1] : "large.tgm", 1000));
  const auto data = tgmap::archive::from_source(source);
  std::cout << data.size_bytes() << " bytes are open; requests: " << source->requests() << '\n';
  const auto print = [&](const tgmap::message& message) {
    const tgmap::tensor field = message[0].decode_as<double>();
    std::cout << "the message at " << message.offset() << " begins with " << field.view<double>().values().front()
              << "; requests: " << source->requests() << '\n';
  };
  print(data.back());
  print(data[0]);
  print(data[1]);  // the requests before have read it
  std::cout << data.size() << " messages are known; requests: " << source->requests() << '\n';
} catch (const std::exception& e) {
  std::cerr << e.what() << '\n';
  return 1;
}

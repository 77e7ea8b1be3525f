// Shows what an archive offers and what each step takes: samples, a large forecast, views, a stream, errors.
#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <filesystem>
#include <map>
#include <string>
#include <tgmap/archive.hpp>
#include <tgmap/write/stream_writer.hpp>
#include <variant>
#include <vector>

constexpr std::uint64_t rows = 1024, columns = 1024, fields = 8;

using clock_type = std::chrono::steady_clock;
clock_type::time_point previous = clock_type::now();

/// Prints one line: a name, the time since the previous line, and the result.
void step(const std::string& name, const std::string& result) {
  const std::chrono::duration<double, std::micro> taken = clock_type::now() - previous;
  std::printf("  %-33s %11.1f µs  %s\n", name.c_str(), taken.count(), result.c_str());
  previous = clock_type::now();
}

void heading(const std::string& text) { std::printf("\n%s\n", text.c_str()); }

std::string decimal(double number) {
  char text[32];
  std::snprintf(text, sizeof text, "%.2f", number);
  return text;
}

std::string megabytes(std::uint64_t bytes) { return std::to_string((bytes + 500'000) / 1'000'000) + " MB"; }

/// Opens each archive of a folder, reads past damage, and counts what is inside.
void show_samples(const std::filesystem::path& folder) {
  std::vector<std::filesystem::path> files;
  for (const auto& entry : std::filesystem::directory_iterator(folder))
    if (entry.path().extension() == ".tgm") files.push_back(entry.path());
  std::sort(files.begin(), files.end());

  std::uint64_t messages = 0, gaps = 0, tails = 0;
  std::map<std::string, int> objects;  // by the reason why they cannot be used in place
  tgmap::failure why;
  for (const auto& file : files) {
    const tgmap::archive data(file, {.damage = tgmap::on_damage::skip});
    for (const tgmap::message& message : data) {
      const std::size_t count = message.size(why);  // 0 if the message cannot be read
      for (std::size_t j = 0; j < count; ++j) {
        const tgmap::object object = message.at(j, why);
        const tgmap::dtype dtype = object.descriptor(why).dtype;
        const tgmap::failure reason = why ? why : object.why_not_in_place(dtype);
        ++objects[reason ? reason.code.message() : "usable in place"];
      }
    }
    messages += data.scan_progress().messages;
    gaps += data.gaps().size();
    tails += data.incomplete_tail() ? 1u : 0u;
  }
  heading(std::to_string(files.size()) + " small archives");
  step("opened and scanned", std::to_string(messages) + " messages, " + std::to_string(gaps) + " gaps, " +
                                 std::to_string(tails) + " incomplete tails");
  for (const auto& [state, count] : objects) std::printf("  %5d objects: %s\n", count, state.c_str());
}

/// Writes a forecast of one message a step. Every fourth message is a stream, whose length is not in its preamble.
void write_forecast(const std::filesystem::path& path, std::uint64_t messages) {
  const std::vector<const char*> names{"2t", "10u", "10v", "msl", "tp", "2d", "sp", "tcc"};
  tgmap::write_options options;
  options.provenance = tgmap::provenance::reproducible();
  options.provenance.encoder_version = "1";

  std::vector<float> elements(rows * columns);
  for (std::uint64_t i = 0; i < rows; ++i)
    for (std::uint64_t j = 0; j < columns; ++j)
      elements[i * columns + j] = static_cast<float>(243 + 57 * std::sin(3.14159265 * static_cast<double>(i) / rows) +
                                                     5 * std::sin(0.05 * static_cast<double>(j)));

  tgmap::file_sink file(path);
  tgmap::writer out(file, options);
  for (std::uint64_t m = 0; m < messages; ++m) {
    tgmap::new_message message;
    for (std::uint64_t f = 0; f < fields; ++f) {
      auto field = tgmap::new_object::of(elements, {rows, columns});  // borrows the elements
      field.base = tgmap::cbor_value::map({{"mars", tgmap::cbor_value::map({{"param", names[f]}, {"step", 6 * m}})}});
      message.objects.push_back(field);
    }
    if (m % 4 != 3) {
      out.write(message);
    } else {
      tgmap::stream_writer stream(file, tgmap::cbor_value::map(), options);
      for (const auto& field : message.objects) stream.write(std::get<tgmap::new_object>(field));
      stream.finish(false);
    }
  }
  file.close();
}

std::string range(const tgmap::array_view<float>& view) {
  const auto values = view.values();
  const auto [min, max] = std::minmax_element(values.begin(), values.end());
  return decimal(*min) + " to " + decimal(*max);
}

void open_forecast(const tgmap::archive& data) {
  step("opened", data.mode() == tgmap::io_mode::map ? "mapped" : "read");
  const tgmap::message last = data.back();
  step("last message, found from the end", "offset " + std::to_string(last.offset()) + ", " + megabytes(last.length()) +
                                               ", " + std::to_string(data.scan_progress().messages) +
                                               " messages scanned so far");
  data.scan();
  step("all messages found", std::to_string(data.scan_progress().messages) + " messages");
  std::uint64_t objects = 0;
  for (const tgmap::message& message : data) objects += message.size();
  step("all objects found", std::to_string(objects) + " objects");
}

void show_views(const tgmap::archive& data) {
  const tgmap::object object = data[data.size() / 2][2];
  step("object 2 of the middle message",
       std::to_string(object.payload_size()) + " bytes at offset " + std::to_string(object.payload_offset()));
  const auto keys = object.metadata();
  step("metadata", "mars.param = " + keys.get<std::string>("mars.param").value_or("?") +
                       ", mars.step = " + std::to_string(keys.get<int>("mars.step").value_or(-1)));
  const auto view = object.view<float>();
  step("view<float>()",
       "shape [" + std::to_string(view.shape()[0]) + ", " + std::to_string(view.shape()[1]) + "], 0 bytes copied");
  step("two elements", decimal(view(0, 0)) + " and " + decimal(view(rows / 2, columns / 2)));
  step("all elements", range(view));
  step("hash compared", std::string(tgmap::to_string_view(object.verify())));
}

void show_stream(const tgmap::archive& data) {
  const auto found = std::ranges::find_if(data.begin(), data.end(), &tgmap::message::is_streamed);
  if (found == data.end()) return;
  const tgmap::message message = *found;
  step("streamed message " + std::to_string(message.index().value_or(0)),
       megabytes(message.length()) + " by its frames, " + std::string(tgmap::to_string_view(message.index_location())));
  step("its last object", range(message[message.size() - 1].view<float>()));
}

void show_errors(const tgmap::archive& data) {
  tgmap::failure why;
  data[0][0].view<double>(why);
  step("view<double>()", why.text());
  data.at(data.size(), why);
  step("message " + std::to_string(data.size()), why.text());
  data.at_offset(1, why);
  step("a message at offset 1", why.text());
}

int main(int argc, char** argv) try {
  const std::filesystem::path samples = argc > 1 ? argv[1] : ".";
  const std::uint64_t messages = argc > 2 ? std::strtoull(argv[2], nullptr, 10) : 5;
  show_samples(samples);

  heading("A forecast of " + std::to_string(messages) + " messages");
  write_forecast("forecast.tgm", messages);
  step("written", megabytes(std::filesystem::file_size("forecast.tgm")));
  const tgmap::archive data("forecast.tgm");
  open_forecast(data);
  heading("An object, in place");
  show_views(data);
  heading("A message whose length was not known when it began");
  show_stream(data);
  heading("Errors");
  show_errors(data);
} catch (const std::exception& e) {
  std::fprintf(stderr, "%s\n", e.what());
  return 1;
}

// Answers requests on eight threads that share one archive.
#include <atomic>
#include <cstddef>
#include <exception>
#include <iostream>
#include <string>
#include <tgmap/archive.hpp>
#include <thread>
#include <vector>

std::string answer(const tgmap::archive& data, std::size_t request) try {  // no lock: const members are thread-safe
  const std::vector<double> field = data[request][0].to_vector<double>();
  return std::to_string(field.size()) + " elements, the first is " + std::to_string(field.at(0));
} catch (const std::exception& e) {
  return e.what();
}

int main(int argc, char** argv) try {
  const tgmap::archive data(argc > 1 ? argv[1] : "forecast.tgm");

  std::vector<std::string> answers(data.size() + 1);  // the last request is for a message that is not there
  std::atomic<std::size_t> next = 0;
  std::vector<std::jthread> threads(8);
  for (std::jthread& thread : threads)
    thread = std::jthread([&] {
      for (std::size_t i = next++; i < answers.size(); i = next++) answers[i] = answer(data, i);
    });
  threads.clear();  // joins

  for (const std::string& each : answers) std::cout << each << '\n';
} catch (const std::exception& e) {
  std::cerr << e.what() << '\n';
  return 1;
}

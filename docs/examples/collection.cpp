// Takes two archives as one, sorts their messages over both, and counts the values of a key.
#include <exception>
#include <iostream>
#include <tgmap/object.hpp>
#include <tgmap/tools/collection.hpp>

int main(int argc, char** argv) try {
  const tgmap::collection all({{argc > 1 ? argv[1] : "forecast.tgm"}, {argc > 2 ? argv[2] : "more.tgm"}, {"gone.tgm"}});
  std::cout << all.size() << " messages in " << all.archive_count() << " archives\n";
  for (const tgmap::collection_failure& each : all.failures())
    std::cout << each.path.filename().string() << ": " << each.cause.text() << '\n';

  const tgmap::collection_query wanted{.where = tgmap::selection("mars.param=2t and mars.step<=12"),
                                       .of_objects = true,
                                       .sort = {{tgmap::metadata_key("mars.step"), true}}};
  for (const tgmap::collection_address& each : all.find(wanted).addresses) {
    const tgmap::collected_message found = all[each];  // keeps the archive open for what borrows from it
    std::cout << "archive " << each.archive << ", message " << each.message << ", object " << *each.object << ": step "
              << found.message[*each.object].metadata().get<int>("mars.step").value_or(-1) << '\n';
  }

  const tgmap::metadata_key param("mars.param");
  for (const tgmap::facet& each : all.facets({&param, 1}, {.of_objects = true}).facets)
    for (const auto& [text, count] : each.values) std::cout << each.key << ' ' << text << ": " << count << '\n';
} catch (const std::exception& e) {
  std::cerr << e.what() << '\n';
  return 1;
}

// check_json [FIELD...]: reads one JSON object from standard input. A FIELD is a path such as run_ms.median that must
// exist, or PATH=VALUE, VALUE being JSON that must be equal. "--keys a,b,c" says that the object has exactly these
// keys.
#include <algorithm>
#include <cstdio>
#include <iostream>
#include <iterator>
#include <nlohmann/json.hpp>
#include <string>

using Json = nlohmann::ordered_json;

namespace {

// The value at "a.b.0", or null where there is none.
const Json* find(const Json& root, const std::string& path) {
  const Json* at = &root;
  for (std::size_t begin = 0; begin <= path.size();) {
    const std::size_t end = std::min(path.find('.', begin), path.size());
    const std::string key = path.substr(begin, end - begin);
    if (at->is_array()) {
      const std::size_t index = std::stoul(key);
      if (index >= at->size()) return nullptr;
      at = &(*at)[index];
    } else {
      if (!at->is_object() || !at->contains(key)) return nullptr;
      at = &at->at(key);
    }
    begin = end + 1;
  }
  return at;
}

int fail(const std::string& message, const Json& json) {
  std::cerr << "check_json: " << message << "\n" << json.dump(2) << "\n";
  return 1;
}

std::string keys_of(const Json& json) {
  std::string keys;
  for (const auto& item : json.items()) keys += (keys.empty() ? "" : ",") + item.key();
  return keys;
}

}  // namespace

int main(int argc, char** argv) {
  try {
    const std::string text{std::istreambuf_iterator<char>(std::cin), {}};
    const Json json = Json::parse(text);
    if (!json.is_object()) return fail("not an object", json);
    for (int i = 1; i < argc; ++i) {
      const std::string field = argv[i];
      if (field == "--keys" && i + 1 < argc) {
        if (keys_of(json) != argv[++i]) return fail("the keys are " + keys_of(json), json);
        continue;
      }
      const std::size_t equals = field.find('=');
      const Json* const value = find(json, field.substr(0, equals));
      if (value == nullptr) return fail(field + " is missing", json);
      if (equals != std::string::npos && *value != Json::parse(field.substr(equals + 1))) {
        return fail(field + ": it is " + value->dump(), json);
      }
    }
    return 0;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "check_json: %s\n", error.what());
    return 1;
  }
}

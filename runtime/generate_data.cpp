// generate_data(): takes the spec apart and calls the maker of its kind.
#include "runtime/generate_data.h"

#include <fmt/format.h>

#include <charconv>
#include <cmath>
#include <new>
#include <stdexcept>

#include "frontend/error.h"

namespace einloom {

namespace {

std::vector<std::string> split(const std::string& text, char separator) {
  std::vector<std::string> parts;
  std::size_t begin = 0;
  for (;;) {
    const std::size_t end = text.find(separator, begin);
    parts.push_back(text.substr(begin, end == std::string::npos ? end : end - begin));
    if (end == std::string::npos) return parts;
    begin = end + 1;
  }
}

template <class T>
bool parse_whole(const std::string& text, T& out) {
  const auto [stop, status] = std::from_chars(text.data(), text.data() + text.size(), out);
  return status == std::errc{} && stop == text.data() + text.size();
}

}  // namespace

Spec::Spec(const std::string& text) : text_(text) {
  const auto parts = split(text, ':');
  kind_ = parts[0];
  std::size_t next = 1;
  if (next < parts.size() && parts[next].find('=') == std::string::npos) word_ = parts[next++];
  for (; next < parts.size(); ++next) {
    const std::size_t equals = parts[next].find('=');
    if (equals == std::string::npos || equals == 0) fail(fmt::format("'{}' is not of the form key=value", parts[next]));
    const std::string key = parts[next].substr(0, equals);
    if (!options_.emplace(key, Option{parts[next].substr(equals + 1)}).second)
      fail(fmt::format("{} is given twice", key));
  }
}

void Spec::fail(const std::string& what) const {
  throw Error::input(fmt::format("cannot generate '{}': {}", text_, what));
}

std::vector<std::int64_t> Spec::shape() const {
  if (word_.empty()) fail("a shape is missing, such as 50x40");
  std::vector<std::int64_t> extents;
  for (const std::string& part : split(word_, 'x')) {
    std::int64_t extent = 0;
    if (!parse_whole(part, extent) || extent < 0) fail(fmt::format("'{}' is not a shape such as 50x40", word_));
    extents.push_back(extent);
  }
  return extents;
}

std::int64_t Spec::integer(const std::string& key, std::int64_t lowest) {
  const auto found = options_.find(key);
  if (found == options_.end()) fail(fmt::format("{}= is missing", key));
  found->second.used = true;
  std::int64_t value = 0;
  if (!parse_whole(found->second.value, value) || value < lowest) {
    fail(fmt::format("{}={} must be a whole number of at least {}", key, found->second.value, lowest));
  }
  return value;
}

std::int64_t Spec::integer(const std::string& key, std::int64_t lowest, std::int64_t otherwise) {
  return has(key) ? integer(key, lowest) : otherwise;
}

double Spec::real(const std::string& key, double lowest, double otherwise) {
  const auto found = options_.find(key);
  if (found == options_.end()) return otherwise;
  found->second.used = true;
  double value = 0;
  if (!parse_whole(found->second.value, value) || !std::isfinite(value) || value < lowest) {
    fail(fmt::format("{}={} must be a number of at least {}", key, found->second.value, lowest));
  }
  return value;
}

std::vector<std::int64_t> Spec::integers(const std::string& key) {
  const auto found = options_.find(key);
  if (found == options_.end()) fail(fmt::format("{}= is missing", key));
  found->second.used = true;
  std::vector<std::int64_t> out;
  for (const std::string& part : split(found->second.value, ',')) {
    std::int64_t value = 0;
    if (!parse_whole(part, value) || value < 1)
      fail(fmt::format("{}={} must be positive whole numbers separated by ','", key, found->second.value));
    out.push_back(value);
  }
  return out;
}

void Spec::finish() const {
  for (const auto& [key, option] : options_) {
    if (!option.used) fail(fmt::format("{} knows no option {}=", kind_, key));
  }
}

std::vector<Tensor> generate_data(const std::string& text, std::optional<DType> dtype) {
  const DType type = dtype.value_or(DType::f64);
  try {
    Spec spec(text);
    if (spec.kind() == "random") return {generate_random(spec, type)};
    if (spec.kind() == "dense") return {generate_dense(spec, type)};
    if (spec.kind() == "cp") return {generate_cp(spec, type)};
    if (spec.kind() == "tt" || spec.kind() == "tr") return {generate_train(spec, type, spec.kind() == "tr")};
    if (spec.kind() == "frostt") return {generate_frostt(spec, type)};
    if (spec.kind() == "published") return generate_published(spec, type);
    spec.fail(fmt::format("the kind '{}': expected random, dense, cp, tt, tr, frostt or published", spec.kind()));
  } catch (const std::bad_alloc&) {
    throw Error::memory("generating " + text, 0);
  } catch (const std::length_error&) {
    throw Error::memory("generating " + text, 0);
  }
}

}  // namespace einloom

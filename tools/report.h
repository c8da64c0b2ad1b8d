// What the command prints: tensors, numbers, JSON, and the one place that writes to standard output.
#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "runtime/einloom.h"

namespace einloom::tools {

using Json = nlohmann::ordered_json;

// Whoever read standard output has gone: end quietly.
struct ClosedPipe {};

// Writes all of `text` to standard output. Throws ClosedPipe, or Error(input) where it cannot be written (a full disk).
void put(std::string_view text);
void put_json(const Json& json);   // two spaces of indentation and a newline; invalid UTF-8 is replaced
void note(std::string_view text);  // one line to standard error; failures are ignored

// Values as the shortest text that reads back as the same number; complex as a+bi, bool as true and false.
// Dense: NumPy's brackets, columns aligned. Sparse: a line a coordinate, counted from 0. Ends with a newline.
std::string tensor_text(const Tensor& tensor);
bool is_small(const Tensor& tensor);  // short enough to print unasked
// Elements that differ from the semiring's additive identity; explicit ones of a sparse tensor count as stored.
std::int64_t nonzeros(const Tensor& tensor, Semiring semiring);
std::string storage_name(const Tensor& tensor);  // "dense", "csf", "coo", or a letter a level

// Smallest and largest stored value, of complex ones the magnitude; NaN is counted apart.
struct ValueRange {
  double smallest = 0, largest = 0;
  std::int64_t nan = 0;
  bool any = false;  // false: no value besides NaN
};
ValueRange value_range(const Tensor& tensor);
std::string real_text(double value);

struct Times {
  double min = 0, median = 0, max = 0;
  std::size_t runs = 0;
};
Times summarise(std::vector<double> milliseconds);   // at least one
std::string milliseconds_text(double milliseconds);  // "12 us", "3.4 ms", "1.20 s"

}  // namespace einloom::tools

#include "tools/report.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <iterator>
#include <limits>
#include <type_traits>

#include "frontend/text.h"

namespace einloom::tools {

namespace {

constexpr std::int64_t small_dense = 100, small_sparse = 20;  // values printed unasked

// Calls f with a pointer to the values, of their C++ type.
template <class F>
void visit(const Tensor& tensor, F f) {
  const void* data = tensor.data_raw();
  switch (tensor.dtype()) {
    case DType::boolean:
      return f(static_cast<const std::uint8_t*>(data));
    case DType::i32:
      return f(static_cast<const std::int32_t*>(data));
    case DType::i64:
      return f(static_cast<const std::int64_t*>(data));
    case DType::f16:
      return f(static_cast<const f16*>(data));
    case DType::bf16:
      return f(static_cast<const bf16*>(data));
    case DType::f32:
      return f(static_cast<const float*>(data));
    case DType::f64:
      return f(static_cast<const double*>(data));
    case DType::c64:
      return f(static_cast<const std::complex<float>*>(data));
    case DType::c128:
      return f(static_cast<const std::complex<double>*>(data));
  }
  throw Error::internal("a tensor of an unknown element type");
}

std::string value_text(std::uint8_t value) { return value != 0 ? "true" : "false"; }
std::string value_text(std::int32_t value) { return fmt::format("{}", value); }
std::string value_text(std::int64_t value) { return fmt::format("{}", value); }
std::string value_text(float value) { return fmt::format("{}", value); }
std::string value_text(double value) { return fmt::format("{}", value); }
std::string value_text(f16 value) { return value_text(to_float(value)); }
std::string value_text(bf16 value) { return value_text(to_float(value)); }
template <class T>
std::string value_text(std::complex<T> value) {
  return fmt::format("{}{}{}i", value.real(), std::signbit(value.imag()) ? "-" : "+", std::abs(value.imag()));
}

std::complex<double> number(f16 value) { return to_float(value); }
std::complex<double> number(bf16 value) { return to_float(value); }
template <class T>
std::complex<double> number(std::complex<T> value) {
  return {static_cast<double>(value.real()), static_cast<double>(value.imag())};
}
template <class T>
std::complex<double> number(T value) {
  return static_cast<double>(value);
}

template <class T>
bool is_identity(T value, Semiring semiring) {
  if constexpr (std::is_integral_v<T> && sizeof(T) > 1) {
    if (semiring == Semiring::min_plus) return value == std::numeric_limits<T>::max();
    if (semiring == Semiring::max_plus) return value == std::numeric_limits<T>::min();
    return value == 0;
  } else {
    const std::complex<double> x = number(value);
    constexpr double infinity = std::numeric_limits<double>::infinity();
    if constexpr (!std::is_same_v<T, std::uint8_t>) {
      if (semiring == Semiring::min_plus) return x == infinity;
      if (semiring == Semiring::max_plus) return x == -infinity;
    }
    return x == 0.0;
  }
}

std::vector<std::string> value_texts(const Tensor& tensor) {
  std::vector<std::string> texts;
  const std::int64_t count = tensor.nnz();
  texts.reserve(static_cast<std::size_t>(count));
  visit(tensor, [&](const auto* values) {
    for (std::int64_t i = 0; i < count; ++i) texts.push_back(value_text(values[i]));
  });
  return texts;
}

// One bracket of mode `mode`, its values from `next` on.
void brackets(const std::vector<std::int64_t>& extents, std::size_t mode, std::size_t width,
              std::vector<std::string>::const_iterator& next, std::string& out) {
  out += '[';
  const bool innermost = mode + 1 == extents.size();
  for (std::int64_t i = 0; i < extents[mode]; ++i) {
    if (innermost) {
      if (i > 0) out += ' ';
      out.append(width - next->size(), ' ');
      out += *next++;
    } else {
      if (i > 0) out.append(extents.size() - mode - 1, '\n').append(mode + 1, ' ');
      brackets(extents, mode + 1, width, next, out);
    }
  }
  out += ']';
}

std::string dense_text(const Tensor& given) {
  const Tensor tensor = given.contiguous();
  const std::vector<std::string> texts = value_texts(tensor);
  if (tensor.order() == 0) return texts.at(0) + "\n";
  if (texts.empty()) return fmt::format("[] (shape {})\n", shape_text(tensor.extents()));
  std::size_t width = 0;
  for (const std::string& text : texts) width = std::max(width, text.size());
  std::string out;
  auto next = texts.begin();
  brackets(tensor.extents(), 0, width, next, out);
  return out + "\n";
}

std::string sparse_text(const Tensor& tensor) {
  const std::vector<std::string> texts = value_texts(tensor);
  const std::vector<std::int64_t> coordinates = tensor.coordinates();
  const auto order = static_cast<std::size_t>(tensor.order());
  std::string out = fmt::format("shape {}, {} non-zero{}, {} {}\n", shape_text(tensor.extents()), texts.size(),
                                texts.size() == 1 ? "" : "s", storage_name(tensor), name(tensor.dtype()));
  auto row = coordinates.begin();
  for (const std::string& text : texts) {
    const auto end = row + static_cast<std::ptrdiff_t>(order);
    fmt::format_to(std::back_inserter(out), "({}) {}\n", fmt::join(row, end, ", "), text);
    row = end;
  }
  return out;
}

}  // namespace

void put(std::string_view text) {
  while (!text.empty()) {
    const ssize_t written = ::write(STDOUT_FILENO, text.data(), text.size());
    if (written > 0) {
      text.remove_prefix(static_cast<std::size_t>(written));
    } else if (written < 0 && errno == EPIPE) {
      throw ClosedPipe{};
    } else if (written == 0 || errno != EINTR) {
      throw Error::input(fmt::format("cannot write to standard output: {}", std::strerror(errno)));
    }
  }
}

void put_json(const Json& json) { put(json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n"); }

void note(std::string_view text) {
  std::fwrite(text.data(), 1, text.size(), stderr);
  std::fputc('\n', stderr);
}

std::string tensor_text(const Tensor& tensor) { return tensor.sparse() ? sparse_text(tensor) : dense_text(tensor); }

bool is_small(const Tensor& tensor) { return tensor.nnz() <= (tensor.sparse() ? small_sparse : small_dense); }

std::int64_t nonzeros(const Tensor& tensor, Semiring semiring) {
  if (tensor.sparse()) return tensor.nnz();
  const Tensor row_major = tensor.contiguous();
  std::int64_t count = 0;
  visit(row_major, [&](const auto* values) {
    for (std::int64_t i = 0; i < row_major.nnz(); ++i) count += is_identity(values[i], semiring) ? 0 : 1;
  });
  return count;
}

std::string storage_name(const Tensor& tensor) {
  if (!tensor.sparse()) return "dense";
  const Format& format = tensor.desc().format;
  if (format == resolve(csf(), tensor.order())) return "csf";
  if (tensor.order() > 0 && format == resolve(coo(), tensor.order())) return "coo";
  return to_string(format);
}

ValueRange value_range(const Tensor& tensor) {
  const Tensor stored = tensor.sparse() ? tensor : tensor.contiguous();
  ValueRange range;
  visit(stored, [&](const auto* values) {
    for (std::int64_t i = 0; i < stored.nnz(); ++i) {
      const std::complex<double> x = number(values[i]);
      const double real = is_complex(stored.dtype()) ? std::abs(x) : x.real();
      if (std::isnan(real)) {
        ++range.nan;
        continue;
      }
      range.smallest = range.any ? std::min(range.smallest, real) : real;
      range.largest = range.any ? std::max(range.largest, real) : real;
      range.any = true;
    }
  });
  return range;
}

std::string real_text(double value) { return value_text(value); }

Times summarise(std::vector<double> milliseconds) {
  std::sort(milliseconds.begin(), milliseconds.end());
  const std::size_t n = milliseconds.size();
  const double median = n % 2 == 1 ? milliseconds.at(n / 2) : (milliseconds.at(n / 2 - 1) + milliseconds[n / 2]) / 2;
  return {milliseconds.front(), median, milliseconds.back(), n};
}

std::string milliseconds_text(double milliseconds) {
  if (milliseconds < 1) return fmt::format("{:.3g} us", milliseconds * 1e3);
  if (milliseconds < 1e3) return fmt::format("{:.3g} ms", milliseconds);
  return fmt::format("{:.2f} s", milliseconds / 1e3);
}

}  // namespace einloom::tools

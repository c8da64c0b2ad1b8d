// Text made of many lines, formatted in parallel and written in order. Private to the runtime room.
#pragma once

#include <charconv>
#include <cstdint>
#include <functional>
#include <string>

#include "runtime/elements.h"
#include "runtime/files/output.h"
#include "runtime/storage.h"

namespace einloom {

// Writes `head`, then what `format` appends for each range of [0, count); gzip compresses it all.
void write_lines(Output& output, bool gzip, const std::string& head, std::int64_t count,
                 const std::function<void(std::string&, std::int64_t, std::int64_t)>& format);

// A line a stored position: coordinates counted from `base` in mode order, then the value.
void write_nonzeros(Output& output, bool gzip, const std::string& head, const Tensor& sparse, int base, char separator);

// Shortest text that reads back as the same number; complex numbers as two, separated by a blank.
template <class T>
void append_number(std::string& out, T x) {
  if constexpr (is_complex_v<T>) {
    append_number(out, x.real());
    out += ' ';
    append_number(out, x.imag());
  } else if constexpr (std::is_same_v<T, bool>) {
    out += x ? '1' : '0';
  } else {
    char text[64];
    const auto [end, status] = std::to_chars(text, text + sizeof text, widen(x));
    static_cast<void>(status);
    out.append(text, end);
  }
}

}  // namespace einloom

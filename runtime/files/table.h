// Lines of numbers: coordinates, then values. What .tns, .mtx and .csv have in common. Private to the runtime room.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "runtime/files/input.h"
#include "runtime/storage.h"

namespace einloom {

// The message for a line end of old Macs, which would make one line of many.
constexpr const char* bare_return =
    "a carriage return without a line feed after it: expected lines that end in LF or CR LF";

struct RowSyntax {
  int order = -1;       // coordinates a line; -1: as many as the first line has, less the values
  int values = 1;       // numbers after the coordinates: 0, 1, or 2 (complex)
  bool commas = false;  // columns are separated by commas, not by blanks
  char comment = '#';
  int base = 1;                     // what the first coordinate of a mode is called
  std::vector<std::int64_t> shape;  // limits of the coordinates; empty: none
  DType dtype = DType::f64;         // element type wanted
};

// Parsed lines in pieces, in file order. Coordinates count from 0.
struct Rows {
  struct Piece {
    std::int64_t count = 0;
    Bytes coords;                 // count x order, 32 or 64 bits each
    Bytes values;                 // count x values: i64 for integer types, f32 for types of at most that, otherwise f64
    std::int64_t first_line = 0;  // of the piece, in the file
  };
  std::vector<Piece> pieces;
  int order = 0;
  bool wide = false;
  std::int64_t count = 0;
  std::vector<std::int64_t> extents;  // one more than the largest coordinate of each mode
};

// Parses [offset, end of file), whose first line has number `line`, in parallel.
Rows parse_rows(const Input& input, std::int64_t offset, std::int64_t line, const RowSyntax& syntax);

// How entries stand for others: as in Matrix Market files.
enum class Mirror { none, symmetric, skew, hermitian };
// Packs the rows for `format` (full) and frees the pieces.
Coo pack_rows(Rows& rows, const RowSyntax& syntax, const std::vector<std::int64_t>& extents, const Format& format,
              Mirror mirror = Mirror::none);
// The values alone, in file order, as elements of syntax.dtype.
Bytes pack_values(const Rows& rows, const RowSyntax& syntax);

}  // namespace einloom

// Matrix Market: coordinate and array; real, integer, complex, pattern; general, symmetric, skew-symmetric, Hermitian.
#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cstring>
#include <sstream>

#include "frontend/counted.h"
#include "frontend/error.h"
#include "frontend/text.h"
#include "runtime/elements.h"
#include "runtime/files/files.h"
#include "runtime/files/table.h"
#include "runtime/memory.h"

namespace einloom {

namespace {

struct Header {
  bool array = false;
  std::string field;
  Mirror mirror = Mirror::none;
  std::int64_t rows = 0, columns = 0, entries = 0;
  std::int64_t offset = 0, line = 1;  // of the first entry
};

// Lines one by one from the start of the file; only the head is read this way.
class HeadLines {
 public:
  explicit HeadLines(const Input& input) : input_(input), offset_(input.text_begin()) {}

  bool next(std::string& out) {
    out.clear();
    for (;;) {
      if (at_ == block_.size()) {
        const std::int64_t count =
            std::min<std::int64_t>(4096, input_.size() - offset_ - static_cast<std::int64_t>(at_));
        offset_ += static_cast<std::int64_t>(at_);
        at_ = 0;
        block_.resize(static_cast<std::size_t>(count));
        if (count == 0) break;
        input_.read(offset_, block_.data(), count);
      }
      const char c = block_[at_++];
      if (c == '\n') {
        ++line_;
        return true;
      }
      if (!out.empty() && out.back() == '\r') input_.fail(line_ + 1, bare_return);
      out += c;
      if (out.size() > (1 << 20)) input_.fail(line_ + 1, "a line longer than 1048576 bytes");
    }
    if (!out.empty()) ++line_;
    return !out.empty();
  }
  std::int64_t line() const { return line_; }  // of the line last given
  std::int64_t offset() const { return offset_ + static_cast<std::int64_t>(at_); }

 private:
  const Input& input_;
  std::int64_t offset_;
  std::string block_;
  std::size_t at_ = 0;
  std::int64_t line_ = 0;
};

std::vector<std::string> words_of(const std::string& line) {
  std::istringstream in(line);
  std::vector<std::string> words;
  for (std::string word; in >> word;) words.push_back(word);
  return words;
}

void read_banner(const Input& input, const std::string& line, Header& header) {
  std::string lower = line;
  std::transform(lower.begin(), lower.end(), lower.begin(),
                 [](unsigned char c) { return static_cast<char>(c >= 'A' && c <= 'Z' ? c + 32 : c); });
  const auto words = words_of(lower);
  if (words.empty() || words[0] != "%%matrixmarket") input.fail(1, "expected a line that begins with %%MatrixMarket");
  if (words.size() != 5) input.fail(1, "expected '%%MatrixMarket matrix FORMAT FIELD SYMMETRY'");
  if (words[1] != "matrix") input.fail(1, fmt::format("the object '{}': only 'matrix' is known", words[1]));
  if (words[2] != "coordinate" && words[2] != "array")
    input.fail(1, fmt::format("the format '{}': expected coordinate or array", words[2]));
  header.array = words[2] == "array";
  header.field = words[3] == "double" ? "real" : words[3];
  const std::string& field = header.field;
  if (field != "real" && field != "integer" && field != "complex" && field != "pattern") {
    input.fail(1, fmt::format("the field '{}': expected real, integer, complex or pattern", field));
  }
  if (header.array && field == "pattern") input.fail(1, "an array cannot have the field pattern");
  const std::string& s = words[4];
  if (s == "symmetric") {
    header.mirror = Mirror::symmetric;
  } else if (s == "skew-symmetric") {
    header.mirror = Mirror::skew;
  } else if (s == "hermitian") {
    header.mirror = Mirror::hermitian;
  } else if (s != "general") {
    input.fail(1, fmt::format("the symmetry '{}': expected general, symmetric, skew-symmetric or hermitian", s));
  }
  if (header.mirror == Mirror::hermitian && field != "complex")
    input.fail(1, "a hermitian matrix must have the field complex");
  if (header.mirror == Mirror::skew && field == "pattern") input.fail(1, "a pattern cannot be skew-symmetric");
}

Header read_header(const Input& input) {
  Header header;
  HeadLines lines(input);
  std::string line;
  if (!lines.next(line)) input.fail("is empty: expected a line that begins with %%MatrixMarket");
  read_banner(input, line, header);
  for (;;) {
    if (!lines.next(line)) input.fail(lines.line() + 1, "the file ends before its size line");
    const auto words = words_of(line);
    if (words.empty() || words[0][0] == '%') continue;
    const std::size_t wanted = header.array ? 2 : 3;
    constexpr const char* counts[3] = {"rows", "columns", "entries"};
    std::int64_t sizes[3] = {0, 0, 0};
    bool good = words.size() == wanted;
    for (std::size_t i = 0; good && i < wanted; ++i) {
      const char* const end = words[i].data() + words[i].size();
      const auto [stop, status] = std::from_chars(words[i].data(), end, sizes[i]);
      good = status != std::errc::invalid_argument && stop == end;
      if (good && words[i][0] == '-' && sizes[i] != 0)
        input.fail(lines.line(), fmt::format("the number of {} is negative: {}", counts[i], words[i]));
      if (good && status == std::errc::result_out_of_range)
        input.fail(lines.line(), fmt::format("the number of {} is too large for 64 bits: {}", counts[i], words[i]));
    }
    if (!good) {
      input.fail(lines.line(), header.array ? "expected the size line of an array: rows and columns"
                                            : "expected the size line: rows, columns and the number of entries");
    }
    header.rows = sizes[0], header.columns = sizes[1], header.entries = sizes[2];
    header.offset = lines.offset(), header.line = lines.line() + 1;
    break;
  }
  if (header.mirror != Mirror::none && header.rows != header.columns) {
    input.fail(header.line - 1,
               fmt::format("a symmetric matrix must be square, this one is {}x{}", header.rows, header.columns));
  }
  return header;
}

DType type_of(const Input& input, const Header& header, const ReadOptions& options) {
  const bool complex = header.field == "complex";
  const DType own = complex ? DType::c128 : header.field == "integer" ? DType::i64 : DType::f64;
  const DType type = options.dtype.value_or(own);
  if (complex && !is_complex(type)) input.fail(1, fmt::format("holds complex values, which {} cannot", name(type)));
  return type;
}

// The values of an array, given for the lower triangle column by column, spread over the whole square.
template <class T>
void spread(const T* values, T* out, std::int64_t n, Mirror mirror) {
  for (std::int64_t j = 0; j < n; ++j) {
    if (mirror == Mirror::skew) out[j * n + j] = T{};
    for (std::int64_t i = mirror == Mirror::skew ? j + 1 : j; i < n; ++i) {
      const T x = *values++;
      out[i * n + j] = x;
      if (i == j) continue;
      T& other = out[j * n + i];
      other = mirror == Mirror::skew ? negated(x) : x;
      if constexpr (is_complex_v<T>) {
        if (mirror == Mirror::hermitian) other = std::conj(x);
      }
    }
  }
}

Tensor read_array(const Input& input, const Header& header, RowSyntax syntax) {
  syntax.order = 0;
  const std::int64_t n = header.rows;
  std::int64_t expected = 0;
  if (__builtin_mul_overflow(header.rows, header.columns, &expected)) {
    input.fail(header.line - 1, fmt::format("an array of {}x{} does not fit 64 bits", header.rows, header.columns));
  }
  if (header.mirror == Mirror::skew) expected = (expected - n) / 2;
  if (header.mirror == Mirror::symmetric || header.mirror == Mirror::hermitian) expected = n + (expected - n) / 2;
  const Rows rows = parse_rows(input, header.offset, header.line, syntax);
  if (rows.count != expected)
    input.fail(fmt::format("an array of {}x{} needs {}, but the number there is {}", header.rows, header.columns,
                           counted(expected, "value"), rows.count));
  auto storage = std::make_shared<Storage>();
  storage->desc = dense_desc(syntax.dtype, {header.rows, header.columns}, {1, std::max<std::int64_t>(header.rows, 1)});
  storage->owner = pack_values(rows, syntax);
  storage->data = storage->owner.get();
  if (header.mirror == Mirror::none) return Tensor(std::move(storage));
  Tensor out = make_dense(syntax.dtype, {n, n});
  visit_type(syntax.dtype, [&](auto tag) {
    using T = typename decltype(tag)::type;
    spread(as<T>(storage->owner), static_cast<T*>(out.storage()->data), n, header.mirror);
  });
  return out;
}

// In a symmetric file entries stand on one side of the diagonal.
template <class C>
void check_triangle(const Input& input, const Rows& rows, Mirror mirror) {
  for (const Rows::Piece& piece : rows.pieces) {
    const C* const at = as<C>(piece.coords);
    for (std::int64_t i = 0; i < piece.count; ++i) {
      const C row = at[2 * i], column = at[2 * i + 1];
      if (row < column) {
        input.fail(fmt::format(
            "entry ({}, {}) is above the diagonal, but the file is symmetric and lists only what is on and below it",
            row + 1, column + 1));
      }
      if (row == column && mirror == Mirror::skew) {
        input.fail(fmt::format("entry ({}, {}) is on the diagonal of a skew-symmetric matrix, which lists none",
                               row + 1, column + 1));
      }
    }
  }
}

}  // namespace

Tensor read_mtx(const Input& input, const ReadOptions& options) {
  const Header header = read_header(input);
  const std::vector<std::int64_t> extents = {header.rows, header.columns};
  if (!options.shape.empty() && options.shape != extents) {
    input.fail(fmt::format("is {}, not {} as asked", shape_text(extents), shape_text(options.shape)));
  }
  RowSyntax syntax;
  syntax.order = 2;
  syntax.comment = '%';
  syntax.values = header.field == "pattern" ? 0 : header.field == "complex" ? 2 : 1;
  syntax.dtype = type_of(input, header, options);
  if (header.array) return read_array(input, header, syntax);
  syntax.shape = extents;
  Rows rows = parse_rows(input, header.offset, header.line, syntax);
  if (rows.count != header.entries) {
    input.fail(fmt::format("announces {}, but the number there is {}", counted(header.entries, "entry", "entries"),
                           rows.count));
  }
  if (header.mirror != Mirror::none) {
    rows.wide ? check_triangle<std::uint64_t>(input, rows, header.mirror)
              : check_triangle<std::uint32_t>(input, rows, header.mirror);
  }
  const Format format = resolve(options.format.value_or(csf()), 2);
  Coo coo = pack_rows(rows, syntax, extents, format, header.mirror);
  sort_and_combine(coo, options.semiring);
  return build_levels(coo, extents, format, options.semiring);
}

}  // namespace einloom

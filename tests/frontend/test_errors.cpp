// Every error a text and its operands can raise: exact message, exact place.
#include "tests/frontend/case_support.h"
#include "tests/support/catch.h"

using namespace einloom;
using namespace einloom::test;

namespace {

constexpr std::size_t none = Error::no_position;

struct Row {
  std::string text, shapes, options, message;
  std::size_t position;
};

const std::vector<Row>& rows() {
  // clang-format off
  static const std::vector<Row> table = {
    {"ij->ik", "2x3", "", "label k of the output is in no operand", 5},
    {"ijk,jk->ijl", "10x20x30 20x30", "", "label l of the output is in no operand", 10},
    {"i.->i", "2", "", "an ellipsis is three dots, found 1", 1},
    {"i..->i", "2", "", "an ellipsis is three dots, found 2", 1},
    {"i....->i", "2", "", "an ellipsis is three dots, found 4", 1},
    {"...i...->i", "2", "", "a second ellipsis in operand 0", 4},
    {"...i->...i...", "2x2", "", "a second ellipsis in the output", 10},
    {"ij-ik", "2x3", "", "'-' must be followed by '>'", 2},
    {"ij-", "2x3", "", "'-' must be followed by '>'", 2},
    {"ij>i", "2x3", "", "'>' must follow '-'", 2},
    {"ij->i->j", "2x3", "", "a second '->': there is one output", 5},
    {"ij->i->", "2x3", "", "a second '->': there is one output", 5},
    {"ij->i,j", "2x3", "", "',' after '->': there is one output", 5},
    {"i1->i", "2x3", "", "'1' is a digit: a label is one letter (number labels go in the interleaved form)", 1},
    {"i_->i", "2x3", "", "'_' is not a label: a label is one letter (long names go in index notation)", 1},
    {"i*j", "2 3", "", "'*' is not a letter: an einsum string has letters, ',', '...' and '->'", 1},
    {"i;j", "2 3", "", "';' is not a letter: an einsum string has letters, ',', '...' and '->'", 1},
    {"i->...i", "2", "", "the output has an ellipsis, but no operand has one", 3},
    {"i->...", "2", "", "the output has an ellipsis, but no operand has one", 3},
    {"(ij)->i", "2x3", "", "'(' is not a letter: an einsum string has letters, ',', '...' and '->'", 0},
    {"i\x01j", "2x3", "", "U+0001 is not a letter: an einsum string has letters, ',', '...' and '->'", 1},
    {"i\xffj", "2x3", "", "found byte 0xff, which is not UTF-8", 1},
    {"\xc3", "2", "", "found byte 0xc3, which is not UTF-8", 0},
    {"\xc0\xaf", "2", "", "found byte 0xc0, which is not UTF-8", 0},
    {"\xed\xa0\x80", "2", "", "found byte 0xed, which is not UTF-8", 0},
    {"e\xcc\x81->e", "2", "", "U+0301 is not a letter: an einsum string has letters, ',', '...' and '->'", 1},
    {"\xf0\x9f\x98\x80->i", "2", "", "U+1F600 is not a letter: an einsum string has letters, ',', '...' and '->'", 0},
    {"\xc3\x97->\xc3\x97", "2", "", "U+00D7 is not a letter: an einsum string has letters, ',', '...' and '->'", 0},
    {"\xe4\xb8\x80i,i\xc3\xa9->?", "2 2", "", "'?' is not a letter: an einsum string has letters, ',', '...' and '->'", 10},
    {"ij,jk->ik", "2x3", "", "the expression has 2 operands, but 1 was given", 3},
    {"ij,jk->ik", "2x3 3x4 4x5", "", "the expression has 2 operands, but 3 were given", 5},
    {"ij,jk->ik", "", "", "the expression has 2 operands, but 0 were given", 0},
    {"i", "2 3", "", "the expression has 1 operand, but 2 were given", 1},
    {"ij->", "2x3x4", "", "operand 0 has 3 modes (2x3x4), but its term has 2 labels and no ellipsis", 0},
    {"ijk->", "2x3", "", "operand 0 has 2 modes (2x3), but its term has 3 labels", 0},
    {"i,jk->", "2 3", "", "operand 1 has 1 mode (3), but its term has 2 labels", 2},
    {"...ij->", "4", "", "operand 0 has 1 mode (4), but its term has 2 labels besides the ellipsis", 0},
    {"i->", ".", "", "operand 0 has 0 modes (scalar), but its term has 1 label", 0},
    {"ij,jk->ik", "2x3 4x5", "", "label j is 3 in operand 0 and 4 in operand 1", 3},
    {"ij,i->", "5x1 2", "", "label i is 5 in operand 0 and 2 in operand 1", 3},
    {"ij,i->", "5x1 2", "broadcast", "label i is 5 in operand 0 and 2 in operand 1", 3},
    {"i,i", "2 1", "", "label i is 2 in operand 0 and 1 in operand 1 (with --broadcast an extent of 1 would stretch)", 2},
    {"i,i", "1 2", "", "label i is 1 in operand 0 and 2 in operand 1 (with --broadcast an extent of 1 would stretch)", 2},
    {"ii->i", "2x3", "", "label i is 2 in mode 0 and 3 in mode 1 of operand 0", 1},
    {"ii->i", "2x1", "", "label i is 2 in mode 0 and 1 in mode 1 of operand 0 (with --broadcast an extent of 1 would stretch)", 1},
    {"iij,ij->", "2x2x3 2x4", "", "label j is 3 in operand 0 and 4 in operand 1", 5},
    {"ii->i", "2x3", "broadcast", "label i is 2 in mode 0 and 3 in mode 1 of operand 0", 1},
    {"i,i,i->", "1 2 3", "broadcast", "label i is 2 in operand 1 and 3 in operand 2", 4},
    {"\xc3\xa9\xce\xb2,\xce\xb2->\xc3\xa9", "2x3 4", "", "label β is 3 in operand 0 and 4 in operand 1", 5},
    {"...,...->...", "2x3 2x4", "", "dimension -1 of the ellipsis is 3 in operand 0 and 4 in operand 1", 4},
    {"i...,...->...", "7x3 5x4", "", "dimension -1 of the ellipsis is 3 in operand 0 and 4 in operand 1", 5},
    {"...i,...i->...i", "3x2 3x4", "", "label i is 2 in operand 0 and 4 in operand 1", 8},
    {"i->ii", "3", "", "label i stands twice in the output: a diagonal is written only with --write-diagonal", 4},
    {"i->ij", "3", "", "label j of the output is in no operand", 4},
    {"ij->jij", "2x3", "", "label j stands twice in the output: a diagonal is written only with --write-diagonal", 6},
    {"i,i->", "2:c64 2", "semiring=min-plus", "min-plus takes i32, i64, f16, bf16, f32 or f64, but operand 0 is c64", 0},
    {"i,i->", "2 2:c128", "semiring=max-times", "max-times takes i32, i64, f16, bf16, f32 or f64, but operand 1 is c128", 2},
    {"i,i->", "2:bool 2:bool", "semiring=max-plus", "max-plus takes i32, i64, f16, bf16, f32 or f64, but the result is bool", none},
    {"i->", "2:bool", "semiring=min-plus", "min-plus takes i32, i64, f16, bf16, f32 or f64, but the result is bool", none},
    {"i->", "2", "semiring=max-plus dtype=c64", "max-plus takes i32, i64, f16, bf16, f32 or f64, but the result is c64", none},
    {"i->", "2:c64", "dtype=f32", "the operands give c64 (complex), which cannot become f32 (real)", none},
    {"i->", "2:f32", "dtype=i64", "the operands give f32 (real), which cannot become i64 (integer)", none},
    {"i->", "2:i32", "dtype=bool", "the operands give i32 (integer), which cannot become bool (bool)", none},
    {"i->", "2", "dtype=bool", "the operands give f64 (real), which cannot become bool (bool)", none},
    {"i->", "2", "semiring=or-and dtype=f64", "or-and gives bool, but f64 is asked for", none},
    {"C[i] = A[i,j] + B[i,j]", "2x3 2x3", "", "a sum of terms (A + ...) is not supported: the right side of '=' is one product", 14},
    {"C[i] += A[i] + B[i]", "2 2", "", "a sum of terms (A + ...) is not supported: the right side of '+=' is one product", 13},
    {"C[i] = A[i] * B[i] + D[i]", "2 2 2", "", "a sum of terms (B + ...) is not supported: the right side of '=' is one product", 19},
    {"C[i] max= A[i] + B[i] * D[i]", "2 2 2", "", "'*' after '+': the right side is one product, its operators are all equal", 22},
    {"C[i] min= A[i] * B[i]", "2 2", "", "'min=' goes with '+', not with '*'", 15},
    {"C[i] or= A[i] * B[i]", "2 2", "", "'or=' goes with 'and', not with '*'", 14},
    {"C[i] = A[i] and B[i]", "2 2", "", "'=' goes with '*', not with 'and'", 12},
    {"C[i] max= A[i] and B[i]", "2 2", "", "'max=' goes with '+' or '*', not with 'and'", 15},
    {"C[i] -= A[i]", "2", "", "unknown assignment '-=': expected =, +=, min=, max= or or=", 5},
    {"C[i] *= A[i]", "2", "", "unknown assignment '*=': expected =, +=, min=, max= or or=", 5},
    {"C[i] = A[i] - B[i]", "2 2", "", "operator '-' is not supported: expected *, + or and", 12},
    {"C[i] = A[i] / B[i]", "2 2", "", "operator '/' is not supported: expected *, + or and", 12},
    {"C[i] = A[i] B[i]", "2 2", "", "expected an operator (*, + or and) or the end, found 'B'", 12},
    {"C[i] = A[i] or B[i]", "2 2", "", "expected an operator (*, + or and) or the end, found 'or'", 12},
    {"C[i] = 2 * A[i]", "2", "", "a number is not a tensor: factors are given by alpha", 7},
    {"C[i] = A[i,0]", "2x2", "", "a number is not an index: an index is a name", 11},
    {"C[i] = A[i+1]", "2", "", "'+' inside brackets: an index is a name alone", 10},
    {"C[i] = A[i", "2", "", "expected ',' or ']', found the end", 10},
    {"C[i] = A[i,]", "2", "", "expected an index, found ']'", 11},
    {"C[i] = A[,i]", "2", "", "expected an index or ']', found ','", 9},
    {"C[i] = A[i j]", "2x2", "", "expected ',' or ']', found 'j'", 11},
    {"C[i] = A[i]]", "2", "", "expected an operator (*, + or and) or the end, found ']'", 11},
    {"C[i] = A(i)", "2", "", "'(': indices stand in square brackets", 8},
    {"C[i] = (A[i] * B[i])", "2 2", "", "parentheses are not supported: the right side is one product", 7},
    {"C[i] = -A[i]", "2", "", "expected a tensor, found '-'", 7},
    {"C[i] =", "2", "", "expected a tensor, found the end", 6},
    {"C[i] == A[i]", "2", "", "expected a tensor, found '='", 6},
    {"C[i] = B[i] = A[i]", "2", "", "a second assignment", 12},
    {"C[i] = A[i] *", "2", "", "expected a tensor, found the end", 13},
    {"C[i]", "2", "", "expected an assignment (=, +=, min=, max= or or=), found the end", 4},
    {"A[i,j] * B[j,k]", "2x2 2x2", "", "expected an assignment (=, +=, min=, max= or or=), found '*'", 7},
    {"[i] = A[i]", "2", "", "expected a tensor, found '['", 0},
    {"= A[i]", "2", "", "expected a tensor, found '='", 0},
    {"C[i] = A[i] * C[i]", "2 2", "", "the output C cannot stand on the right side too", 14},
    {"C[i] += C[i]", "2", "", "the output C cannot stand on the right side too", 8},
    {"C[i,l] = A[i]", "2", "", "label l of the output is in no operand", 4},
    {"C[...] = A[i]", "2", "", "the output has an ellipsis, but no operand has one", 2},
    {"C[i] = A[..,i]", "2", "", "an ellipsis is three dots, found 2", 9},
    {"C[i] = A[...,i,...]", "2", "", "a second ellipsis in operand 0", 15},
    {"C[i] = and[i]", "2", "", "'and' is an operator: a tensor cannot have this name", 7},
    {"C[i] = A[B[i]]", "2", "", "expected ',' or ']', found '['", 10},
    {"ij,jk=ik", "2x3 3x4", "", "expected an assignment, found ',': an einsum string has no '[' or '='", 2},
    {"ij,jk[->ik", "2x3 3x4", "", "expected an assignment, found ',': an einsum string has no '[' or '='", 2},
    {"C[i]\n = A[i]\n * B[j", "2 2", "", "expected ',' or ']', found the end", 19},
    {"C[i] = A[i] * A[j] * B[i]", "2 2 3", "", "label i is 2 in operand 0 (A) and 3 in operand 2 (B)", 23},
    {"C[row] = A[row,k] * B[k]", "2x3 4", "", "label k is 3 in operand 0 (A) and 4 in operand 1 (B)", 22},
    {"C[row] = A[row,k] * B[k]", "2x3", "", "the expression has 2 operands, but 1 was given", 20},
    {"C[row] = A[row,k]", "2", "", "operand 0 (A) has 1 mode (2), but its term has 2 labels", 9},
    {"s = A[i] * B[i]", "2 1", "", "label i is 2 in operand 0 (A) and 1 in operand 1 (B) (with --broadcast an extent of 1 would stretch)", 13},
    {"C[i,i] = A[i]", "2", "", "label i stands twice in the output: a diagonal is written only with --write-diagonal", 4},
    {"C[i] min= A[i]", "2:c64", "", "min-plus takes i32, i64, f16, bf16, f32 or f64, but operand 0 (A) is c64", 10},
    {"C[i] = A[\xff]", "2", "", "expected an index or ']', found byte 0xff, which is not UTF-8", 9},
  };
  // clang-format on
  return table;
}

}  // namespace

TEST_CASE("each wrong text gives its message and its place", "[errors]") {
  for (const Row& row : rows()) {
    INFO("text: " << row.text << "  shapes: " << row.shapes << "  options: " << row.options);
    const Error error = error_of([&] { bind_text(row.text, row.shapes, row.options); });
    CHECK(error.kind() == Error::Kind::input);
    CHECK(error.message() == row.message);
    CHECK(error.position() == row.position);
    if (row.position != none) CHECK(error.text() == row.text);
  }
  CHECK(rows().size() >= 100);
}

TEST_CASE("the caret stands under the fault, counted in code points", "[errors]") {
  const auto what = [](const std::string& text, const std::string& shapes) {
    return std::string(error_of([&] { bind_text(text, shapes); }).what());
  };
  CHECK(what("ij,i->", "5x1 2") == "label i is 5 in operand 0 and 2 in operand 1\n  ij,i->\n     ^");
  CHECK(what("\xc3\xa9\xce\xb2,\xce\xb2->", "2x3 4") ==
        "label \xce\xb2 is 3 in operand 0 and 4 in operand 1\n  \xc3\xa9\xce\xb2,\xce\xb2->\n     ^");
  CHECK(what("C[i] =\n\tA[i] *\n\tB[j", "2 2") == "expected ',' or ']', found the end\n   B[j\n      ^");
  CHECK(what("i\x1b[2J", "2") == "expected an assignment (=, +=, min=, max= or or=), found U+001B\n  i\\x1b[2J\n   ^");
  CHECK(what("i\xe2\x80\xaej", "2") ==
        "U+202E is not a letter: an einsum string has letters, ',', '...' and '->'\n  i\\u{202e}j\n   ^");
}

TEST_CASE("a very long line is shown around its fault", "[errors]") {
  std::string text;
  for (int i = 0; i < 5000; ++i) text += "ij,";
  text[9000] = '?';
  const Error error = error_of([&] { parse(text); });
  CHECK(error.position() == 9000);
  const std::string what = error.what();
  CHECK(what.size() < 500);
  const std::size_t line = what.find("\n  ") + 3, caret = what.rfind('^');
  const std::size_t caret_line = what.rfind('\n') + 3;
  // The window starts with one three-byte ellipsis, which is one column.
  CHECK(what[line + 2 + (caret - caret_line)] == '?');
}

TEST_CASE("interleaved errors name operand and id", "[errors]") {
  using Ids = std::vector<std::vector<std::int64_t>>;
  const auto message = [](const Ids& ids, const std::vector<std::int64_t>* output = nullptr) {
    return error_of([&] { interleaved(ids, output); }).message();
  };
  CHECK(message({{0, 1}, {1, -3}}) == "label -3 in operand 1 is negative: label ids start at 0");
  CHECK(message({{ellipsis_id, 0, ellipsis_id}}) == "a second ellipsis in operand 0");
  CHECK(message({}) == "an expression has at least one operand");
  const std::vector<std::int64_t> absent{7}, negative{-1}, dots{ellipsis_id}, twice{ellipsis_id, ellipsis_id};
  CHECK(message({{0, 1}}, &absent) == "label 7 of the output is in no operand");
  CHECK(message({{0, 1}}, &negative) == "label -1 in the output is negative: label ids start at 0");
  CHECK(message({{0, 1}}, &dots) == "the output has an ellipsis, but no operand has one");
  CHECK(message({{ellipsis_id}}, &twice) == "a second ellipsis in the output");

  const Expr expr = interleaved({{20, 27}, {27, 1000}}, nullptr);
  const auto bound = [&](const std::string& shapes) {
    return error_of([&] { einloom::bind(expr, operands_from(shapes)); });
  };
  CHECK(bound("2x3 4x5").message() == "label 27 is 3 in operand 0 and 4 in operand 1");
  CHECK(bound("2x3 4x5").position() == none);
  CHECK(std::string(bound("2x3 4x5").what()) == bound("2x3 4x5").message());
  CHECK(bound("2x3").message() == "the expression has 2 operands, but 1 was given");
  CHECK(bound("2 3x5").message() == "operand 0 has 1 mode (2), but its term has 2 labels");
}

TEST_CASE("negative extents and no operands are refused", "[errors]") {
  TensorDesc desc = dense_desc(DType::f64, {2, 3});
  desc.extents[1] = -3;
  CHECK(error_of([&] { einloom::bind(parse("ij->"), {desc}); }).message() ==
        "mode 1 of operand 0 has the negative extent -3");
  CHECK(error_of([&] { einloom::bind(Expr{}, {}); }).message() == "an expression has at least one operand");
}

TEST_CASE("any bytes parse or give an Error inside the text", "[errors]") {
  const std::vector<std::string> pieces = {"i", "j", "k",        ",",    "->",   "...", " ",   "[",   "]",
                                           "=", "+", "*",        "min=", "and ", "A[",  "-",   ">",   ".",
                                           "1", "_", "\xc3\xa9", "\xff", "\xc3", "\n",  "or=", "\x01"};
  std::uint32_t state = 12345;
  const auto next = [&state](std::size_t bound) {
    state = state * 1664525u + 1013904223u;
    return static_cast<std::size_t>(state >> 8) % bound;
  };
  for (int round = 0; round < 200000; ++round) {
    std::string text;
    for (std::size_t n = next(12); n-- > 0;) text += pieces[next(pieces.size())];
    try {
      const Expr expr = parse(text);
      if (expr.text != text || expr.inputs.empty()) FAIL("wrong Expr of " << text);
    } catch (const Error& error) {
      if (error.kind() != Error::Kind::input || error.position() > text.size() || error.message().empty()) FAIL(text);
    }
  }
}

#include <chrono>

#include "tests/frontend/case_support.h"
#include "tests/support/catch.h"

using namespace einloom;
using namespace einloom::test;

namespace {

// "<i><j>,<j><k>-><i><k>": what was understood, "=>" before an implicit output.
std::string read(const Expr& expr) {
  const auto term_text = [&](const Term& term) {
    std::string out;
    for (std::size_t i = 0; i <= term.labels.size(); ++i) {
      if (term.ellipsis == static_cast<int>(i)) out += "...";
      if (i < term.labels.size())
        out.append("<").append(expr.names[static_cast<std::size_t>(term.labels[i])]).append(">");
    }
    return out;
  };
  std::string out;
  for (std::size_t t = 0; t < expr.inputs.size(); ++t) {
    if (t > 0) out += ',';
    out += term_text(expr.inputs[t]);
  }
  out += expr.explicit_output ? "->" : "=>";
  return out + term_text(expr.output);
}

}  // namespace

TEST_CASE("einsum strings", "[parse]") {
  const std::vector<std::pair<std::string, std::string>> table = {
      {"ij,jk->ik", "<i><j>,<j><k>-><i><k>"},
      {"ij,jk", "<i><j>,<j><k>=><i><k>"},
      {"ba", "<b><a>=><a><b>"},
      {"i,i", "<i>,<i>=>"},
      {"ii", "<i><i>=>"},
      {"bA", "<b><A>=><A><b>"},
      {"", "=>"},
      {"->", "->"},
      {",->", ",->"},
      {",", ",=>"},
      {",i,", ",<i>,=><i>"},
      {"  ", "=>"},
      {" i j , j\tk -> i  k ", "<i><j>,<j><k>-><i><k>"},
      {"i\n,\nj", "<i>,<j>=><i><j>"},
      {"...ij,...jk->...ik", "...<i><j>,...<j><k>->...<i><k>"},
      {"...ij,jk...", "...<i><j>,<j><k>...=>...<i><k>"},
      {"i...j", "<i>...<j>=>...<i><j>"},
      {"i... -> i", "<i>...-><i>"},
      {"...", "...=>..."},
      {"t...i,ti->t...", "<t>...<i>,<t><i>-><t>..."},
      {"ii->ii", "<i><i>-><i><i>"},
      {"\xc3\xa9\xce\xb2,\xce\xb2\xe4\xb8\x80->\xe4\xb8\x80",
       "<\xc3\xa9><\xce\xb2>,<\xce\xb2><\xe4\xb8\x80>-><\xe4\xb8\x80>"},
      {"\xe4\xb8\x80\xc3\xa9z", "<\xe4\xb8\x80><\xc3\xa9><z>=><z><\xc3\xa9><\xe4\xb8\x80>"},
      {"\xf0\xa0\x80\x80 \xf0\x90\x8e\x80->\xf0\x90\x8e\x80",
       "<\xf0\xa0\x80\x80><\xf0\x90\x8e\x80>-><\xf0\x90\x8e\x80>"},
  };
  for (const auto& [text, wanted] : table) {
    INFO("text: '" << text << "'");
    const Expr expr = parse(text);
    CHECK(read(expr) == wanted);
    CHECK(expr.text == text);
    CHECK(expr.semiring == Semiring::plus_times);
    CHECK_FALSE(expr.names_semiring);
    CHECK_FALSE(expr.accumulate);
  }
  CHECK(read(parse(std::string_view())) == "=>");
}

TEST_CASE("positions of labels and terms", "[parse]") {
  const Expr expr = parse(" ij ,\xc3\xa9 ...k-> k\xc3\xa9");
  CHECK(expr.inputs[0].positions == std::vector<std::size_t>{1, 2});
  CHECK(expr.inputs[0].begin == 1);
  CHECK(expr.inputs[0].end == 3);
  CHECK(expr.inputs[1].positions == std::vector<std::size_t>{5, 11});
  CHECK(expr.inputs[1].ellipsis == 1);
  CHECK(expr.inputs[1].begin == 5);
  CHECK(expr.inputs[1].end == 12);
  CHECK(expr.output.positions == std::vector<std::size_t>{15, 16});
  CHECK(expr.output.begin == 15);
  CHECK(expr.output.end == 18);

  const Expr index = parse("C[row] = A [ row , k ] * x");
  CHECK(index.output.begin == 0);
  CHECK(index.output.end == 6);
  CHECK(index.inputs[0].begin == 9);
  CHECK(index.inputs[0].end == 22);
  CHECK(index.inputs[0].positions == std::vector<std::size_t>{13, 19});
  CHECK(index.inputs[1].begin == 25);
  CHECK(index.inputs[1].end == 26);
}

TEST_CASE("index notation", "[parse]") {
  struct Row {
    std::string text, einsum;
    Semiring semiring;
    bool accumulate;
  };
  const std::vector<Row> table = {
      {"C[row,col] = A[row,k] * B[k,col]", "<row><k>,<k><col>-><row><col>", Semiring::plus_times, false},
      {"C[i,k]+=A[i,j]*B[j,k]", "<i><j>,<j><k>-><i><k>", Semiring::plus_times, true},
      {"C[i] min= A[i,j] + x[j]", "<i><j>,<j>-><i>", Semiring::min_plus, false},
      {"C[i]max=A[i,j]+x[j]", "<i><j>,<j>-><i>", Semiring::max_plus, false},
      {"C[i] max= A[i,j] * x[j]", "<i><j>,<j>-><i>", Semiring::max_times, false},
      {"C[i] or= A[i,j] and x[j]", "<i><j>,<j>-><i>", Semiring::or_and, false},
      {"C[i] or= A[i,j]and x[j]and y[j]", "<i><j>,<j>,<j>-><i>", Semiring::or_and, false},
      {"C[i] = A[i,j]", "<i><j>-><i>", Semiring::plus_times, false},
      {"C[i] += A[i,j]", "<i><j>-><i>", Semiring::plus_times, true},
      {"C[i] min= A[i,j]", "<i><j>-><i>", Semiring::min_plus, false},
      {"C[i] max= A[i,j]", "<i><j>-><i>", Semiring::max_plus, false},
      {"C[i] or= A[i,j]", "<i><j>-><i>", Semiring::or_and, false},
      {"s[] = A[i]", "<i>->", Semiring::plus_times, false},
      {"s = A[i] * B[i]", "<i>,<i>->", Semiring::plus_times, false},
      {"s=a*b*c", ",,->", Semiring::plus_times, false},
      {"min = max", "->", Semiring::plus_times, false},
      {"min min= max + min1", ",->", Semiring::min_plus, false},
      {"r = android", "->", Semiring::plus_times, false},
      {"r or= x and android", ",->", Semiring::or_and, false},
      {"C[...,i] = A[...,i,j] * B[j]", "...<i><j>,<j>->...<i>", Semiring::plus_times, false},
      {"C[i] = A[i, ...]", "<i>...-><i>", Semiring::plus_times, false},
      {"C[i] = A[i,i]", "<i><i>-><i>", Semiring::plus_times, false},
      {" C [ i_1 ]\n= A [ i_1 , _x ] ", "<i_1><_x>-><i_1>", Semiring::plus_times, false},
      {"\xce\xa3[\xce\xb1\xce\xb2] = A[\xce\xb1\xce\xb2,k]", "<\xce\xb1\xce\xb2><k>-><\xce\xb1\xce\xb2>",
       Semiring::plus_times, false},
  };
  for (const Row& row : table) {
    INFO("text: " << row.text);
    const Expr expr = parse(row.text);
    CHECK(read(expr) == row.einsum);
    CHECK(expr.semiring == row.semiring);
    CHECK(expr.accumulate == row.accumulate);
    CHECK(expr.names_semiring);
    CHECK(expr.explicit_output);
  }
}

TEST_CASE("labels are numbered over the operands in both notations", "[parse]") {
  const Expr einsum = parse("ij,jk->ki"), index = parse("C[k,i] = A[i,j] * B[j,k]");
  CHECK(einsum.names == index.names);
  CHECK(einsum.output.labels == index.output.labels);
  CHECK(index.output.labels == std::vector<int>{2, 0});
}

TEST_CASE("a tensor named twice is one operand", "[parse]") {
  std::vector<std::string> names;
  CHECK(operand_of(parse("C[i,l] = A[i,j] * B[j,k] * A[k,l]"), &names) == std::vector<int>{0, 1, 0});
  CHECK(names == std::vector<std::string>{"A", "B"});
  CHECK(operand_of(parse("ij,jk,kl->il"), &names) == std::vector<int>{0, 1, 2});
  CHECK(names == std::vector<std::string>{"", "", ""});
}

TEST_CASE("interleaved form", "[parse]") {
  const std::vector<std::int64_t> output{1000, 20};
  CHECK(read(interleaved({{20, 27}, {27, 51, 1000}}, &output)) == "<20><27>,<27><51><1000>-><1000><20>");
  CHECK(read(interleaved({{1000, 27}, {27, 51, 9}}, nullptr)) == "<1000><27>,<27><51><9>=><9><51><1000>");
  CHECK(read(interleaved({{ellipsis_id, 2, 1}, {}}, nullptr)) == "...<2><1>,=>...<1><2>");
  const std::vector<std::int64_t> scalar;
  CHECK(read(interleaved({{0, INT64_MAX}}, &scalar)) == "<0><9223372036854775807>->");
}

TEST_CASE("many operands parse and bind in linear time", "[parse]") {
  const auto start = std::chrono::steady_clock::now();
  std::string chain, index = "C[x0,x100000] = ";
  std::vector<TensorDesc> operands;
  for (int t = 0; t < 10000; ++t) {
    chain += t > 0 ? ",ij" : "ij";
    operands.push_back(dense_desc(DType::f32, {2, 3}));
  }
  CHECK(einloom::bind(parse(chain + "->j"), operands).inputs.size() == 10000);
  for (int t = 0; t < 100000; ++t) {
    index += (t > 0 ? " * T" : "T") + std::to_string(t) + "[x" + std::to_string(t) + ",x" + std::to_string(t + 1) + "]";
  }
  const Expr long_chain = parse(index);
  CHECK(long_chain.inputs.size() == 100000);
  CHECK(long_chain.names.size() == 100001);
  CHECK(parse(std::string(3000000, ',')).inputs.size() == 3000001);
  CHECK(parse(std::string(3000000, 'i')).inputs[0].labels.size() == 3000000);
  CHECK(parse(std::string(3000000, ' ') + "i").names.size() == 1);
  CHECK_THROWS_AS(parse(std::string(3000000, '[')), Error);
  CHECK_THROWS_AS(parse(std::string(3000000, '.')), Error);
  CHECK(std::chrono::steady_clock::now() - start < std::chrono::seconds(30));
}

TEST_CASE("thousands of distinct letters are labels", "[parse]") {
  std::string text;
  for (unsigned c = 0x4E00; c < 0x4E00 + 5000; ++c) {  // CJK ideographs, three bytes each
    text += static_cast<char>(0xE0 | (c >> 12));
    text += static_cast<char>(0x80 | ((c >> 6) & 0x3F));
    text += static_cast<char>(0x80 | (c & 0x3F));
  }
  const Expr expr = parse(text);
  CHECK(expr.names.size() == 5000);
  CHECK(expr.output.labels.size() == 5000);
  CHECK(expr.output.labels.front() == 0);
  CHECK(expr.output.labels.back() == 4999);
}

TEST_CASE("the stage expr", "[parse]") {
  CHECK(to_string(parse("ij,...j")) ==
        "operand 0  [i, j]\noperand 1  [..., j]\noutput     [..., i]  (implicit)\nsemiring   plus-times\n");
  CHECK(to_string(parse("C[i] += A[i,k]")) ==
        "operand 0  A[i, k]\noutput     C[i]\nsemiring   plus-times, accumulated onto the output\n");
}

// Random and damaged texts through parse() and bind(): each gives a Contraction or an Error of kind input whose caret
// lies in the text.
//
//   fuzz_parser [--seconds N] [--seed S] [--n N] [--only I]
#include "frontend/contraction.h"
#include "tests/fuzz/fuzz.h"

namespace {

using namespace einloom;
using namespace einloom::test;

const char* const corpus[] = {"ij,jk->ik",
                              "i...,...j->...",
                              "ii->i",
                              ",->",
                              "->",
                              "",
                              "abcde,bdace->abe",
                              "ij, jk",
                              "...",
                              "i,i",
                              "C[i,k] = A[i,j] * B[j,k]",
                              "C[i] min= A[i,j] + x[j]",
                              "D[row,col] += left[row,k] * right[k,col]",
                              "C[i] or= A[i,j] and B[j]",
                              "out[a] max= T[a,b] * T[b,a]",
                              "C[] = A[i] * B[i]",
                              "\xce\xb1\xce\xb2,\xce\xb2->\xce\xb1",
                              "C[i,j] = A[i,j] + B[i,j]",
                              "\xe4\xb8\x80\xe4\xba\x8c->\xe4\xba\x8c",
                              "Aa,aA->"};

const std::string alphabet = "abcijkXYZ,,->->....[]=*+ ()minmaxorand_019\t\n\xce\xb1\xcc\x81\xff";

std::string make_text(Random& random) {
  if (chance(random, 0.7)) {
    std::string text = corpus[random() % std::size(corpus)];
    if (chance(random, 0.15)) text += corpus[random() % std::size(corpus)];
    return chance(random, 0.1) ? text : damaged(random, text, alphabet);
  }
  std::string text;
  for (std::int64_t size = draw(random, 0, 40); size > 0; --size) {
    text += chance(random, 0.05) ? static_cast<char>(random() & 0xff) : alphabet[random() % alphabet.size()];
  }
  return text;
}

TensorDesc make_desc(Random& random, std::size_t labels) {
  std::vector<std::int64_t> extents;
  const std::int64_t modes = chance(random, 0.8) ? static_cast<std::int64_t>(labels) : draw(random, 0, 6);
  for (std::int64_t m = 0; m < modes && m < 64; ++m) {
    extents.push_back(chance(random, 0.7)   ? 3
                      : chance(random, 0.1) ? draw(random, -2, INT64_MAX / 2)
                                            : draw(random, 0, 4));
  }
  const auto type = static_cast<DType>(random() % dtype_count);
  return dense_desc(type, extents, std::vector<std::int64_t>(extents.size(), 1));
}

std::string once(Random& random) {
  const std::string text = make_text(random);
  try {
    const Expr expr = parse(text);
    std::vector<TensorDesc> operands;
    for (const Term& term : expr.inputs) operands.push_back(make_desc(random, term.labels.size()));
    if (chance(random, 0.05)) operands.push_back(make_desc(random, 1));
    BindOptions options;
    options.broadcast = chance(random, 0.3);
    options.write_diagonal = chance(random, 0.3);
    options.has_dtype = chance(random, 0.2);
    options.dtype = static_cast<DType>(random() % dtype_count);
    options.has_semiring = chance(random, 0.3);
    options.semiring = static_cast<Semiring>(random() % semiring_count);
    const Contraction contraction = einloom::bind(expr, operands, options);
    if (contraction.inputs.size() != operands.size()) return "operands were lost in '" + text + "'";
    to_string(expr);
    to_string(contraction);
  } catch (const Error& error) {
    if (error.kind() != Error::Kind::input) throw;
    if (error.message().empty()) return "an error without a message for '" + text + "'";
    if (error.position() != Error::no_position && error.position() > error.text().size()) {
      return "the caret lies outside of '" + text + "'";
    }
  }
  return {};
}

}  // namespace

int main(int argc, char** argv) { return run_fuzz("fuzz_parser", argc, argv, once); }

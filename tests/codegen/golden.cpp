// Golden texts: plan, loop IR and LLVM IR of a few expressions for one fictitious processor.
//
// A change that is called a refactoring leaves them byte-identical. EINLOOM_UPDATE_GOLDENS=1 in the environment writes
// them anew.
#include <cstdlib>
#include <fstream>
#include <sstream>

#include "codegen/codegen.h"
#include "frontend/contraction.h"
#include "frontend/error.h"
#include "planner/plan.h"
#include "tests/support/catch.h"

namespace einloom {

namespace {

struct Golden {
  const char* name;
  const char* expr;
  std::vector<TensorDesc> operands;
  Layout layout = Layout::dense;
  bool scaled = false;
};

Target fictitious(int vector_bytes) {
  Target t;
  t.arch = vector_bytes == 64 ? "x86-64-v4" : vector_bytes == 32 ? "x86-64-v3" : "x86-64";
  t.features = "";
  t.vector_bytes = vector_bytes;
  t.vector_registers = vector_bytes == 64 ? 32 : 16;
  t.units = 4;
  return t;
}

const std::vector<std::int64_t> m{64, 48}, n{48, 80};

std::vector<Golden> goldens() {
  const auto d = [](DType t, std::vector<std::int64_t> e) { return dense_desc(t, std::move(e)); };
  const auto s = [](std::vector<std::int64_t> e, std::int64_t nnz, Format f) {
    return sparse_desc(DType::f64, std::move(e), nnz, std::move(f));
  };
  return {
      {"pointwise", "ij,ij->ij", {d(DType::f32, m), d(DType::f32, m)}},
      {"row_sum", "ij->i", {d(DType::f64, m)}},
      {"column_sum", "ij->j", {d(DType::f64, m)}},
      {"permute", "ijk->kij", {d(DType::f32, {6, 7, 8})}},
      {"diagonal", "ii->i", {d(DType::c128, {9, 9})}},
      {"half_dot", "i,i->", {d(DType::f16, {100}), d(DType::bf16, {100})}},
      {"min_plus", "C[i,k] min= A[i,j] + B[j,k]", {d(DType::i32, {5, 6}), d(DType::i32, {6, 7})}},
      {"product", "ij,jk->ik", {d(DType::f32, m), d(DType::f32, n)}, Layout::dense, true},
      {"spmm", "ij,jk->ik", {s(m, 300, csr()), d(DType::f64, n)}},
      {"coo_vector", "ij,j->i", {s(m, 300, coo()), d(DType::f64, {48})}},
      {"intersect", "ijk,ijk->ij", {s({20, 30, 40}, 500, csf()), s({20, 30, 40}, 500, csf())}},
      {"spgemm", "ij,jk->ik", {s(m, 300, csf()), s(n, 300, csf())}, Layout::csf},
      {"sddmm", "ij,ik,jk->ij", {s(m, 300, csf()), d(DType::f64, {64, 16}), d(DType::f64, {48, 16})}, Layout::csf},
      {"mttkrp", "ijk,jr,kr->ir", {s({20, 30, 40}, 500, csf()), d(DType::f64, {30, 8}), d(DType::f64, {40, 8})}},
      {"published",
       "abcde,bdace->abe",
       {s({50, 50, 50, 20, 10}, 100000, csf()), s({50, 20, 50, 50, 10}, 100000, csf())}},
  };
}

Plan plan_of(const Golden& g, const Target& target) {
  const Contraction c = einloom::bind(parse(g.expr), g.operands);
  PlanOptions options;
  options.layout = g.layout;
  options.scaled = g.scaled;
  return make_plan(c, options, target);
}

std::string text_of(const Golden& g) {
  const Target target = fictitious(32);
  const Plan plan = plan_of(g, target);
  std::string text = std::string(g.expr) + "\n\n" + to_string(plan);
  for (const Step& step : plan.steps) {
    if (step.strategy != Strategy::loops && step.strategy != Strategy::gett) continue;
    const Source source = generate(step, target);
    std::string ir = source.text;
    const std::string hash = source.key.hex();  // depends on LLVM's version
    for (std::size_t at = ir.find(hash); at != std::string::npos; at = ir.find(hash, at))
      ir.replace(at, hash.size(), "HASH");
    text += "\n" + source.kernel_text + "\n" + ir;
  }
  return text;
}

std::string read_file(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  std::ostringstream out;
  out << in.rdbuf();
  return out.str();
}

}  // namespace

TEST_CASE("generated text is what it was") {
  for (const Golden& g : goldens()) {
    const std::string path = std::string(EINLOOM_GOLDENS) + "/" + g.name + ".txt", text = text_of(g);
    if (std::getenv("EINLOOM_UPDATE_GOLDENS")) std::ofstream(path, std::ios::binary) << text;
    INFO(path
         << ": if the change is meant, run EINLOOM_UPDATE_GOLDENS=1 bin/test_codegen 'generated text is what it was'");
    CHECK(read_file(path) == text);
  }
}

TEST_CASE("everything generated compiles for three generations of processors") {
  for (int vector_bytes : {16, 32, 64}) {
    const Target target = fictitious(vector_bytes);
    for (const Golden& g : goldens()) {
      INFO(g.name << " with vectors of " << vector_bytes << " bytes");
      for (const Step& step : plan_of(g, target).steps) {
        if (step.strategy != Strategy::loops && step.strategy != Strategy::gett) continue;
        const Source source = generate(step, target);
        CHECK(compile(source, target).object.substr(1, 3) == "ELF");
        CHECK(assemble(source, target).find(source.symbols.front()) != std::string::npos);
      }
    }
  }
}

TEST_CASE("generation is a function of its arguments") {
  for (const Golden& g : goldens()) CHECK(text_of(g) == text_of(g));
}

TEST_CASE("labels never reach generated text") {
  const auto descs = [] { return std::vector<TensorDesc>{dense_desc(DType::f64, m), dense_desc(DType::f64, n)}; };
  const Target target = fictitious(32);
  const auto source = [&](const char* expr) {
    const Plan plan = make_plan(einloom::bind(parse(expr), descs()), {}, target);
    return generate(plan.steps.front(), target).text;
  };
  CHECK(source("ij,jk->ik") == source("xy,yz->xz"));
  CHECK(source("ij,jk->ik") == source("C[row,column] = A[row,shared] * B[shared,column]"));
}

}  // namespace einloom

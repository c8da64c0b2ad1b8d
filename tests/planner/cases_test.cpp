// Inputs on which planners have failed, and the structure that steps of known kinds must have.
#include "check_plan.h"
#include "frontend/error.h"
#include "random_contraction.h"
#include "tests/support/catch.h"

using namespace einloom;

namespace {

Target big_target() {
  Target target;
  target.units = 16;
  target.vector_bytes = 64;
  target.vector_registers = 32;
  target.memory = std::int64_t{64} << 30;
  return target;
}

Plan planned(const Contraction& c, PlanOptions options = {}) {
  const Plan plan = make_plan(c, options, big_target());
  REQUIRE(check_plan(plan, c, options, big_target()) == "");
  return plan;
}

TensorDesc sparse(std::vector<std::int64_t> extents, std::int64_t nnz, Format format = csf()) {
  return sparse_desc(DType::f64, std::move(extents), nnz, std::move(format));
}
TensorDesc dense(std::vector<std::int64_t> extents) { return dense_desc(DType::f64, std::move(extents)); }

PlanOptions to_layout(Layout layout) {
  PlanOptions options;
  options.layout = layout;
  return options;
}

// "ijk": the names of the loops, outermost first.
std::string loops(const Step& step) {
  std::string text;
  for (const Loop& loop : step.loops) text += step.label_names[static_cast<std::size_t>(loop.label)];
  return text;
}

std::string refusal(const Contraction& c, const PlanOptions& options, Error::Kind kind) {
  try {
    make_plan(c, options, big_target());
  } catch (const Error& error) {
    REQUIRE(error.kind() == kind);
    return error.message();
  }
  return "accepted";
}

}  // namespace

TEST_CASE("eight tensors of extent 6 stay pairwise, with a memory limit too") {
  const Contraction c =
      dense_contraction("gfl,egh,efj,mjk,cdn,bck,bdi,oih->lmno", "abcdefghijklmno", std::vector<std::int64_t>(15, 6));
  REQUIRE(planned(c).flops <= 200000);
  PlanOptions limited;
  limited.memory_limit = 10000;
  REQUIRE(planned(c, limited).flops <= 2e6);
  limited.memory_limit = 100;
  REQUIRE(refusal(c, limited, Error::Kind::memory).find("needs") != std::string::npos);
}

TEST_CASE("a Hadamard product that exists keeps the peak at n squared") {
  const Plan plan = planned(dense_contraction("ij,jk,kl,jk->il", "ijkl", {500, 500, 500, 500}));
  REQUIRE(plan.peak_bytes <= 2 * 500 * 500 * 8 + 64);
  REQUIRE(plan.flops <= 2.1 * 2 * 500.0 * 500 * 500);
}

TEST_CASE("sixteen operands and a core stay below a memory limit") {
  Contraction c;
  std::vector<int> core;
  for (int i = 0; i < 16; ++i) {
    c.inputs.push_back({0, 1, 2, 3 + i});
    c.operands.push_back(dense({512, 25, 25, 2}));
    core.push_back(3 + i);
  }
  core.push_back(19);
  c.inputs.push_back(core);
  c.operands.push_back(dense(std::vector<std::int64_t>(17, 2)));
  c.extents.assign(20, 2);
  c.extents[0] = 512;
  c.extents[1] = c.extents[2] = 25;
  c.output = {0, 1, 2, 19};
  PlanOptions limited;
  limited.memory_limit = std::int64_t{1} << 30;
  REQUIRE(planned(c, limited).peak_bytes <= limited.memory_limit);
}

TEST_CASE("extents of 0 are instant") {
  const Plan plan = planned(dense_contraction("abc,cd,de,eba->", "abcde", {2000, 2000, 0, 0, 0}));
  REQUIRE(plan.steps.size() == 1);
  REQUIRE(plan.steps[0].extents[0] == 0);  // the empty loop is outermost
  REQUIRE(planned(dense_contraction("ij,j->i", "ij", {0, 3})).flops == 0);
  REQUIRE(planned(dense_contraction("abc,a,b->c", "abc", {1, 1, 0})).flops == 0);
}

TEST_CASE("labels of extent 1 are gone before anything is planned") {
  const Plan plan = planned(dense_contraction("az,bz,cz,abc->z", "abcz", {4, 4, 4, 1}));
  for (const Step& step : plan.steps) {
    for (const std::int64_t e : step.extents) REQUIRE(e > 1);
  }
}

TEST_CASE("modes that move together are one") {
  const Plan plan = planned(dense_contraction("abcd,cdef->abef", "abcdef", {8, 8, 8, 8, 8, 8}));
  REQUIRE(plan.steps[0].strategy == Strategy::gett);
  REQUIRE(plan.steps[0].extents == std::vector<std::int64_t>{64, 64, 64});
  REQUIRE(plan.steps[0].label_names == std::vector<std::string>{"ab", "ef", "cd"});
}

TEST_CASE("a matrix product is packed, with the output's unit stride in n") {
  const Plan plan = planned(dense_contraction("ij,jk->ki", "ijk", {300, 400, 500}));
  const Step& step = plan.steps[0];
  REQUIRE(step.strategy == Strategy::gett);
  REQUIRE(step.label_names == std::vector<std::string>{"k", "i", "j"});
  REQUIRE(step.gett.mr == 12);
  REQUIRE(step.gett.nr == 16);
}

TEST_CASE("sums over rows are direct, over columns private or in place") {
  REQUIRE(planned(dense_contraction("ij,j->i", "ij", {4000, 4000})).steps[0].accumulate == Accumulate::direct);
  const Step columns = planned(dense_contraction("ij->j", "ij", {4000, 4000})).steps[0];
  REQUIRE(loops(columns) == "ij");
  REQUIRE(columns.accumulate == Accumulate::partial);
  REQUIRE(planned(dense_contraction("ij->", "ij", {4000, 4000})).steps[0].accumulate == Accumulate::partial);
  REQUIRE(planned(dense_contraction("ij->j", "ij", {40, 40})).steps[0].accumulate == Accumulate::in_place);
}

TEST_CASE("matrix-vector products in disguise read their big operand in order, in one step") {
  const Plan plan = planned(dense_contraction("jk,ijkl->il", "ijkl", {160, 160, 160, 160}));
  REQUIRE(plan.steps.size() == 1);
  REQUIRE(plan.peak_bytes == 0);
  REQUIRE(loops(plan.steps[0]) == "ijkl");
  const Plan small = planned(dense_contraction("ac,abc->cb", "abc", {2, 2, 2000}));
  REQUIRE(small.steps.size() == 1);
  REQUIRE(loops(small.steps[0]).back() == 'c');
}

TEST_CASE("sparse times dense runs over the matrix's levels, the dense columns innermost") {
  const Plan plan = planned(contraction_of("ij,jk->ik", {sparse({100000, 100000}, 1000000), dense({100000, 64})}));
  REQUIRE(plan.steps.size() == 1);
  REQUIRE(loops(plan.steps[0]) == "ijk");
  REQUIRE(plan.steps[0].accumulate == Accumulate::in_place);
  REQUIRE(plan.steps[0].chunks == 128);
}

TEST_CASE("SDDMM and MTTKRP are one fused step") {
  const Plan sddmm = planned(
      contraction_of("ij,ik,jk->ij", {sparse({100000, 100000}, 1000000), dense({100000, 64}), dense({100000, 64})}),
      to_layout(Layout::csf));
  REQUIRE(sddmm.steps.size() == 1);
  REQUIRE(loops(sddmm.steps[0]) == "ijk");
  REQUIRE(sddmm.steps[0].accumulate == Accumulate::append);
  const Plan mttkrp = planned(contraction_of(
      "ijk,jr,kr->ir", {sparse({10000, 10000, 10000}, 1000000), dense({10000, 32}), dense({10000, 32})}));
  REQUIRE(mttkrp.steps.size() == 1);
  REQUIRE(loops(mttkrp.steps[0]) == "ijkr");
}

TEST_CASE("sparse products gather a row before they append it") {
  const Plan plan =
      planned(contraction_of("ij,jk->ik", {sparse({50000, 50000}, 500000), sparse({50000, 50000}, 500000)}),
              to_layout(Layout::csf));
  REQUIRE(loops(plan.steps[0]) == "ijk");
  REQUIRE(plan.steps[0].accumulate == Accumulate::workspace);
  REQUIRE(plan.steps[0].workspace == 1);
  // A sum outside an appended level needs an accumulator between.
  const Plan outside = planned(contraction_of("ijk,ilm->jklm", {sparse({20, 20, 20}, 20), sparse({20, 20, 20}, 20)}),
                               to_layout(Layout::csf));
  REQUIRE(outside.steps.back().accumulate != Accumulate::append);
}

TEST_CASE("sparse intermediates stay sparse, half precision ones are kept in f32") {
  PlanOptions pairwise;
  pairwise.strategy = "pairwise";
  const Plan plan = planned(
      contraction_of("ij,jk,kl->il",
                     {sparse({50000, 50000}, 100000), sparse({50000, 50000}, 100000), sparse({50000, 50000}, 100000)}),
      pairwise);
  bool any = false;
  for (const Temp& temp : plan.temps) any = any || temp.desc.sparse;
  REQUIRE(any);
  Contraction half = dense_contraction("ij,jk,kl->il", "ijkl", {32, 32, 32, 32}, DType::f16);
  for (const Temp& temp : planned(half).temps) REQUIRE(temp.desc.dtype == DType::f32);
}

TEST_CASE("a dense result of dense operands becomes sparse last") {
  const Plan plan = planned(dense_contraction("ij,jk->ik", "ijk", {64, 64, 64}), to_layout(Layout::coo));
  REQUIRE(plan.steps.back().strategy == Strategy::sparsify);
  REQUIRE(planned(dense_contraction("ij->ji", "ij", {3, 4}), to_layout(Layout::csf)).steps.size() == 1);
}

TEST_CASE("the size of a result is checked") {
  const std::int64_t n = std::int64_t{1} << 21;
  const Contraction c = dense_contraction("a,b,c->abc", "abc", {n, n, n});
  REQUIRE(refusal(c, {}, Error::Kind::memory).find("the result of shape") != std::string::npos);
  const Contraction inner = dense_contraction("a,b,c,d,abcd->", "abcd", {1, 1, 1, 1});
  REQUIRE(planned(inner).steps.size() >= 1);
}

TEST_CASE("wishes that cannot be met are refused by name") {
  const Contraction vector = dense_contraction("ij,j->i", "ij", {4, 4});
  PlanOptions options;
  options.strategy = "magic";
  REQUIRE(refusal(vector, options, Error::Kind::input) ==
          "strategy 'magic' is unknown, expected auto, loops, gett, fused or pairwise");
  options.strategy = "gett";
  REQUIRE(refusal(vector, options, Error::Kind::input) ==
          "strategy gett: no step is a matrix product of two dense tensors with rows, columns and a sum");
  REQUIRE(planned(dense_contraction("ij,jk->ik", "ijk", {4, 4, 4}), options).steps[0].strategy == Strategy::gett);
  options.strategy = "loops";
  REQUIRE(planned(dense_contraction("ij,jk->ik", "ijk", {400, 400, 400}), options).steps[0].strategy ==
          Strategy::loops);
  options.strategy = "fused";
  REQUIRE(planned(dense_contraction("ij,jk,kl->il", "ijkl", {4, 4, 4, 4}), options).steps.size() == 1);
  PlanOptions given;
  given.has_output = true;
  given.output = dense({5});
  REQUIRE(refusal(vector, given, Error::Kind::input) == "the output's shape is 5, expected 4");
}

TEST_CASE("the report says what will be done") {
  const Contraction c = dense_contraction("ij,jk->ik", "ijk", {300, 400, 500});
  const std::string report = path_report(planned(c), c, big_target());
  REQUIRE(report.find("contraction           ij * jk -> ik\n") == 0);
  REQUIRE(report.find("naive flops           1.2e+08\n") != std::string::npos);
  REQUIRE(report.find("gett     op0[ij] * op1[jk] -> out[ik]") != std::string::npos);
  REQUIRE(report.find("register tile 12x16") != std::string::npos);
}

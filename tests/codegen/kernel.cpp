// The loop IR's rules, one broken at a time, and what simplify() does.
#include "codegen/kernel.h"
#include "codegen/builder.h"
#include "frontend/error.h"
#include "tests/support/catch.h"

namespace einloom {

namespace {

struct Small {
  Kernel kernel;
  Builder b{kernel};
  int in = b.buffer(Buffer::Role::input, {DType::f64, 1}, "in0", b.slot(Slot::Kind::values));
  int out = b.buffer(Buffer::Role::output, {DType::f64, 1}, "out", b.slot(Slot::Kind::output));
};

std::string rule_broken(const Kernel& kernel) {
  try {
    verify(kernel);
  } catch (const Error& e) {
    CHECK(e.kind() == Error::Kind::internal);
    return e.message();
  }
  return "";
}

bool has(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

}  // namespace

TEST_CASE("a well-formed kernel passes, also after simplify") {
  Small s;
  s.b.entry("main", [&] { s.b.loop(s.b.begin(), s.b.end(), [&](Id i) { s.b.store(s.out, i, s.b.load(s.in, i)); }); });
  CHECK(rule_broken(s.kernel).empty());
  CHECK(rule_broken(simplify(s.kernel)).empty());
  CHECK(to_string(simplify(s.kernel)) == to_string(s.kernel));
}

TEST_CASE("each broken rule is named") {
  const auto broken = [](const std::function<void(Small&)>& body) {
    Small s;
    s.b.entry("main", [&] { body(s); });
    return rule_broken(s.kernel);
  };
  CHECK(
      has(broken([](Small& s) { s.b.store(s.in, s.b.index(0), s.b.constant(DType::f64, 1)); }), "writes to an input"));
  CHECK(has(broken([](Small& s) { s.b.store(s.out, s.b.index(0), s.b.index(1)); }),
            "stores a value of its buffer's type"));
  CHECK(has(broken([](Small& s) { s.b.store(s.out, s.b.constant(DType::f64, 0), s.b.constant(DType::f64, 1)); }),
            "expects an index"));
  CHECK(has(broken([](Small& s) { s.b.store(s.out, s.b.var(7), s.b.constant(DType::f64, 1)); }), "outside the scope"));
  CHECK(has(broken([](Small& s) { s.b.store(9, s.b.index(0), s.b.constant(DType::f64, 1)); }),
            "names a buffer that exists"));
  CHECK(has(broken([](Small& s) { s.b.leave(); }), "stands in no loop"));
  CHECK(has(broken([](Small& s) { s.b.sort(s.out, s.b.index(3)); }), "sorts an array of i64"));
  CHECK(has(broken([](Small& s) { s.b.append(s.b.index(0), s.b.constant(DType::f64, 1), {s.b.index(0)}); }),
            "the key's words"));
  CHECK(has(broken([](Small& s) { s.b.store(s.out, s.b.argument(12), s.b.constant(DType::f64, 1)); }),
            "names a slot that exists"));
  CHECK(has(broken([](Small& s) {
              s.b.store(s.out, s.b.search(s.in, Search::binary, s.b.index(0), s.b.index(1), s.b.index(2)),
                        s.b.constant(DType::f64, 1));
            }),
            "searches an index array"));
  CHECK(has(broken([](Small& s) { s.b.branch(s.b.load(s.in, s.b.index(0)), [] {}); }), "expects a bool condition"));
}

TEST_CASE("operands of one operation have one type") {
  Small s;
  CHECK_THROWS_AS(s.b.add(s.b.index(1), s.b.constant(DType::f64, 1)), Error);
}

TEST_CASE("simplify folds, unrolls and drops what nobody reads") {
  Small s;
  s.b.entry("main", [&] {
    s.b.let(s.b.load(s.in, s.b.index(5)));  // never read
    s.b.loop(
        s.b.index(0), s.b.index(3),
        [&](Id i) { s.b.store(s.out, s.b.add(s.b.mul(i, s.b.index(4)), s.b.index(2)), s.b.load(s.in, i)); },
        Binding::unroll);
    s.b.loop(s.b.index(0), s.b.index(0), [&](Id i) { s.b.store(s.out, i, s.b.load(s.in, i)); });  // no iteration
  });
  CHECK(to_string(simplify(s.kernel)) ==
        "input f64 in0\noutput f64 out\nentry main(begin, end):\n  out[2] = in0[0]\n  out[6] = in0[1]\n  out[10] = "
        "in0[2]\n");
}

TEST_CASE("a loop that is left early is not dissolved") {
  Small s;
  s.b.entry("main", [&] {
    s.b.loop(s.b.begin(), s.b.end(), [&](Id i) {
      s.b.loop(s.b.index(0), s.b.index(1), [&](Id) { s.b.leave(); });
      s.b.store(s.out, i, s.b.load(s.in, i));
    });
  });
  CHECK(to_string(simplify(s.kernel)).find("in 0..1") != std::string::npos);
}

}  // namespace einloom

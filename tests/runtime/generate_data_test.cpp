#include <cmath>
#include <map>
#include <set>

#include "files_support.h"
#include "runtime/generate_data.h"
#include "tests/support/catch.h"

using namespace einloom;
using Extents = std::vector<std::int64_t>;

TEST_CASE("the generator's bits are fixed", "[generate]") {
  Generator g(1);
  CHECK(g.next() == 12966619160104079557U);
  CHECK(g.next() == 9600361134598540522U);
  CHECK(portable_log(10.0) == Near(std::log(10.0)).epsilon(1e-15));
  CHECK(portable_log(1e-300) == Near(std::log(1e-300)).epsilon(1e-15));
  CHECK(portable_exp(-3.7) == Near(std::exp(-3.7)).epsilon(1e-14));
  double sum = 0, squares = 0;
  for (int i = 0; i < 100000; ++i) {
    const double x = g.normal();
    sum += x, squares += x * x;
  }
  CHECK(std::abs(sum / 1e5) < 0.015);
  CHECK(std::abs(squares / 1e5 - 1) < 0.02);
}

TEST_CASE("random: exactly as many distinct coordinates", "[generate]") {
  for (const char* spec :
       {"random:50x50:nnz=1000:seed=1", "random:50x50:nnz=2500:seed=1", "random:50x50:nnz=2400", "random:50x50:nnz=0",
        "random:1x1:nnz=1", "random:1605x4198x1631x4209x868131:nnz=500:seed=4", "random:0x5:nnz=0"}) {
    INFO(spec);
    const Tensor t = generate_data(spec).at(0);
    std::string count(spec);
    count = count.substr(count.find("nnz=") + 4);
    CHECK(t.nnz() == std::stoll(count));
    CHECK(t.dtype() == DType::f64);
    CHECK(generate_data(spec)[0].coordinates() == t.coordinates());
  }
  CHECK(generate_data("random:50x50:nnz=100:seed=1")[0].coordinates() !=
        generate_data("random:50x50:nnz=100:seed=2")[0].coordinates());
  const Tensor skewed = generate_data("random:1000x1000:nnz=20000:seed=1:skew=1.1")[0];
  CHECK(skewed.nnz() == 20000);
  std::map<std::int64_t, int> rows;
  const auto coords = skewed.coordinates();
  for (std::size_t i = 0; i < coords.size(); i += 2) ++rows[coords[i]];
  CHECK(rows[0] > 20 * rows[500]);
  const Tensor whole = generate_data("random:9x9:nnz=40", DType::i32)[0];
  for (const std::int32_t v : values_of<std::int32_t>(whole)) CHECK((v != 0 && v >= -9 && v <= 9));
}

TEST_CASE("dense, cp, tt, tr", "[generate]") {
  CHECK(generate_data("dense:6x4:seed=3")[0].extents() == Extents{6, 4});
  CHECK(generate_data("dense:6x4:seed=3", DType::c64)[0].dtype() == DType::c64);
  // Rank 1: every 2x2 minor vanishes.
  const Tensor cp = generate_data("cp:5x6:rank=1:seed=2")[0];
  const double* a = cp.data<double>();
  CHECK(a[0] * a[7] - a[1] * a[6] == Near(0).margin(1e-12));
  const Tensor clean = generate_data("cp:10x10x10:rank=2:seed=2")[0],
               noisy = generate_data("cp:10x10x10:rank=2:noise=1e-3:seed=2")[0];
  double squares = 0;
  for (int i = 0; i < 1000; ++i) squares += std::pow(noisy.data<double>()[i] - clean.data<double>()[i], 2);
  CHECK(std::sqrt(squares) / clean.norm() == Near(1e-3).epsilon(1e-9));
  const Tensor tt = generate_data("tt:5x6x7:ranks=1,1:seed=2")[0];
  a = tt.data<double>();
  CHECK(a[0] * a[8] - a[1] * a[7] == Near(0).margin(1e-12));
  CHECK(generate_data("tt:30x31x32:ranks=4,5")[0].extents() == Extents{30, 31, 32});
  CHECK(generate_data("tr:8x9x10:ranks=3,4,5")[0].norm() > 0);
  // A ring of ranks 1 is a train of ranks 1, drawn from the same streams.
  CHECK(generate_data("tr:5x6x7:ranks=1,1,1:seed=2")[0].norm() == Near(tt.norm()));
}

TEST_CASE("the published problem", "[generate]") {
  for (const std::int64_t nnz : {1, 10, 100, 1000, 20000}) {
    const auto ab = generate_data("published:nnz=" + std::to_string(nnz) + ":seed=1:overlap=0.5");
    REQUIRE(ab.size() == 2);
    CHECK(ab[0].extents() == Extents{50, 50, 50, 20, 10});
    CHECK(ab[1].extents() == Extents{50, 20, 50, 50, 10});
    CHECK(ab[0].nnz() == nnz);
    CHECK(ab[1].nnz() == nnz);
    for (const double v : values_of<double>(ab[1])) REQUIRE(v == 2);
    for (const double v : values_of<double>(ab[0])) REQUIRE((v >= 0 && v < 10));
    const auto a = ab[0].coordinates(), b = ab[1].coordinates();
    std::set<Extents> in_a;
    for (std::size_t i = 0; i < a.size(); i += 5) in_a.insert({a[i], a[i + 1], a[i + 2], a[i + 3], a[i + 4]});
    std::int64_t common = 0;
    for (std::size_t i = 0; i < b.size(); i += 5)
      common += in_a.count({b[i + 2], b[i], b[i + 3], b[i + 1], b[i + 4]}) != 0 ? 1 : 0;
    CHECK(common >= (nnz + 1) / 2);
    CHECK(common <= (nnz + 1) / 2 + nnz / 100 + 1);
  }
}

TEST_CASE("stand-ins for FROSTT tensors", "[generate]") {
  const Tensor t = generate_data("frostt:nips:scale=0.01")[0];
  CHECK(t.extents() == Extents{2482, 2862, 14036, 17});
  CHECK(t.nnz() == 31016);
  CHECK(t.desc().nodes[1] <= 59);  // the last slices may be trimmed away
  CHECK(t.desc().nodes[1] >= 55);
  CHECK(t.desc().nodes[2] == Near(31000).epsilon(0.1));
  CHECK(generate_data("frostt:nips:scale=0.01")[0].coordinates() == t.coordinates());
  CHECK(generate_data("frostt:uber:scale=0.01")[0].nnz() == 33095);
  CHECK(generate_data("frostt:nell-2:scale=0.001")[0].nnz() == 76879);
  CHECK(generate_data("frostt:vast-5d:scale=0.001")[0].nnz() == 26022);
  CHECK(generate_data("frostt:chicago:scale=0.01")[0].nnz() == 53307);
}

TEST_CASE("malformed specs say what is wrong", "[generate]") {
  const auto fails = [](const std::string& spec) {
    const std::string text = message_of([&] { generate_data(spec); }), head = "cannot generate '" + spec + "': ";
    return text.rfind(head, 0) == 0 ? text.substr(head.size()) : "(no such error) " + text;
  };
  CHECK(fails("") == "the kind '': expected random, dense, cp, tt, tr, frostt or published");
  CHECK(fails("ranom:5") == "the kind 'ranom': expected random, dense, cp, tt, tr, frostt or published");
  CHECK(fails("random:5x5") == "nnz= is missing");
  CHECK(fails("random:nnz=5") == "a shape is missing, such as 50x40");
  CHECK(fails("random:5xx5:nnz=1") == "'5xx5' is not a shape such as 50x40");
  CHECK(fails("random:5x5:nnz=-1") == "nnz=-1 must be a whole number of at least 0");
  CHECK(fails("random:5x5:nnz=26") == "26 distinct coordinates do not fit a shape of 25 elements");
  CHECK(fails("random:5x5:nnz=1:nnz=2") == "nnz is given twice");
  CHECK(fails("random:5x5:nnz=1:colour=2") == "random knows no option colour=");
  CHECK(fails("random:5x5:nnz=1:seed") == "'seed' is not of the form key=value");
  CHECK(fails("random:5x5:nnz=1:skew=-1") == "skew=-1 must be a number of at least 0");
  CHECK(fails("cp:5x5:rank=0") == "rank=0 must be a whole number of at least 1");
  CHECK(fails("tt:5x5x5:ranks=2") == "a shape of 3 modes calls for 2 ranks, 1 given");
  CHECK(fails("tr:5x5x5:ranks=2,2") == "a shape of 3 modes calls for 3 ranks, 2 given");
  CHECK(fails("tt:5x5:ranks=a") == "ranks=a must be positive whole numbers separated by ','");
  CHECK(fails("frostt:nell-3") == "the tensor 'nell-3': known are nell-2, nips, uber, chicago, vast-5d");
  CHECK(fails("published:nnz=5:overlap=2") == "overlap must be at most 1");
  CHECK(fails("random:1000x1000:nnz=900000:skew=3").find("the skew or the density is too high") != std::string::npos);
  CHECK_THROWS_AS(generate_data("dense:1000000x1000000x1000000"), Error);
  CHECK_THROWS_AS(generate_data("cp:5x5:rank=2", DType::i32), Error);
}

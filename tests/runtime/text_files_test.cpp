#include <cmath>
#include <random>

#include "files_support.h"
#include "tests/support/catch.h"

using namespace einloom;
using Extents = std::vector<std::int64_t>;

TEST_CASE(".tns in all its spellings", "[files]") {
  const Folder folder;
  const auto path = folder.put("x.tns", "# a comment\r\n\r\n 3 1\t2.5 # and one here\r\n1 2 -1e-3\n\n3 1 0.5\n2 2 +4");
  const Tensor t = read(path);
  CHECK(t.extents() == Extents{3, 2});
  CHECK(t.coordinates() == Extents{0, 1, 1, 1, 2, 0});
  CHECK(values_of<double>(t) == std::vector<double>{-1e-3, 4, 3});
  ReadOptions options;
  options.shape = {10, 20};
  options.format = coo();
  options.dtype = DType::f32;
  const Tensor other = read(path, options);
  CHECK(other.extents() == Extents{10, 20});
  CHECK(other.desc().format == resolve(coo(), 2));
  CHECK(values_of<float>(other)[2] == 3);
  options.format = parse_format("dense", 2);
  CHECK_FALSE(read(path, options).sparse());
  options.semiring = Semiring::max_plus;
  options.format = csf();
  CHECK(values_of<float>(read(path, options))[2] == 2.5F);
}

TEST_CASE("values of text at the edges of types", "[files]") {
  const Folder folder;
  const Tensor t = read(folder.put("y.tns", "1 nan\n2 inf\n3 -Infinity\n4 1e-400\n5 5e-324\n"));
  const auto v = values_of<double>(t);
  CHECK(std::isnan(v[0]));
  CHECK(v[1] == std::numeric_limits<double>::infinity());
  CHECK(v[2] == -std::numeric_limits<double>::infinity());
  CHECK(v[3] == 0);
  CHECK(v[4] == 5e-324);
  ReadOptions options;
  options.dtype = DType::i64;
  CHECK(read(folder.put("i.tns", "1 9007199254740993\n"), options).data<std::int64_t>()[0] == 9007199254740993);
  options.dtype = DType::boolean;
  CHECK(values_of<bool>(read(folder.put("b.tns", "1 2\n2 0\n"), options)) == std::vector<bool>{true, false});
  options.dtype = DType::c64;
  CHECK(read(folder.put("c.tns", "1 2\n"), options).data<std::complex<float>>()[0] == std::complex<float>(2, 0));
}

TEST_CASE("a byte order mark at the start is skipped", "[files]") {
  const Folder folder;
  const std::string mark = "\xEF\xBB\xBF";
  const std::pair<const char*, std::string> files[] = {
      {"x.tns", mark + "1 1 1\r\n2 2 2.5\r"},
      {"x.csv", mark + "0,0,1\n1,1,2.5"},
      {"x.mtx", mark + "%%MatrixMarket matrix coordinate real general\r\n2 2 2\r\n1 1 1\r\n2 2 2.5\r\n"}};
  for (const auto& [name, bytes] : files) {
    INFO(name);
    const Tensor t = read(folder.put(name, bytes));
    CHECK(t.extents() == Extents{2, 2});
    CHECK(t.coordinates() == Extents{0, 0, 1, 1});
    CHECK(values_of<double>(t) == std::vector<double>{1, 2.5});
  }
}

TEST_CASE("empty and 0-D .tns", "[files]") {
  const Folder folder;
  ReadOptions options;
  options.shape = {3, 4};
  CHECK(read(folder.put("e.tns", "# nothing\n"), options).nnz() == 0);
  CHECK(read(folder.put("f.tns", ""), options).extents() == Extents{3, 4});
  write(folder / "s.tns", Tensor::scalar(2.5));
  CHECK(folder.get("s.tns") == "2.5\n");
  CHECK(read(folder / "s.tns").item<double>() == 2.5);
}

TEST_CASE("coordinates of more than 32 bits", "[files]") {
  const Folder folder;
  const Tensor t = read(folder.put("x.tns", "1 1 1\n8589934592 2 3\n"));
  CHECK(t.extents() == Extents{8589934592, 2});
  CHECK(t.coordinates() == Extents{0, 0, 8589934591, 1});
}

TEST_CASE(".csv counts from 0", "[files]") {
  const Folder folder;
  const Tensor t = read(folder.put("x.csv", "0,1,2.5\n 2 , 0 , 1 \r\n\n"));
  CHECK(t.extents() == Extents{3, 2});
  CHECK(t.coordinates() == Extents{0, 1, 2, 0});
  write(folder / "y.csv", t);
  CHECK(folder.get("y.csv") == "0,1,2.5\n2,0,1\n");
}

TEST_CASE(".mtx coordinate files of every field and symmetry", "[files]") {
  const Folder folder;
  const auto dense = [&](const std::string& text) { return read(folder.put("x.mtx", text)).to_dense(); };
  CHECK(values_of<double>(dense("%%MatrixMarket matrix coordinate real general\n% c\n\n2 2 2\n1 2 1.5\n2 1 -2\n")) ==
        std::vector<double>{0, 1.5, -2, 0});
  CHECK(values_of<double>(dense("%%MATRIXMARKET Matrix Coordinate Pattern Symmetric\n3 3 2\n2 1\n3 3\n")) ==
        std::vector<double>{0, 1, 0, 1, 0, 0, 0, 0, 1});
  CHECK(values_of<std::int64_t>(dense("%%MatrixMarket matrix coordinate integer skew-symmetric\n2 2 1\n2 1 7\n")) ==
        std::vector<std::int64_t>{0, -7, 7, 0});
  using C = std::complex<double>;
  CHECK(values_of<C>(dense("%%MatrixMarket matrix coordinate complex hermitian\n2 2 2\n1 1 5 0\n2 1 1 2\n")) ==
        std::vector<C>{5, {1, -2}, {1, 2}, 0});
  CHECK(values_of<double>(dense("%%MatrixMarket matrix coordinate real general\n2 2 2\n1 1 1\n1 1 2\n")) ==
        std::vector<double>{3, 0, 0, 0});
  CHECK(read(folder.put("e.mtx", "%%MatrixMarket matrix coordinate real general\n5 4 0\n")).extents() == Extents{5, 4});
}

TEST_CASE(".mtx arrays are dense", "[files]") {
  const Folder folder;
  const auto read_text = [&](const std::string& text) { return read(folder.put("x.mtx", text)); };
  const Tensor t = read_text("%%MatrixMarket matrix array real general\n2 3\n1\n2\n3\n4\n5\n6\n");
  CHECK_FALSE(t.sparse());
  CHECK(values_of<double>(t.contiguous()) == std::vector<double>{1, 3, 5, 2, 4, 6});
  CHECK(values_of<double>(read_text("%%MatrixMarket matrix array real symmetric\n2 2\n1\n2\n3\n")) ==
        std::vector<double>{1, 2, 2, 3});
  CHECK(values_of<double>(read_text("%%MatrixMarket matrix array real skew-symmetric\n3 3\n1\n2\n3\n")) ==
        std::vector<double>{0, -1, -2, 1, 0, -3, 2, 3, 0});
  using C = std::complex<double>;
  CHECK(values_of<C>(read_text("%%MatrixMarket matrix array complex hermitian\n2 2\n1 0\n2 3\n4 0\n")) ==
        std::vector<C>{1, {2, -3}, {2, 3}, 4});
  CHECK(read_text("%%MatrixMarket matrix array real general\n0 3\n").extents() == Extents{0, 3});
}

TEST_CASE("random tensors come back bit for bit from every text format", "[files]") {
  const Folder folder;
  std::mt19937_64 random(5);
  for (const std::int64_t nnz : {0, 1, 1000, 100000}) {
    std::vector<std::int64_t> coords;
    std::vector<double> values;
    for (std::int64_t i = 0; i < nnz; ++i) {
      coords.push_back(static_cast<std::int64_t>(random() % 1000)),
          coords.push_back(static_cast<std::int64_t>(random() % 900));
      values.push_back(std::ldexp(static_cast<double>(random()), static_cast<int>(random() % 200) - 150));
    }
    const Tensor t = Tensor::coo({1000, 900}, nnz, coords, values);
    ReadOptions options;
    options.shape = {1000, 900};
    for (const char* name : {"x.tns", "x.csv", "x.mtx", "x.tns.gz", "x.csv.gz", "x.mtx.gz", "x.npz"}) {
      INFO(name);
      write(folder / name, t);
      const Tensor back = read(folder / name, options);
      CHECK(back.desc() == t.desc());
      CHECK(back.coordinates() == t.coordinates());
      CHECK(values_of<double>(back) == values_of<double>(t));
    }
  }
}

TEST_CASE("every element type is written to text and comes back", "[files]") {
  const Folder folder;
  const Tensor base = Tensor::from<double>({2, 2}, {1, 0, -3, 0.5});
  for (const DType type : {DType::boolean, DType::i32, DType::i64, DType::f16, DType::bf16, DType::f32, DType::f64,
                           DType::c64, DType::c128}) {
    INFO(name(type));
    const Tensor t = base.to_dtype(type);
    ReadOptions options;
    options.shape = {2, 2}, options.dtype = type;
    for (const char* file : {"x.tns", "x.csv", "x.mtx", "x.npz"}) {
      if (is_complex(type) && std::string(file) != "x.mtx" && std::string(file) != "x.npz") {
        CHECK_THROWS_AS(write(folder / file, t), Error);
        continue;
      }
      write(folder / file, t);
      const Tensor back = read(folder / file, options);
      CHECK(back.dtype() == type);
      CHECK(back.to_dense().to_dtype(DType::c128).sum() == t.to_dtype(DType::c128).sum());
    }
  }
  CHECK(message_of([&] {
          write(folder / "x.mtx", Tensor::zeros(DType::f64, {2}));
        }).find("holds matrices, the tensor has 1 mode") != std::string::npos);
}

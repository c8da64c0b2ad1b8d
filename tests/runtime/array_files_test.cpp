#include "files_support.h"
#include "runtime/files/files.h"
#include "runtime/files/zip_archive.h"
#include "tests/support/catch.h"

using namespace einloom;
using Extents = std::vector<std::int64_t>;

namespace {

// An .npy file of version 1.0 with the dictionary as given.
std::string npy(const std::string& dictionary, const std::string& data) {
  std::string out("\x93NUMPY\x01\x00", 8);
  out += static_cast<char>(dictionary.size() & 0xFF);
  out += static_cast<char>(dictionary.size() >> 8);
  return out + dictionary + data;
}
std::string array(const std::string& descr, const std::string& shape, const std::string& data,
                  const char* fortran = "False") {
  return npy("{'descr': '" + descr + "', 'fortran_order': " + fortran + ", 'shape': " + shape + ", }\n", data);
}
template <class T>
std::string bytes(std::initializer_list<T> values) {
  return std::string(reinterpret_cast<const char*>(values.begin()), values.size() * sizeof(T));
}
std::string ints(std::initializer_list<std::int64_t> values) {
  return array("<i8", "(" + std::to_string(values.size()) + ",)", bytes(values));
}

}  // namespace

TEST_CASE(".npy of every type comes back", "[npy]") {
  const Folder folder;
  const Tensor base = Tensor::from<double>({2, 3}, {1, 0, -3, 0.5, 2, 1});
  for (const DType type : {DType::boolean, DType::i32, DType::i64, DType::f16, DType::bf16, DType::f32, DType::f64,
                           DType::c64, DType::c128}) {
    const Tensor t = base.to_dtype(type);
    write(folder / "x.npy", t);
    const Tensor back = read(folder / "x.npy");
    CHECK(back.desc() == t.desc());
    CHECK(std::string(static_cast<const char*>(back.data_raw()), 6 * size_of(type)) ==
          std::string(static_cast<const char*>(t.data_raw()), 6 * size_of(type)));
  }
  for (const Extents& extents : {Extents{}, Extents{0}, Extents{3, 0, 2}, Extents{1, 1, 1, 1, 1}}) {
    write(folder / "x.npy", Tensor::zeros(DType::f32, extents));
    CHECK(read(folder / "x.npy").extents() == extents);
  }
}

TEST_CASE("the bytes of an .npy file are NumPy's", "[npy]") {
  const Folder folder;
  write(folder / "x.npy", Tensor::from<float>({2}, {1, 2}));
  const std::string text = folder.get("x.npy");
  CHECK(text.size() == 128 + 8);
  CHECK(text.substr(0, 10) == std::string("\x93NUMPY\x01\x00\x76\x00", 10));
  CHECK(text.substr(10, 60) == "{'descr': '<f4', 'fortran_order': False, 'shape': (2,), }   ");
  CHECK(text.substr(127) == "\n" + bytes<float>({1, 2}));
}

TEST_CASE("big-endian, Fortran order, widened integers, odd headers", "[npy]") {
  const Folder folder;
  const auto get = [&](const std::string& file) { return read(folder.put("x.npy", file)); };
  CHECK(values_of<double>(get(array(">f8", "(1,)", std::string("\x3F\xF8\0\0\0\0\0\0", 8)))) ==
        std::vector<double>{1.5});
  CHECK(values_of<std::int32_t>(get(array(">i4", "(2,)", std::string("\0\0\1\2\xFF\xFF\xFF\xFF", 8)))) ==
        std::vector<std::int32_t>{258, -1});
  CHECK(values_of<std::complex<float>>(get(array(">c8", "(1,)", std::string("\x3F\x80\0\0\x40\0\0\0", 8))))[0] ==
        std::complex<float>(1, 2));
  CHECK(get(array(">f2", "(1,)", "\x3C\x01")).data<f16>()[0].bits == 0x3C01);
  const Tensor f = get(array("<i4", "(2, 3)", bytes<std::int32_t>({1, 2, 3, 4, 5, 6}), "True"));
  CHECK(f.desc().strides == Extents{1, 2});
  CHECK(values_of<std::int32_t>(f.contiguous()) == std::vector<std::int32_t>{1, 3, 5, 2, 4, 6});
  CHECK(values_of<std::int32_t>(get(array("|i1", "(2,)", "\xFF\x05"))) == std::vector<std::int32_t>{-1, 5});
  CHECK(values_of<std::int32_t>(get(array("|u1", "(2,)", "\xFF\x05"))) == std::vector<std::int32_t>{255, 5});
  CHECK(values_of<std::int32_t>(get(array(">u2", "(1,)", "\xFF\x01"))) == std::vector<std::int32_t>{0xFF01});
  CHECK(values_of<std::int64_t>(get(array("<u4", "(1,)", "\xFF\xFF\xFF\xFF"))) ==
        std::vector<std::int64_t>{0xFFFFFFFF});
  CHECK(values_of<bool>(get(array("|b1", "(2,)", std::string("\x02\0", 2)))) == std::vector<bool>{true, false});
  CHECK(get(npy("{\"shape\":(2L,1,) ,\t'fortran_order' :False,'descr':'|b1'}", "\1\1")).extents() == Extents{2, 1});
  std::string v3 = array("<f4", "()", bytes<float>({7}));
  v3[6] = 3;
  v3.insert(10, std::string("\0\0", 2));
  CHECK(get(v3).item<float>() == 7);
}

TEST_CASE(".npz of scipy.sparse", "[npz]") {
  const Folder folder;
  const auto word = [](const std::string& w) { return array("|S" + std::to_string(w.size()), "()", w); };
  const std::string data = array("<f8", "(3,)", bytes<double>({1, 2, 3})),
                    i32 = array("<i4", "(3,)", bytes<std::int32_t>({0, 2, 1}));
  const std::vector<double> want{1, 0, 2, 0, 3, 0};
  write_zip(folder / "csr.npz", "x",
            {{"indices.npy", i32},
             {"indptr.npy", array("<i4", "(3,)", bytes<std::int32_t>({0, 2, 3}))},
             {"format.npy", word("csr")},
             {"shape.npy", ints({2, 3})},
             {"data.npy", data}});
  CHECK(values_of<double>(read(folder / "csr.npz").to_dense()) == want);
  write_zip(folder / "csc.npz", "x",
            {{"indices.npy", array("<i4", "(3,)", bytes<std::int32_t>({0, 1, 0}))},
             {"indptr.npy", ints({0, 1, 2, 3})},
             {"format.npy", word("csc")},
             {"shape.npy", ints({2, 3})},
             {"data.npy", array("<f8", "(3,)", bytes<double>({1, 3, 2}))}});
  CHECK(values_of<double>(read(folder / "csc.npz").to_dense()) == want);
  write_zip(folder / "coo.npz", "x",
            {{"row.npy", ints({0, 0, 1})},
             {"col.npy", i32},
             {"format.npy", word("coo")},
             {"shape.npy", ints({2, 3})},
             {"data.npy", data}});
  CHECK(values_of<double>(read(folder / "coo.npz").to_dense()) == want);
  for (const char* format : {"bsr", "dia"}) {
    write_zip(folder / "b.npz", "x", {{"format.npy", word(format)}, {"shape.npy", ints({2, 3})}, {"data.npy", data}});
    CHECK(message_of([&] { read(folder / "b.npz"); }) ==
          (folder / "b.npz") + ": is stored as '" + format + "': csr, csc, coo and gcxs are read; convert it first");
  }
  write_zip(folder / "bad.npz", "x",
            {{"indices.npy", i32},
             {"indptr.npy", ints({0, 4, 3})},
             {"format.npy", word("csr")},
             {"shape.npy", ints({2, 3})},
             {"data.npy", data}});
  CHECK(message_of([&] { read(folder / "bad.npz"); }) == (folder / "bad.npz") + ": indptr decreases at row 0");
}

TEST_CASE(".npz of pydata/sparse", "[npz]") {
  const Folder folder;
  // (3,4,5) with the middle axis compressed: rows of 4, columns of 15.
  write_zip(folder / "g.npz", "x",
            {{"data.npy", array("<f4", "(2,)", bytes<float>({1, 2}))},
             {"indices.npy", ints({1, 14})},
             {"indptr.npy", ints({0, 0, 1, 1, 2})},
             {"shape.npy", ints({3, 4, 5})},
             {"fill_value.npy", array("<f4", "()", bytes<float>({0}))},
             {"compressed_axes.npy", ints({1})}});
  const Tensor g = read(folder / "g.npz");
  CHECK(g.dtype() == DType::f32);
  CHECK(g.coordinates() == Extents{0, 1, 1, 2, 3, 4});
  const auto coo_file = [&](float fill) {
    write_zip(folder / "c.npz", "x",
              {{"data.npy", array("<f4", "(1,)", bytes<float>({5}))},
               {"coords.npy", array("|u1", "(2, 1)", "\x01\x02")},
               {"shape.npy", ints({3, 4})},
               {"fill_value.npy", array("<f4", "()", bytes<float>({fill}))}});
    return folder / "c.npz";
  };
  CHECK(read(coo_file(0)).coordinates() == Extents{1, 2});
  CHECK(message_of([&] { read(coo_file(1)); }) ==
        (folder / "c.npz") + ": has the fill value 1, but under plus-times what is left out must be 0");
  ReadOptions options;
  options.semiring = Semiring::min_plus;
  CHECK_THROWS_AS(read(coo_file(0), options), Error);
  CHECK(read(coo_file(std::numeric_limits<float>::infinity()), options).nnz() == 1);
}

TEST_CASE(".npz with one array, and with several", "[npz]") {
  const Folder folder;
  write_zip(folder / "one.npz", "x", {{"arr_0.npy", ints({4, 5})}});
  CHECK(values_of<std::int64_t>(read(folder / "one.npz")) == Extents{4, 5});
  write_zip(folder / "two.npz", "x", {{"a.npy", ints({4})}, {"b.npy", ints({5})}});
  CHECK(message_of([&] { read(folder / "two.npz"); }) ==
        (folder / "two.npz") + ": holds 2 arrays: expected one, or a sparse array of scipy.sparse or pydata/sparse");
  write(folder / "s.npz", Tensor::scalar(3));
  CHECK(read(folder / "s.npz").item<double>() == 3);
}

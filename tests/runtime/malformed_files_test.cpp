// Files that are wrong, and what is said about them. The file's own path stands before each message.
#include "files_support.h"
#include "tests/support/catch.h"

using namespace einloom;

namespace {

struct Case {
  const char* name;
  std::string bytes;
  std::string message;
};

const std::string bare_return =
    "a carriage return without a line feed after it: expected lines that end in LF or CR LF";

std::string npy(const std::string& dictionary, std::size_t data) {
  std::string out("\x93NUMPY\x01\x00", 8);
  out += static_cast<char>(dictionary.size() & 0xFF);
  out += static_cast<char>(dictionary.size() >> 8);
  return out + dictionary + std::string(data, '\0');
}
std::string mtx(const std::string& rest) { return "%%MatrixMarket matrix " + rest; }

const std::vector<Case>& cases() {
  static const std::vector<Case> all = {
      {"x.tns", "", ": holds no non-zeros, so its shape must be given"},
      {"x.tns", "# only\n\n", ": holds no non-zeros, so its shape must be given"},
      {"x.tns", "1 1 1\n0 1 2\n", ":2: coordinate 0 in mode 0: counting starts at 1"},
      {"x.tns", "1 1 1\n\n# c\n1 1\n", ":4: 2 columns, where 3 are expected: 2 coordinates and 1 value"},
      {"x.tns", "1 1 1\n1 1 1 1\n", ":2: 4 columns, where 3 are expected: 2 coordinates and 1 value"},
      {"x.tns", "1 1 1\n1 -1 1\n", ":2: '-1' is not a coordinate: expected a whole number"},
      {"x.tns", "1 1 1\n1.5 1 1\n", ":2: '1.5' is not a coordinate: expected a whole number"},
      {"x.tns", "1 1 one\n", ":1: 'one' is not a number"},
      {"x.tns", "1 1 1.5x\n", ":1: '1.5x' is not a number"},
      {"x.tns", "1 1 1e400\n", ":1: the value 1e400 is too large for f64"},
      {"x.tns", "99999999999999999999 1 1\n", ":1: the coordinate 99999999999999999999 is too large"},
      {"x.tns", "1,2,3\n", ":1: '1,2,3' is not a number (columns are separated by blanks)"},
      {"x.tns", "1 1 1\n1;2;3\n",
       ":2: 1 column, where 3 are expected: 2 coordinates and 1 value (columns are separated by blanks)"},
      {"x.tns", "1 1 2\r2 2 3\r", ":1: " + bare_return},
      {"x.tns", "1 1 2\r\n2 2 3\r3 3 3\n", ":2: " + bare_return},
      {"x.tns", "1 1 2\n# a\rb\n", ":2: " + bare_return},
      {"x.tns", "\r\r\n1 1 2\n", ":1: " + bare_return},
      {"x.csv", "0,0,2\r1,1,3\r", ":1: " + bare_return},
      {"x.csv", "0,0,1,\n", ":1: the last field is empty: the line ends in a comma"},
      {"x.csv", "0,0,1\n0,0, \n", ":2: the last field is empty: the line ends in a comma"},
      {"x.csv", "0;0;1\n", ":1: '0;0;1' is not a number (columns are separated by commas)"},
      {"x.mtx", "%%MatrixMarket matrix coordinate real general\r2 2 1\r1 1 1\r", ":1: " + bare_return},
      {"x.mtx", mtx("coordinate real general\n2 2 2\n1 1 1\r2 2 2\n"), ":3: " + bare_return},
      {"x.mtx", mtx("coordinate real general\n99999999999999999999 3 1\n"),
       ":2: the number of rows is too large for 64 bits: 99999999999999999999"},
      {"x.mtx", mtx("coordinate real general\n3 3 99999999999999999999\n"),
       ":2: the number of entries is too large for 64 bits: 99999999999999999999"},
      {"x.mtx", mtx("coordinate real general\n3 3 -1\n"), ":2: the number of entries is negative: -1"},
      {"x.tns", "1\n2\n",
       ": has lines of one column: expected coordinates and a value (or a single value, of a 0-D tensor)"},
      {"x.tns", std::string("1 1 1\n1 \0 1\n", 12), ":2: '\\x00' is not a coordinate: expected a whole number"},
      {"x.tns.gz", "1 1 1\n", ": is not a gzip file, or its start is damaged"},
      {"x.tns.gz", "", ": is empty, not a gzip file"},
      {"x.csv", "i,j,v\n0,0,1\n", ":1: 'i' is not a coordinate: expected a whole number"},
      {"x.csv", "0,0,1\n0,,1\n", ":2: '' is not a coordinate: expected a whole number"},
      {"x.csv", "0,0,1\n0,1\n", ":2: 2 columns, where 3 are expected: 2 coordinates and 1 value"},
      {"x.csv", "0 0 1\n", ":1: '0 0 1' is not a number (columns are separated by commas)"},
      {"x.mtx", "", ": is empty: expected a line that begins with %%MatrixMarket"},
      {"x.mtx", "1 1 1\n", ":1: expected a line that begins with %%MatrixMarket"},
      {"x.mtx", mtx("coordinate real\n"), ":1: expected '%%MatrixMarket matrix FORMAT FIELD SYMMETRY'"},
      {"x.mtx", mtx("coordinate real round\n"),
       ":1: the symmetry 'round': expected general, symmetric, skew-symmetric or hermitian"},
      {"x.mtx", mtx("coordinate quaternion general\n"),
       ":1: the field 'quaternion': expected real, integer, complex or pattern"},
      {"x.mtx", mtx("list real general\n"), ":1: the format 'list': expected coordinate or array"},
      {"x.mtx", mtx("array pattern general\n"), ":1: an array cannot have the field pattern"},
      {"x.mtx", mtx("coordinate real general\n% c\n"), ":3: the file ends before its size line"},
      {"x.mtx", mtx("coordinate real general\n3 3\n"),
       ":2: expected the size line: rows, columns and the number of entries"},
      {"x.mtx", mtx("coordinate real general\n3 -3 1\n"), ":2: the number of columns is negative: -3"},
      {"x.mtx", mtx("coordinate real symmetric\n3 4 0\n"), ":2: a symmetric matrix must be square, this one is 3x4"},
      {"x.mtx", mtx("coordinate real general\n3 3 2\n1 1 1\n"), ": announces 2 entries, but the number there is 1"},
      {"x.mtx", mtx("coordinate real general\n3 3 1\n1 4 1\n"), ":3: coordinate 4 in mode 1 is beyond the extent 3"},
      {"x.mtx", mtx("coordinate pattern general\n3 3 1\n1 1 1\n"),
       ":3: 3 columns, where 2 are expected: 2 coordinates and 0 values"},
      {"x.mtx", mtx("coordinate integer general\n3 3 1\n1 1 1.5\n"), ":3: '1.5' is not a whole number, as i64 needs"},
      {"x.mtx", mtx("coordinate real skew-symmetric\n3 3 1\n1 1 1\n"),
       ": entry (1, 1) is on the diagonal of a skew-symmetric matrix, which lists none"},
      {"x.mtx", mtx("coordinate real symmetric\n3 3 1\n1 2 1\n"),
       ": entry (1, 2) is above the diagonal, but the file is symmetric and lists only what is on and below it"},
      {"x.mtx", mtx("array real general\n2 2\n1\n2\n3\n"),
       ": an array of 2x2 needs 4 values, but the number there is 3"},
      {"x.mtx", mtx("array real general\n4294967296 4294967296\n1\n"),
       ":2: an array of 4294967296x4294967296 does not fit 64 bits"},
      {"x.npy", "", ": is too short to be an .npy file"},
      {"x.npy", "hello, world", ": does not begin as an .npy file does"},
      {"x.npy", "\x80\x04\x95 a pickle", ": is a pickle, which is not accepted: save plain arrays"},
      {"x.npy", npy("{'descr': '|O', 'fortran_order': False, 'shape': (1,), }", 8),
       ": holds Python objects (pickles), which are not accepted"},
      {"x.npy", npy("{'descr': '<u8', 'fortran_order': False, 'shape': (1,), }", 8),
       ": holds elements of type '<u8': accepted are bool, i32, i64, f16, bf16 (V2), f32, f64, c64, c128 and the "
       "integers that fit those (int8, int16, uint8, uint16, uint32)"},
      {"x.npy", npy("{'descr': [('a', '<f8')], 'fortran_order': False, 'shape': (1,), }", 8),
       ": the .npy header has a structured element type, which is not accepted: bool, i32, i64, f16, bf16, f32, f64, "
       "c64 and c128 are"},
      {"x.npy", npy("{'descr': '<f8', 'fortran_order': False, 'shape': (3,), }", 16),
       ": has 16 bytes of data, but shape 3 of '<f8' needs 24"},
      {"x.npy", npy("{'descr': '<f8', 'fortran_order': False, 'shape': (1,), }", 16),
       ": has 16 bytes of data, but shape 1 of '<f8' needs 8"},
      {"x.npy", npy("{'descr': '<f8', 'fortran_order': False, 'shape': (-1,), }", 16),
       ": the .npy header has a negative extent -1"},
      {"x.npy", npy("{'descr': '<f8', 'fortran_order': False, 'shape': (4294967296, 4294967296), }", 16),
       ": the size of an array: 4294967296x4294967296 does not fit 64 bits"},
      {"x.npy", npy("{'descr': '<f8', 'fortran_order': False, 'shape': (99999999999999999999,), }", 16),
       ": the .npy header has a shape that is not made of whole numbers of 64 bits, at byte 51"},
      {"x.npy", npy("{'descr': '<f8', 'fortran_order': Maybe, 'shape': (1,), }", 8),
       ": the .npy header has a fortran_order that is neither True nor False"},
      {"x.npy", npy("{'descr': '<f8', 'shape': (1,), }", 8),
       ": the .npy header has a missing key: descr, fortran_order and shape are needed"},
      {"x.npy", npy("{'descr': '<f8', 'descr': '<f8', 'shape': (1,), }", 8),
       ": the .npy header has the key 'descr' twice"},
      {"x.npz", "PK not a zip", ": cannot be read as a zip archive: Not a zip archive"},
      {"x.txt", "1",
       ": the extension names no format: expected .npy, .npz, .tns, .mtx, .csv, the last three also with .gz"},
      {"x.npy.gz", "1",
       ": the extension names no format: expected .npy, .npz, .tns, .mtx, .csv, the last three also with .gz"},
  };
  return all;
}

}  // namespace

TEST_CASE("malformed files say where and what", "[malformed]") {
  const Folder folder;
  for (const Case& c : cases()) {
    INFO(c.name << ": " << c.bytes.substr(0, 80));
    const std::string path = folder.put(c.name, c.bytes);
    CHECK(message_of([&] { read(path); }) == path + c.message);
  }
}

TEST_CASE("wrong line numbers are found in large files too", "[malformed]") {
  const Folder folder;
  std::string text;
  for (int i = 1; i <= 300000; ++i) text += i == 250001 ? "7 x 1\n" : std::to_string(i) + " 1 0.5\n";
  const std::string path = folder.put("x.tns", text);
  CHECK(message_of([&] { read(path); }) == path + ":250001: 'x' is not a coordinate: expected a whole number");
  text.insert(0, "0 1 1\n");
  CHECK(message_of([&] { read(folder.put("x.tns", text)); }) ==
        path + ":1: coordinate 0 in mode 0: counting starts at 1");
}

TEST_CASE("options that do not fit the file", "[malformed]") {
  const Folder folder;
  const std::string path = folder.put("x.tns", "1 3 300\n");
  ReadOptions options;
  options.shape = {2, 2};
  CHECK(message_of([&] { read(path, options); }) == path + ":1: coordinate 3 in mode 1 is beyond the extent 2");
  options.shape = {2, 2, 2};
  CHECK(message_of([&] { read(path, options); }) ==
        path + ":1: 3 columns, where 4 are expected: 3 coordinates and 1 value");
  options.shape = {2, -2};
  CHECK(message_of([&] { read(path, options); }) == "extent -2 of mode 1 is negative");
  options = {};
  options.format = csf({0, 1, 2});
  CHECK_THROWS_AS(read(path, options), Error);
  options = {};
  options.dtype = DType::i32;
  const std::string large = folder.put("y.tns", "1 3000000000\n");
  CHECK(message_of([&] { read(large, options); }) == large + ":1: the value 3000000000 does not fit i32");
  options.dtype = DType::f32;
  const std::string huge = folder.put("z.tns", "1 1e39\n");
  CHECK(message_of([&] { read(huge, options); }) == huge + ":1: the value 1e39 is too large for f32");
  options = {};
  options.shape = {4};
  const std::string dense = folder.put("d.npy", npy("{'descr': '<f8', 'fortran_order': False, 'shape': (1,), }", 8));
  CHECK(message_of([&] { read(dense, options); }) == dense + ": is 1, not 4 as asked");
}

TEST_CASE("a long file with carriage returns alone", "[malformed]") {
  const Folder folder;
  std::string text;
  while (text.size() < (5U << 20)) text += "1 1 2\r";
  for (const char* name : {"x.tns", "x.csv"}) {
    const std::string path = folder.put(name, text);
    CHECK(message_of([&] { read(path); }) == path + ":1: " + bare_return);
  }
}

TEST_CASE("devices are refused", "[malformed]") {
  const Folder folder;
  for (const char* name : {"zero.npy", "zero.mtx", "zero.tns", "zero.csv.gz", "zero.npz"}) {
    std::filesystem::create_symlink("/dev/zero", folder / name);
    CHECK(message_of([&] { read(folder / name); }) ==
          (folder / name) + ": is a character device, not a file or a pipe");
  }
}

TEST_CASE("files that are not there or not files", "[malformed]") {
  const Folder folder;
  CHECK(message_of([&] { read(folder / "no.tns"); }) == (folder / "no.tns") + ": there is no such file");
  CHECK(message_of([&] { read(folder / "no.npz"); }) == (folder / "no.npz") + ": there is no such file");
  std::filesystem::create_directory(folder / "d.tns");
  CHECK(message_of([&] { read(folder / "d.tns"); }) == (folder / "d.tns") + ": is a folder, not a file");
  CHECK(message_of([] { read(""); }) == "an empty file name");
}

TEST_CASE("damaged gzip", "[malformed]") {
  const Folder folder;
  write(folder / "x.tns.gz", Tensor::from<double>({40, 40}, std::vector<double>(1600, 1.25)));
  const std::string whole = folder.get("x.tns.gz");
  const std::string cut = folder.put("y.tns.gz", whole.substr(0, whole.size() - 5));
  CHECK(message_of([&] { read(cut); }) == cut + ": the compressed data end too early");
  std::string damaged = whole;
  damaged[whole.size() - 6] = static_cast<char>(damaged[whole.size() - 6] ^ 1);  // the checksum
  const std::string bad = folder.put("z.tns.gz", damaged);
  CHECK(message_of([&] { read(bad); }) == bad + ": the compressed data are damaged");
  CHECK(read(folder.put("two.tns.gz", whole + whole)).data<double>()[0] == 2.5);
}

// Damages valid files of every format and reads them: each must come out as a tensor or as Error(input) or
// Error(memory).
#include <unistd.h>

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <random>
#include <sstream>
#include <string>
#include <vector>

#include "runtime/einloom.h"

using namespace einloom;

namespace {

using Random = std::mt19937_64;

struct Sample {
  std::string name, bytes;
};

std::string slurp(const std::string& path) {
  std::ostringstream out;
  out << std::ifstream(path, std::ios::binary).rdbuf();
  return out.str();
}

std::vector<Sample> samples(const std::string& folder) {
  std::vector<Sample> out;
  const Tensor dense = Tensor::from<double>({3, 4}, {1, 0, 2.5, 0, -3, 0, 0, 1e-5, 7, 0, 0, 8});
  const Tensor cube = generate_data("random:4x5x6:nnz=30:seed=1").at(0);
  for (const char* extension : {"npy", "npz", "tns", "mtx", "csv", "tns.gz", "mtx.gz", "csv.gz"}) {
    const std::string path = folder + "/sample." + extension;
    const bool matrix = std::string(extension).find("mtx") == 0;
    write(path, matrix ? dense : cube);
    out.push_back({std::string("x.") + extension, slurp(path)});
  }
  const char* const banner = "%%MatrixMarket matrix ";
  for (const char* rest :
       {"coordinate complex hermitian\n3 3 2\n1 1 1 0\n2 1 3 4\n", "array real symmetric\n2 2\n1\n2\n3\n",
        "coordinate pattern symmetric\n3 3 2\n2 1\n3 3\n", "array integer skew-symmetric\n3 3\n1\n2\n3\n"}) {
    out.push_back({"x.mtx", std::string(banner) + rest});
  }
  out.push_back({"x.tns", "# c\r\n1 1 1.5 # d\r\n\r\n2 3 nan\n2 3 -inf"});
  out.push_back({"x.tns", "2.5\n"});
  return out;
}

std::string damage(std::string bytes, Random& random, const std::vector<Sample>& all) {
  static constexpr const char* words[] = {"0",
                                          "-1",
                                          "99999999999999999999",
                                          "4294967297",
                                          "1e999",
                                          "nan",
                                          "\n",
                                          "\r\n",
                                          " ",
                                          "#",
                                          "%",
                                          ",",
                                          "1 ",
                                          "(",
                                          "{",
                                          "}",
                                          "9223372036854775807",
                                          "1.5e",
                                          "'",
                                          "<f8",
                                          "|O",
                                          "True",
                                          "2147483648"};
  const auto at = [&](std::size_t size) { return static_cast<std::size_t>(random() % (size + 1)); };
  for (std::uint64_t n = random() % 6; n-- > 0;) {
    const std::size_t where = at(bytes.size());
    switch (random() % 8) {
      case 0:
        if (where < bytes.size()) bytes[where] = static_cast<char>(random());
        break;
      case 1:
        if (where < bytes.size()) bytes[where] = static_cast<char>(bytes[where] ^ (1 << random() % 8));
        break;
      case 2:
        bytes.insert(where, words[random() % std::size(words)]);
        break;
      case 3:
        bytes.erase(where, random() % 9);
        break;
      case 4:
        bytes.resize(where);
        break;
      case 5:
        bytes.insert(where, bytes.substr(at(bytes.size()), random() % 40));
        break;
      case 6: {
        const std::string& other = all[random() % all.size()].bytes;
        bytes.insert(where, other.substr(at(other.size()), random() % 60));
        break;
      }
      default:
        if (where < bytes.size()) bytes[where] = static_cast<char>('0' + random() % 10);
        break;
    }
  }
  return bytes;
}

ReadOptions draw_options(Random& random) {
  ReadOptions options;
  if (random() % 4 == 0) options.dtype = static_cast<DType>(random() % dtype_count);
  if (random() % 6 == 0) options.semiring = static_cast<Semiring>(random() % semiring_count);
  if (random() % 6 == 0)
    options.format = random() % 2 != 0 ? coo() : Format{{Level::dense, Level::compressed, Level::compressed}, {}};
  if (random() % 6 == 0) options.shape = {4, 5, 6};
  return options;
}

// "" when the outcome is allowed.
std::string outcome(const std::string& path, const ReadOptions& options) {
  try {
    const Tensor t = read(path, options);
    // What was read must be usable.
    if (t.nnz() < 100000) static_cast<void>(t.norm());
    if (t.sparse() && t.nnz() < 100000) static_cast<void>(t.coordinates());
    return "";
  } catch (const Error& error) {
    const bool allowed = error.kind() == Error::Kind::input || error.kind() == Error::Kind::memory;
    return allowed ? "" : std::string("another kind of error: ") + error.what();
  } catch (const std::exception& other) {
    return std::string("another exception: ") + other.what();
  }
}

}  // namespace

int main(int argc, char** argv) {
  double seconds = 3;
  std::uint64_t seed = std::random_device{}();
  for (int i = 1; i + 1 < argc; i += 2) {
    const std::string option = argv[i];
    if (option == "--seconds") seconds = std::atof(argv[i + 1]);
    if (option == "--seed") seed = std::strtoull(argv[i + 1], nullptr, 10);
  }
  std::printf("fuzz_readers: seed %llu\n", static_cast<unsigned long long>(seed));
  std::fflush(stdout);
  std::string folder = (std::filesystem::temp_directory_path() / "einloom-fuzz-XXXXXX").string();
  if (::mkdtemp(folder.data()) == nullptr) return 2;
  const auto all = samples(folder);
  const auto start = std::chrono::steady_clock::now();
  std::uint64_t count = 0;
  std::string wrong;
  while (wrong.empty() && std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count() < seconds) {
    Random random(seed + count++);
    const Sample& sample = all[random() % all.size()];
    const std::string path = folder + "/" + sample.name;
    std::ofstream(path, std::ios::binary | std::ios::trunc) << damage(sample.bytes, random, all);
    wrong = outcome(path, draw_options(random));
    if (!wrong.empty())
      std::printf("fuzz_readers: %s, again with --seed %llu\n%s\n", sample.name.c_str(),
                  static_cast<unsigned long long>(seed + count - 1), wrong.c_str());
  }
  std::error_code ignored;
  std::filesystem::remove_all(folder, ignored);
  std::printf("fuzz_readers: %llu files read\n", static_cast<unsigned long long>(count));
  return wrong.empty() ? 0 : 1;
}

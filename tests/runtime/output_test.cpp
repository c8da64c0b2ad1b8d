#include <sys/stat.h>

#include "files_support.h"
#include "tests/support/catch.h"

using namespace einloom;

namespace {

std::size_t entries(const Folder& folder) {
  return static_cast<std::size_t>(
      std::distance(std::filesystem::directory_iterator(folder.path()), std::filesystem::directory_iterator()));
}

}  // namespace

TEST_CASE("a file appears whole or not at all", "[output]") {
  const Folder folder;
  const Tensor t = Tensor::from<double>({2, 2}, {1, 2, 3, 4});
  for (const char* name : {"x.npy", "x.npz", "x.tns", "x.mtx", "x.csv", "x.tns.gz"}) {
    folder.put(name, "old");
    write(folder / name, t);
    CHECK(values_of<double>(read(folder / name).to_dense()) == std::vector<double>{1, 2, 3, 4});
  }
  CHECK(entries(folder) == 6);
  const Tensor complex = t.to_dtype(DType::c64);
  folder.put("x.tns", "old");
  CHECK(message_of([&] { write(folder / "x.tns", complex); }) ==
        (folder / "x.tns") + ": .tns holds real values only, the tensor is c64");
  CHECK(folder.get("x.tns") == "old");
  CHECK(entries(folder) == 6);
}

TEST_CASE("a full disk is noticed", "[output]") {
  if (!std::filesystem::exists("/dev/full")) return;
  const Folder folder;
  for (const char* name : {"x.npy", "x.tns", "x.csv.gz"}) {
    std::filesystem::create_symlink("/dev/full", folder / name);
    CHECK(message_of([&] { write(folder / name, Tensor::scalar(1)); }) ==
          (folder / name) + ": cannot be written: No space left on device");
  }
}

TEST_CASE("places that cannot be written", "[output]") {
  const Folder folder;
  CHECK(message_of([&] { write(folder / "none/x.npy", Tensor()); }) ==
        (folder / "none/x.npy") + ": cannot be created: No such file or directory");
  std::filesystem::create_directory(folder / "d.npy");
  CHECK(message_of([&] { write(folder / "d.npy", Tensor()); }) == (folder / "d.npy") + ": is a folder, not a file");
}

TEST_CASE("links and pipes", "[output]") {
  const Folder folder;
  folder.put("real.npy", "old");
  std::filesystem::create_symlink(folder / "real.npy", folder / "link.npy");
  write(folder / "link.npy", Tensor::scalar(5));
  CHECK(std::filesystem::is_symlink(folder / "link.npy"));
  CHECK(read(folder / "real.npy").item<double>() == 5);
}

TEST_CASE("sparse tensors are densified for .npy, or refused for want of memory", "[output]") {
  const Folder folder;
  const Tensor s = Tensor::coo({2, 2}, 1, std::vector<std::int32_t>{0, 1}, std::vector<double>{3});
  write(folder / "x.npy", s);
  CHECK(values_of<double>(read(folder / "x.npy")) == std::vector<double>{0, 3, 0, 0});
  const std::int64_t big = std::int64_t{1} << 24;
  const Tensor huge = Tensor::coo({big, big}, 1, std::vector<std::int32_t>{0, 1}, std::vector<double>{3});
  try {
    write(folder / "y.npy", huge);
    FAIL("no error");
  } catch (const Error& error) {
    CHECK(error.kind() == Error::Kind::memory);
  }
  CHECK(entries(folder) == 1);
}

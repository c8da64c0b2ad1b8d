// write(): the format is the extension.
#include <new>
#include <stdexcept>

#include "frontend/error.h"
#include "runtime/files/extension.h"
#include "runtime/files/files.h"

namespace einloom {

void write(const std::string& path, const Tensor& tensor) {
  const Extension extension = extension_of(path);
  try {
    Output output(path);
    if (extension.kind == "npy") {
      write_npy(output, tensor);
    } else if (extension.kind == "npz") {
      write_npz(output, tensor);
    } else if (extension.kind == "tns") {
      write_tns(output, tensor, extension.gzip);
    } else if (extension.kind == "csv") {
      write_csv(output, tensor, extension.gzip);
    } else {
      write_mtx(output, tensor, extension.gzip);
    }
    output.commit();
  } catch (const std::bad_alloc&) {
    throw Error::memory("writing " + path, 0);
  } catch (const std::length_error&) {
    throw Error::memory("writing " + path, 0);
  }
}

}  // namespace einloom

// The readers and writers, one pair a format; read() and write() choose by extension. Private to the runtime room.
#pragma once

#include <string>

#include "runtime/einloom.h"
#include "runtime/files/input.h"
#include "runtime/files/output.h"

namespace einloom {

Tensor read_npy(const Input& input);  // an .npy file, or a member of an .npz one
Tensor read_npz(const std::string& path, const ReadOptions& options);
// Text forms; `input` holds plain text (already decompressed).
Tensor read_tns(const Input& input, const ReadOptions& options);
Tensor read_csv(const Input& input, const ReadOptions& options);
Tensor read_mtx(const Input& input, const ReadOptions& options);

void write_npy(Output& output, const Tensor& tensor);
void write_npz(Output& output, const Tensor& tensor);
void write_tns(Output& output, const Tensor& tensor, bool gzip);
void write_csv(Output& output, const Tensor& tensor, bool gzip);
void write_mtx(Output& output, const Tensor& tensor, bool gzip);

// The header of an .npy file.
std::string npy_header(DType type, const std::vector<std::int64_t>& extents);

}  // namespace einloom

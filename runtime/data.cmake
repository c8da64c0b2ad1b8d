# Tensors and what surrounds them, in the order in which data pass: environment and threads, memory, sorting, levels, tensors,
# files, generated data.
set(einloom_runtime_data
  environment.cpp parallel.cpp pool.cpp storage_memory.cpp storage.cpp
  sort.cpp sort_combine.cpp levels.cpp levels_to_coo.cpp
  tensor.cpp tensor_coo.cpp tensor_convert.cpp tensor_look.cpp interop.cpp
  files/input.cpp files/output.cpp files/gzip.cpp files/zip_archive.cpp files/extension.cpp
  files/table_parse.cpp files/table_pack.cpp files/text_rows.cpp
  files/npy_header.cpp files/read_npy.cpp files/read_npz.cpp files/read_coordinates.cpp files/read_mtx.cpp files/read.cpp
  files/write_npy.cpp files/write_npz.cpp files/write_text.cpp files/write.cpp
  generate_data_numbers.cpp generate_data_sparse.cpp generate_data_dense.cpp generate_data_frostt.cpp generate_data.cpp)

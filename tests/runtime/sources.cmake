set(einloom_test_runtime_sources
  environment_test.cpp parallel_test.cpp tensor_test.cpp sort_test.cpp levels_test.cpp
  text_files_test.cpp array_files_test.cpp malformed_files_test.cpp output_test.cpp generate_data_test.cpp)

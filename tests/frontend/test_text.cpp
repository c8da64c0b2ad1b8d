#include <set>

#include "frontend/error.h"
#include "frontend/hash.h"
#include "frontend/text.h"
#include "frontend/unicode.h"
#include "tests/support/catch.h"

using namespace einloom;

TEST_CASE("what() of an Error", "[error]") {
  CHECK(std::string(Error::input("bad").what()) == "bad");
  CHECK(std::string(Error::input("bad", "abc", 2).what()) == "bad\n  abc\n    ^");
  CHECK(std::string(Error::input("bad", "abc", 3).what()) == "bad\n  abc\n     ^");
  CHECK(std::string(Error::input("bad", "abc", 99).what()) == "bad\n  abc\n     ^");
  CHECK(std::string(Error::input("bad", "", 0).what()) == "bad\n  \n  ^");
  CHECK(std::string(Error::input("bad", "abc").what()) == "bad\n  abc");
  CHECK(std::string(Error::input("bad", "one\ntwo\nthree", 5).what()) == "bad\n  two\n   ^");
  CHECK(std::string(Error::input("bad", "one\ntwo", 3).what()) == "bad\n  one\n     ^");
  CHECK(std::string(Error::input("bad", "a\tb", 2).what()) == "bad\n  a b\n    ^");
  CHECK(std::string(Error::input("bad", "a\rb", 2).what()) == "bad\n  a\\x0db\n       ^");
  // A place inside a code point is shown under its start.
  CHECK(std::string(Error::input("bad", "a\xc3\xa9z", 2).what()) == "bad\n  a\xc3\xa9z\n   ^");
  CHECK(std::string(Error::input("file \x1b[31mx\nline 2").what()) == "file \\x1b[31mx\nline 2");
}

TEST_CASE("kinds of Error", "[error]") {
  CHECK(Error::input("m").kind() == Error::Kind::input);
  CHECK(Error::device("m").kind() == Error::Kind::device);
  CHECK(Error::internal("m").kind() == Error::Kind::internal);
  const Error memory = Error::memory("the result", 3u << 20, 1u << 20);
  CHECK(memory.kind() == Error::Kind::memory);
  CHECK(memory.message() == "the result needs 3145728 bytes (3.0 MiB), 1048576 bytes (1.0 MiB) are available");
  CHECK(Error::memory("the result", 12).message() == "the result needs 12 bytes (12 B)");
  Error copy = memory;
  CHECK(std::string(copy.what()) == memory.what());
}

TEST_CASE("text helpers", "[text]") {
  CHECK(human_bytes(0) == "0 B");
  CHECK(human_bytes(1023) == "1023 B");
  CHECK(human_bytes(1.5 * 1024 * 1024) == "1.5 MiB");
  CHECK(human_bytes(1e30).find("EiB") != std::string::npos);
  CHECK(human_count(1234) == "1234");
  CHECK(human_count(2.1e9) == "2.1e+09");
  CHECK(human_count(0.5) == "0.5");
  CHECK(shape_text({}) == "scalar");
  CHECK(shape_text({50, 40}) == "50x40");
  CHECK(join({}, ", ") == "");
  CHECK(join({"a", "b"}, ", ") == "a, b");
  Writer out;
  out.line("a");
  out.in();
  out.line("b");
  out.out();
  out.blank();
  out.line("c");
  CHECK(out.take() == "a\n  b\n\nc\n");
}

TEST_CASE("hashes are those of XXH3", "[hash]") {
  CHECK(hash_text("").hex() == "99aa06d3014798d86001c324468d497f");
  CHECK(hash_text("ij,jk->ik") == hash_text("ij,jk->ik"));
  CHECK_FALSE(hash_text("ij,jk->ik") == hash_text("ij,jk->ki"));
  CHECK(hash_bytes(nullptr, 0) == hash_text(""));
  std::set<std::string> seen;
  for (int i = 0; i < 1000; ++i) seen.insert(hash_text(std::to_string(i)).hex());
  CHECK(seen.size() == 1000);
}

TEST_CASE("letters and code points", "[unicode]") {
  for (const char32_t c :
       {U'a', U'Z', U'\u00e9', U'\u03b2', U'\u4e00', U'\U00020000', U'\u05d0', U'\u00aa', U'\u02b0'}) {
    CHECK(is_letter(c));
  }
  for (const char32_t c : {U'0', U'_', U' ', U'\u00d7', U'\u0301', U'\u200b', U'\U0001f600', U'\u0660', U'\u2160'}) {
    CHECK_FALSE(is_letter(c));
  }
  // Overlong, surrogate, beyond the last, truncated, stray continuation.
  for (const char* bad :
       {"\xc0\x80", "\xe0\x80\x80", "\xed\xa0\x80", "\xf4\x90\x80\x80", "\xf0\x9f\x98", "\x80", "\xff", "\xc3z"}) {
    CHECK_FALSE(decode(bad, 0).valid);
    CHECK(decode(bad, 0).size == 1);
  }
  CHECK(decode("\xf4\x8f\xbf\xbf", 0).value == 0x10FFFF);
  CHECK(decode("", 0).size == 0);
}

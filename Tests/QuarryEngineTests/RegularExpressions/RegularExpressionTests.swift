import QuarryEngine
import TestSupport
import Testing

/// What patterns match, what they say where they are wrong, and how SQL calls them.
@Suite(.gated) struct RegularExpressionTests {
  @Test(
    "A pattern is looked for anywhere in a text, and case counts",
    arguments: [
      ("b", "abc", true), ("B", "abc", false), ("", "", true), ("^$", "", true), ("^$", "a", false), ("^b", "ab", false),
      ("b$", "ab", true),
      ("a.c", "a\nc", true), ("a.c", "aéc", true), ("a.c", "ac", false), ("^.$", "👍", true), ("^..$", "é", false),
      ("^(a|b)+$", "abba", true), ("^(a|b)+$", "abca", false), ("a||b", "x", true), ("()", "x", true), ("^(|a)b$", "b", true),
      ("^a{2,3}$", "a", false), ("^a{2,3}$", "aaa", true), ("^a{2,3}$", "aaaa", false), ("^a{2,}$", "aaaaa", true), ("^a{0}$", "", true),
      ("^a{,3}$", "a{,3}", true), ("{\"a\"", "{\"a\": 1}", true), ("a{x}", "a{x}", true), ("^(a{2}){2}$", "aaaa", true),
      ("a.*?b", "axxb", true), ("^(?:ab)+$", "abab", true), ("^a**$", "aa", true),
    ])
  func finds(pattern: String, text: String, expected: Bool) throws {
    #expect(try RegularExpression(pattern).matches(text) == expected)
  }

  @Test(
    "Classes hold ranges, named classes and escapes, and their negations every other character",
    arguments: [
      ("^[a-c]+$", "abc", true), ("^[a-c]+$", "abd", false), ("[^a-c]", "abc", false), ("[^a-c]", "abé", true), ("[]a]", "]", true),
      ("^[^]a]$", "]", false), ("[a-]", "-", true), ("[-a]", "-", true), ("[a\\]]", "]", true), ("[\\d-]", "-", true), ("[à-ÿ]", "é", true),
      ("^[α-ω]+$", "λόγος", false), ("^[α-ώ]+$", "λόγος", true), ("[[:alpha:]]", "1a", true), ("[[:alpha:]]", "1é", false),
      ("^[[:alpha:][:digit:]_]+$", "a_1", true), ("[^[:space:]]", " \t\n", false), ("^[[:xdigit:]]{4}$", "00fF", true),
      ("^\\d+$", "012", true), ("^\\D+$", "a1", false), ("^\\w+$", "a_1", true), ("\\W", "a_1", false), ("\\W", "é", true),
      ("\\s", "a b", true),
      ("^\\S+$", "a b", false), ("[\\s\\d]", "x", false), ("^[^\\d]$", "👍", true), ("^[\u{E000}-\u{FFFF}]$", "\u{FF01}", true),
      ("\\.", "a", false), ("\\.", ".", true), ("\\x41\\x{E9}", "Aé", true), ("\\t\\n", "\t\n", true), ("\\\\", "\\", true),
      ("[.]", "a", false),
    ])
  func classes(pattern: String, text: String, expected: Bool) throws {
    #expect(try RegularExpression(pattern).matches(text) == expected)
  }

  @Test(
    "A word ends where what is no part of one begins",
    arguments: [
      ("\\bcat\\b", "a cat.", true), ("\\bcat\\b", "cats", false), ("\\bcat", "concat", false), ("\\Bcat", "concat", true),
      ("\\b", "", false),
      ("\\B", "", true), ("a\\b$", "a", true), ("\\b^a", "a", true), ("^\\Bé", "é", true), ("^\\B.\\B$", "é", true),
      ("^é\\Bé$", "éé", true),
      ("a\\Bé", "aé", false), ("a\\bé", "aé", true), ("^a\\B", "aé", false), ("(\\b)*x", "x", true),
    ])
  func words(pattern: String, text: String, expected: Bool) throws {
    #expect(try RegularExpression(pattern).matches(text) == expected)
  }

  @Test(
    "(?i) folds the case of all letters that have two",
    arguments: [
      ("(?i)ABC", "xabcx", true), ("(?i)é", "É", true), ("(?i)[à-å]", "Ä", true), ("(?i)ΣΊΣΥΦΟΣ", "σίσυφος", true),
      ("(?i)straße", "STRASSE", false),
      ("(?i)k", "\u{212A}", true), ("(?i)[^a]", "A", false), ("(?i)[[:upper:]]", "a", true), ("(?i)\\w", "\u{212A}", false),
      ("(?i)ж", "Ж", true),
    ])
  func cases(pattern: String, text: String, expected: Bool) throws {
    #expect(try RegularExpression(pattern).matches(text) == expected)
  }

  @Test(
    "A fault has its place in bytes of the pattern",
    arguments: [
      ("a(b", 1..<2), ("ab)", 2..<3), ("*a", 0..<1), ("a|+", 2..<3), ("({2})", 1..<4), ("^*", 1..<2), ("é[a", 2..<3), ("[z-a]", 1..<4),
      ("[[:foo:]]", 1..<8), ("[[:alpha]]", 1..<8), ("a\\", 1..<2), ("\\q", 0..<2), ("(a)\\1", 3..<5), ("a{3,2}", 1..<6), ("a{1001}", 1..<7),
      ("(?=a)", 0..<2), ("a(?i)", 1..<5), ("\\x{110000}", 0..<10), ("[a-\\d]", 1..<5), ("[\\b]", 1..<3), ("((a{100}){100}){100}", 15..<20),
    ])
  func faults(pattern: String, range: Range<Int>) throws {
    let error = try #require(throws: RegularExpressionError.self) { try RegularExpression(pattern) }
    #expect(error.range == range, "\(error)")
    #expect(error.sentence.hasSuffix("."))
  }

  @Test("Groups can be nested, and not without end")
  func nesting() throws {
    let deep = { (count: Int) in String(repeating: "(", count: count) + "a" + String(repeating: ")", count: count) }
    #expect(try RegularExpression(deep(100)).matches("a"))
    #expect(throws: RegularExpressionError.self) { try RegularExpression(deep(101)) }
    #expect(throws: RegularExpressionError.self) { try RegularExpression(String(repeating: "(", count: 100_000)) }
  }

  @Test(
    "Patterns at which others backtrack for ever take time that grows with the text alone",
    arguments: [
      ("(a*)*b", String(repeating: "a", count: 100_000), false), ("(a|aa)+$", String(repeating: "a", count: 100_000) + "b", false),
      ("^(([a-z])+.)+[A-Z]([a-z])+$", String(repeating: "a", count: 100_000), false),
      (String(repeating: "a?", count: 30) + String(repeating: "a", count: 30), String(repeating: "a", count: 30), true),
      ("(a|b)*a(a|b){12}$", String(repeating: "ab", count: 20_000), false), ("(.*)*(.*)*=", String(repeating: "x=", count: 5) + "y", true),
    ])
  func pathological(pattern: String, text: String, expected: Bool) throws {
    #expect(try RegularExpression(pattern).matches(text) == expected)
  }

  @Test("A matcher that has forgotten its states finds them again")
  func forgetting() throws {
    // Each text of these letters leads to a state of its own: 2^16 of them, more than are kept.
    let matcher = RegularExpressionMatcher(try RegularExpression("a[ab]{15}c"))
    var random = SplitMix(seed: 3)
    for _ in 0..<200 {
      let text = String((0..<200).map { _ in random.below(2) == 0 ? "a" : "b" })
      let isMatch = Array(text)[text.count - 16] == "a"
      #expect(matcher.matches(text + "c") == isMatch)
    }
  }
}

/// REGEXP in SQL, on every connection.
@Suite(.gated) struct RegularExpressionFunctionTests {
  private func values(_ sql: String) throws -> [DatabaseValue] {
    try makeDatabase().read { db in try DatabaseValue.fetchAll(db, sql: sql) }
  }

  @Test("REGEXP takes the text before it, NULL gives NULL, and numbers are the texts that SQLite makes of them")
  func values() throws {
    #expect(try values("SELECT 'Arthur' REGEXP '^A.*r$'") == [.integer(1)])
    #expect(try values("SELECT 'Arthur' NOT REGEXP 'x'") == [.integer(1)])
    #expect(try values("SELECT NULL REGEXP 'a'") == [.null])
    #expect(try values("SELECT 'a' REGEXP NULL") == [.null])
    #expect(try values("SELECT 120 REGEXP '^12'") == [.integer(1)])
    #expect(try values("SELECT 1.0 REGEXP '^1[.]0$'") == [.integer(1)])
    #expect(try values("SELECT '' REGEXP '^$'") == [.integer(1)])
    #expect(try values("SELECT x'' REGEXP '^$'") == [.integer(1)])
    #expect(try values("SELECT x'414243' REGEXP '^ABC$'") == [.integer(1)])
    #expect(try values("SELECT 'a' || char(0) || 'b' REGEXP 'b$'") == [.integer(1)])
  }

  @Test("Bytes that are no UTF-8 are no character, and do not hide what stands around them")
  func invalidBytes() throws {
    #expect(try values("SELECT CAST(x'61ff62' AS TEXT) REGEXP 'b$'") == [.integer(1)])
    #expect(try values("SELECT CAST(x'61ff62' AS TEXT) REGEXP 'a.b'") == [.integer(0)])
    #expect(try values("SELECT CAST(x'61ff62' AS TEXT) REGEXP 'a[^x]b'") == [.integer(0)])
    #expect(try values("SELECT CAST(x'c3' AS TEXT) REGEXP '.'") == [.integer(0)])
  }

  @Test("Patterns may differ from row to row")
  func patternsOfRows() throws {
    let sql = """
      WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n LIMIT 100)
      SELECT count(*) FROM n WHERE i REGEXP ('^' || i || '$') AND NOT (i + 1) REGEXP ('^' || i || '$')
      """
    #expect(try values(sql) == [.integer(100)])
  }

  @Test("A faulty pattern is the error of the statement, with its place")
  func fault() throws {
    let error = try #require(throws: DatabaseError.self) { try values("SELECT 'a' REGEXP 'a(b'") }
    #expect(error.message == "regular expression \"a(b\", byte 2: This parenthesis is not closed. Write \\( for the character.")
  }

  @Test("A database in UTF-16 is matched alike")
  func wideTexts() throws {
    let queue = try makeDatabase()
    try queue.withoutTransaction { db in
      try db.execute(sql: "PRAGMA encoding = 'UTF-16'")
      try db.execute(sql: "CREATE TABLE t (x); INSERT INTO t VALUES ('Łódź')")
      #expect(try Int.fetchOne(db, sql: "SELECT count(*) FROM t WHERE x REGEXP '^Ł.d.$'") == 1)
    }
  }
}

extension RegularExpression {
  /// Returns whether the expression matches a part of a text.
  func matches(_ text: String) -> Bool {
    RegularExpressionMatcher(self).matches(text)
  }
}

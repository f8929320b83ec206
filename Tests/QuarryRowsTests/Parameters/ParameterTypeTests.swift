import QuarryEngine
import QuarryRows
import TestSupport
import Testing

@Suite("Texts as parameters", .gated)
struct ParameterTypeTests {
  @Test(
    "a text of a type becomes its value",
    arguments: [
      (ParameterType.integer, "42", DatabaseValue.integer(42)), (.integer, " -9223372036854775808 ", .integer(.min)),
      (.real, "1", .real(1)), (.real, "\t1.5\n", .real(1.5)), (.real, "-2e-3", .real(-0.002)), (.text, "007", .text("007")),
      (.text, "", .text("")),
      (.blob, "00fF", .blob([0, 255])), (.blob, "x'0a'", .blob([10])), (.blob, "", .blob([])), (.null, "", .null), (.null, "NULL", .null),
      (.date, "2024-02-29", .text("2024-02-29")), (.date, "2024-02-29T12:30", .text("2024-02-29T12:30")),
      (
        .json, " [1, {\"a\": [-1.5e3, \"\\u00e9\\n\", null, true, {}]}] ", .text(" [1, {\"a\": [-1.5e3, \"\\u00e9\\n\", null, true, {}]}] ")
      ),
    ] as [(ParameterType, String, DatabaseValue)])
  func values(_ type: ParameterType, _ text: String, _ expected: DatabaseValue) throws {
    #expect(try type.value(of: text) == expected)
  }

  @Test(
    "a text that is no value of its type says what was expected",
    arguments: [
      (ParameterType.integer, "9223372036854775808", "integer"), (.integer, "1.5", "integer"), (.integer, "", "integer"),
      (.real, "nan", "number"),
      (.integer, "4 2", "integer"), (.real, "1 . 5", "number"), (.real, "inf", "number"), (.real, "0x10", "number"),
      (.blob, "0", "hexadecimal"), (.blob, "zz", "hexadecimal"), (.null, "0", "null"), (.date, "2023-02-29", "date"),
    ] as [(ParameterType, String, String)])
  func refusals(_ type: ParameterType, _ text: String, _ expected: String) {
    let error = #expect(throws: ParameterError.self) { try type.value(of: text) }
    #expect(error?.expected.contains(expected) == true)
    #expect(error?.description.contains("“\(text)”") == true)
  }

  @Test("a text that is no JSON says where it stops being that")
  func wrongJSON() {
    func fault(_ text: String) -> String? { #expect(throws: ParameterError.self) { try ParameterType.json.value(of: text) }?.description }
    #expect(fault("[1,") == "The JSON ends too early.")
    #expect(fault("") == "Empty text is not JSON.")
    #expect(fault("1,2") == "“,” at character 2 is not valid JSON. Did you mean [1,2]?")
    #expect(fault("[1 2]") == "“2” at character 4 is not valid JSON.")
    #expect(fault("{a: 1}") == "“a” at character 2 is not valid JSON.")
  }

  @Test("JSON is what SQLite takes for it")
  func sameJSON() throws {
    var texts = [
      "0", "-0", "01", "1.", ".5", "1e", "1e+5", "-", "+1", "tru", "nulll", "\"", "\"a\tb\"", "\"\t\"", "\"\\x\"", "\"\\u12g4\"", "[]",
      "{}", "[", "]",
    ]
    texts += [
      "[1]]", "{\"a\"}", "{\"a\":}", "{\"a\":1,}", "[1,]", "[,1]", "[[[]]]", "{\"a\":[{\"b\":{}}]}", "[1}", "{]", " 1 ", "1 2",
      "{\"a\" : 1 , \"b\":2}", "{1:2}",
    ]
    // Each of so many short texts over the characters that mean something.
    let characters = Array("[]{}:,\"1-.e a")
    texts += (0..<3000).map { number in
      var rest = number &* 2_654_435_761
      return String(
        (0..<1 + number % 7).map { _ in
          defer { rest /= characters.count }
          return characters[rest % characters.count]
        })
    }
    try DatabaseQueue().read { db in
      for text in texts {
        let isJSON = try Bool.fetchOne(db, sql: "SELECT json_valid(?)", arguments: [text])
        #expect(((try? ParameterType.json.value(of: text)) != nil) == isJSON, "\(text)")
      }
    }
  }

  @Test(
    "without a type a number must be written as one",
    arguments: [
      ("42", .integer(42)), ("-1", .integer(-1)), ("042", .text("042")), ("+1", .text("+1")), ("1.50", .real(1.5)), ("1e3", .real(1000)),
      ("1e999", .text("1e999")), ("inf", .text("inf")), ("null", .text("null")), ("", .text("")),
      ("9223372036854775808", .text("9223372036854775808")),
    ] as [(String, DatabaseValue)])
  func guesses(_ text: String, _ expected: DatabaseValue) {
    #expect(ParameterType.guessedValue(of: text) == expected)
  }

  @Test(
    "A text for a column of a type becomes its value",
    arguments: [
      (ExpressionType.numeric, "3", .integer(3)), (.numeric, " 1.50 ", .real(1.5)), (.numeric, "1e3", .real(1000)),
      (.date, "1997-01-31", .text("1997-01-31")),
      (.date, "1997-01-31 12:30:05.25", .text("1997-01-31 12:30:05.25")), (.date, "12:30", .text("12:30")),
      (.date, "1609459200", .integer(1_609_459_200)),
      (.date, "2459215.5", .real(2_459_215.5)), (.integer, "3", .integer(3)), (.any, "007", .text("007")), (.text, "3", .text("3")),
    ] as [(ExpressionType, String, DatabaseValue)])
  func valuesForColumns(_ type: ExpressionType, _ text: String, _ expected: DatabaseValue) throws {
    #expect(try type.value(of: text) == expected)
  }

  @Test(
    "A text that a column of dates or numbers cannot hold is refused with what was probably meant",
    arguments: [
      (ExpressionType.date, "01/02/1997", ["1997-01-02", "1997-02-01"]), (.date, "1997-13-31", []), (.date, "foo", []), (.date, "", []),
      (.date, "1997", ["1997-01-01"]), (.date, "1997-07", ["1997-07-01"]), (.date, "19970131", ["1997-01-31"]), (.date, "12", []),
      (.date, "31.12.1997", ["1997-12-31"]), (.date, "1997-02-30", ["1997-02-28"]), (.numeric, "abc", []), (.numeric, "", []),
      (.numeric, "1,000", []),
    ] as [(ExpressionType, String, [String])])
  func refusalsForColumns(_ type: ExpressionType, _ text: String, _ suggestions: [String]) {
    let error = #expect(throws: ParameterError.self) { try type.value(of: text) }
    #expect(error?.suggestions == suggestions && error?.text == text)
  }
}

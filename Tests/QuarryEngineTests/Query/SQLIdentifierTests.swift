import QuarryEngine
import Testing

@Suite struct SQLIdentifierTests {
  @Test(
    "A name is quoted exactly when SQL needs it",
    arguments: [
      ("title", "title"), ("_x1", "_x1"), ("a$b", "a$b"), ("naïve", "naïve"), ("Order Details", "\"Order Details\""),
      ("1st", "\"1st\""), ("$a", "\"$a\""), ("", "\"\""), ("6\" nail", "\"6\"\" nail\""), ("\"", "\"\"\"\""), ("a.b", "\"a.b\""),
      ("\u{FEFF}a", "\"\u{FEFF}a\""), ("it's", "\"it's\""), ("\"\u{308}", "\"\"\"\u{308}\""), ("group", "\"group\""),
      ("Index", "\"Index\""),
      ("CURRENT_TIMESTAMP", "\"CURRENT_TIMESTAMP\""), ("true", "\"true\""), ("grouping", "grouping"),
    ])
  func quoting(name: String, expected: String) {
    #expect(SQLIdentifier.quoted(name) == expected)
  }
}

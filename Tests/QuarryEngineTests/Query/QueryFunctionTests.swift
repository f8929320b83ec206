import QuarryEngine
import TestSupport
import Testing

@Suite("Functions, values and lists in typed queries", .gated) struct QueryFunctionTests {
  private typealias Check = QueryChecks

  @Test("Texts are cut, trimmed, searched and replaced, with values or expressions")
  func texts() throws {
    try Check.expect(
      Reminder.where { $0.id < 3 }.select {
        ($0.title.substr(3), $0.title.substr(-2), $0.title.substr(2, 3), $0.title.substr($0.id, $0.id))
      },
      "SELECT substr(title, 3), substr(title, -2), substr(title, 2, 3), substr(title, id, id) FROM reminders WHERE (id < 3)",
      [
        #"(Optional("oceries"), Optional("es"), Optional("roc"), Optional("G"))"#,
        #"(Optional("t haircut"), Optional("ut"), Optional("et "), Optional("et"))"#,
      ])
    try Check.expect("(substr(title, 1, (instr(title, ' ') - 1)) = 'Buy')", [4]) { $0.title.substr(1, $0.title.instr(" ") - 1) == "Buy" }
    try Check.expect("(instr(title, substr(title, 3)) = 3)", [1, 2, 3, 4, 5, 6]) { $0.title.instr($0.title.substr(3)) == 3 }
    try Check.expect(
      Reminder.where { $0.id == 4 }.select {
        let padded = "  " + $0.title + " "
        return (padded.trim(), padded.ltrim(), padded.rtrim(), $0.title.trim("B_"), $0.title.ltrim("B_"), $0.title.rtrim($0.title))
      },
      """
      SELECT trim(('  ' || title || ' ')), ltrim(('  ' || title || ' ')), rtrim(('  ' || title || ' ')), trim(title, 'B_'), \
      ltrim(title, 'B_'), rtrim(title, title) FROM reminders WHERE (id = 4)
      """,
      [
        #"(Optional("Buy 50% of it_"), Optional("Buy 50% of it_ "), Optional("  Buy 50% of it_"), Optional("uy 50% of it"), "#
          + #"Optional("uy 50% of it_"), Optional(""))"#
      ])
    try Check.expect(
      Reminder.where { $0.id > 5 }.select {
        ($0.title.replace("a", "o"), $0.title.replace($0.title.lower(), "x"), $0.title.replace("p", $0.title))
      },
      "SELECT replace(title, 'a', 'o'), replace(title, lower(title), 'x'), replace(title, 'p', title) FROM reminders WHERE (id > 5)",
      [#"(Optional("Nop"), Optional("Nap"), Optional("NaNap"))"#])
  }

  @Test("A pattern can be an expression, whose special characters stand for themselves where a text is looked for")
  func patterns() throws {
    try Check.expect("(title LIKE (substr(title, 1, 1) || '%'))", [1, 2, 3, 4, 5, 6]) { $0.title.like($0.title.substr(1, 1) + "%") }
    try Check.expect("(title LIKE lower(title) ESCAPE '!')", [1, 2, 3, 4, 5, 6]) { $0.title.like($0.title.lower(), escape: "!") }
    try Check.expect("(title GLOB upper(title))", []) { $0.title.glob($0.title.upper()) }
    let escaped = #"replace(replace(replace(substr(title, 5, 3), '\', '\\'), '%', '\%'), '_', '\_')"#
    try Check.expect(#"(title LIKE ('%' || \#(escaped) || '%') ESCAPE '\')"#, [1, 2, 3, 4, 5, 6]) {
      $0.title.contains($0.title.substr(5, 3))
    }
    try Check.expect(#"(title LIKE (\#(escaped) || '%') ESCAPE '\')"#, [5, 6]) { $0.title.hasPrefix($0.title.substr(5, 3)) }
    try Check.expect(#"(title LIKE ('%' || \#(escaped)) ESCAPE '\')"#, [5, 6]) { $0.title.hasSuffix($0.title.substr(5, 3)) }
    // An expression that is a value is escaped when the query is made.
    try Check.expect(#"(title LIKE '%0\%%' ESCAPE '\')"#, [4]) { $0.title.contains(Constant("0%")) }
    #expect(Reminder.where { $0.title.regexp($0.title.lower()) }.queryString == "SELECT * FROM reminders WHERE (title REGEXP lower(title))")
  }

  @Test("NULL is replaced, by operator or function")
  func replacingNull() throws {
    try Check.expect(
      Reminder.where { $0.id < 4 }.select {
        ($0.priority ?? 0, $0.priority ?? $0.listID, $0.priority ?? $0.id, $0.priority ?? $0.listID ?? 9)
      },
      """
      SELECT coalesce(priority, 0), coalesce(priority, listID), coalesce(priority, id), coalesce(priority, coalesce(listID, 9)) \
      FROM reminders WHERE (id < 4)
      """, ["(0, Optional(1), 1, 1)", "(0, Optional(1), 2, 1)", "(1, Optional(1), 1, 1)"])
    try Check.expect(
      Reminder.where { $0.id < 4 }.select { ($0.priority.ifnull(0), $0.priority.ifnull($0.listID)) },
      "SELECT ifnull(priority, 0), ifnull(priority, listID) FROM reminders WHERE (id < 4)",
      ["(0, Optional(1))", "(0, Optional(1))", "(1, Optional(1))"])
    try Check.expect("(coalesce(priority, 3) = 3)", [1, 2, 5, 6]) { $0.priority ?? 3 == 3 }
    try Check.expect("(coalesce(title, '') <> 'Nap')", [1, 2, 3, 4, 5]) { ($0.title ?? "") != "Nap" }
  }

  @Test("A plain truth joins conditions, and a comparison with nil stays SQL's")
  func truths() throws {
    let isOn = true
    try Check.expect("(isCompleted AND 1)", [3, 4]) { $0.isCompleted && true }
    try Check.expect("(0 OR isCompleted)", [3, 4]) { false || $0.isCompleted }
    try Check.expect("((priority IS NULL) AND 1)", [1, 2]) { $0.priority == nil && isOn }
    try Check.expect("(1 AND (priority IS NOT NULL))", [3, 4, 5, 6]) { isOn && $0.priority != nil }
    try Check.expect("((priority IS NULL) OR isCompleted OR 0)", [1, 2, 3, 4]) { $0.priority == nil || $0.isCompleted || !isOn }
    try Check.expect("(NOT (priority IS NULL) AND 1)", [3, 4, 5, 6]) { !($0.priority == nil) && isOn }
    try Check.expect("((title IS NULL) OR (priority = 3) OR 0)", [5, 6]) { $0.title == nil || $0.priority == 3 || 1 == 2 }
  }

  @Test("nil in a list asks for NULL, and no limit is none")
  func nilValues() throws {
    let some: [Int?] = [3, nil, 2]
    let none: [Int?] = [3]
    try Check.expect("((priority IN (1)) OR (priority IS NULL))", [1, 2, 3]) { $0.priority.in([1, nil]) }
    try Check.expect("((priority IN (3, 2)) OR (priority IS NULL))", [1, 2, 4, 5, 6]) { $0.priority.in(some) }
    try Check.expect("NOT ((priority IN (3, 2)) OR (priority IS NULL))", [3]) { !$0.priority.in(some) }
    try Check.expect("(priority IN (3))", [5, 6]) { $0.priority.in(none) }
    try Check.expect("(priority IS NULL)", [1, 2]) { $0.priority.in([nil]) }
    try Check.expect("(priority IN ())", []) { $0.priority.in([]) }
    let limit: Int? = nil
    try Check.expect(Reminder.select { $0.id }.limit(limit), "SELECT id FROM reminders", ["1", "2", "3", "4", "5", "6"])
    try Check.expect(Reminder.select { $0.id }.limit(nil, offset: 4), "SELECT id FROM reminders LIMIT -1 OFFSET 4", ["5", "6"])
    try Check.expect(Reminder.select { $0.id }.limit(3).limit(nil), "SELECT id FROM reminders", ["1", "2", "3", "4", "5", "6"])
  }

  @Test("Ill-typed calls are refused")
  func refused() throws {
    try Check.expectRefused([
      ("Reminder.where { $0.title.like(3) }", "'Int') and 'String' be equivalent"),
      ("Reminder.where { $0.title.contains($0.priority) }", "'Int') and 'String' be equivalent"),
      ("Reminder.where { $0.priority.contains(\"a\") }", "'Int') and 'String' be equivalent"),
      ("Reminder.select { $0.title.substr(\"a\") }", "'String') and 'Int' be equivalent"),
      ("Reminder.select { $0.priority.trim() }", "'Int') and 'String' be equivalent"),
      ("Reminder.select { $0.title.replace(\"a\", $0.id) }", "'Int') and 'String' be equivalent"),
      ("Reminder.select { $0.title.instr(nil) }", "error:"),
      ("Reminder.select { $0.priority ?? \"a\" }", "error:"),
      ("Reminder.select { $0.priority ?? $0.title }", "error:"),
      ("Reminder.select { $0.priority.ifnull(\"a\") }", "error:"),
      ("Reminder.where { $0.isCompleted && 1 }", "error:"),
      ("Reminder.where { $0.title && true }", "error:"),
      ("Reminder.where { _ in true && true }", "error:"),
      ("Reminder.where { $0.priority.in([1, \"a\"]) }", "error:"),
      ("Reminder.where { $0.title.in([1, nil]) }", "error:"),
      ("Reminder.all().limit(\"3\")", "error:"),
    ])
  }
}

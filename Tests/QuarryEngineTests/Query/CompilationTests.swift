import Foundation
import TestSupport
import Testing

/// Checks what the compiler says of queries and accesses, with the library that this test bundle was built with.
@Suite(.gated) struct CompilationTests {
  @Test("Ill-typed queries are refused, with a message that names the types")
  func refused() throws {
    let truth = "'String') and 'Bool' be equivalent"
    let key = "requires that 'Int' conform to 'OrderingTerm'"
    let group = "requires that 'String' conform to 'QueryExpression'"
    let snippets = [
      ("Reminder.where { $0.title }", truth),
      ("Reminder.all().where { $0.title }", truth),
      ("Reminder.all().where { ($0.isCompleted, $0.title) }", "cannot conform to 'QueryExpression'"),
      ("Reminder.where { $0.title == 3 }", "'Int' to expected argument type 'Column<String>.QueryValue' (aka 'String')"),
      ("Reminder.where { $0.title == $0.priority }", "'String') and 'Column<Int?>.QueryValue' (aka 'Int') be equivalent"),
      ("Reminder.where { $0.priority.length() == 3 }", "'Int') and 'String' be equivalent"),
      ("Reminder.where { $0.title && $0.priority }", truth),
      ("Reminder.where { !$0.title }", truth),
      ("Reminder.where { $0.isCompleted < true }", "'Bool') conform to 'OrderedOperand'"),
      ("Reminder.select { $0.title.avg() }", "'String') conform to 'NumericOperand'"),
      ("Reminder.where { $0.priority == $0.weight }", "'Int') and 'Column<Double>.QueryValue' (aka 'Double') be equivalent"),
      ("Reminder.where { $0.titel == \"a\" }", "no dynamic member 'titel'"),
      ("Reminder.all().where { \(Self.twelveTerms) && $0.title.length() == \"a\" }", "requires that 'FunctionCall<Int?>' conform to"),
      ("Reminder.all().having { $0.id.count() }", "'Int') and 'Bool' be equivalent"),
      ("Reminder.order { ($0.priority.desc(), 3) }", key),
      ("Reminder.all().order { ($0.priority.desc(), 3) }", key),
      ("Reminder.all().order { ($0.priority.desc(), $0.id, 3, $0.title) }", key),
      ("Reminder.all().order { (3, $0.id) }", "type '(Int, Column<Int>)' cannot conform to 'OrderingTerm'"),
      ("Reminder.all().order { _ in 3 }", key),
      ("Reminder.all().order { _ in }", "type '()' cannot conform to 'OrderingTerm'"),
      ("Reminder.all().order { ($0.id, $0.titel) }", "no dynamic member 'titel'"),
      ("Reminder.all().group { ($0.id, \"x\") }", group),
      ("Reminder.all().group { (\"x\", $0.id) }", "type '(String, Column<Int>)' cannot conform to 'QueryExpression'"),
      ("Reminder.all().group { _ in \"x\" }", group),
      ("Reminder.all().group { $0.id.asc() }", "requires that 'Ordering' conform to 'QueryExpression'"),
      ("Reminder.select { ($0.id, 3) }", "static method 'select' requires that 'Int' conform to 'SelectTerm'"),
      ("Reminder.all().select { ($0.id, $0.title, 3) }", "instance method 'select' requires that 'Int' conform to 'SelectTerm'"),
      ("Reminder.select { (3, $0.id) }", "cannot conform to 'SelectTerm'"),
      ("Reminder.select { _ in 3 }", "static method 'select' requires that 'Int' conform to 'SelectTerm'"),
      ("Reminder.select { _ in }", "cannot conform to 'SelectTerm'"),
      ("Reminder.select { $0.id.asc() }", "static method 'select' requires that 'Ordering' conform to 'SelectTerm'"),
      ("Reminder.where { 1 == 2 }", "'Bool' conform to 'QueryExpression'"),
      ("Reminder.where { $0.title + 3 == \"a\" }", "'Int' to expected argument type 'String'"),
      ("Reminder.where { $0.id + $0.title == 3 }", "error:"),
      ("{ (error: DatabaseError) -> Bool in error.resultCode == .SQLITE_BUSSY }", "in reference to member 'SQLITE_BUSSY'"),
      ("{ (error: DatabaseError) -> Bool in .SQLITE_BUSSY != error.resultCode }", "in reference to member 'SQLITE_BUSSY'"),
      ("{ (error: DatabaseError) -> Bool in error.resultCode == 5 }", "compare with one of SQLite's constants, such as .SQLITE_BUSY"),
      ("Equality(Column<Int>(\"a\"), Column<String>(\"b\"))", "inaccessible"),
    ]
    let diagnostics = try Self.typecheck(snippets.map(\.0))
    for (line, snippet) in snippets.enumerated() {
      let errors = diagnostics.filter { $0.hasPrefix("\(line + 2):") && $0.contains("error:") }
      #expect(errors.contains { $0.contains(snippet.1) }, "\(snippet.0): \(errors)")
    }
  }

  @Test("Well-typed queries compile, optional or not on either side, and none is hard for the compiler")
  func accepted() throws {
    let joined = "$0.listID == $1.id && $1.title == \"a\" && \(Self.twelveTerms)"
    let left = "$0.listID == $1.id && $1.title == nil && \(Self.twelveTerms)"
    let groups = """
      $0.id.count() > 1 && $0.priority == 1 && $0.title == "a" && $0.weight.sum() > 3 && $0.weight.avg() < 7 && $0.id.max() != 3 \
      && $0.id.min() >= 1 && $0.priority != nil && !$0.isCompleted && $0.weight.total() > 0 && $0.id.count(distinct: true) < 9 \
      && $0.title.length() == 3
      """
    let lists = (1...7).map { count in
      ".join(ReminderList.self, as: \"l\(count)\") { " + (1...count).map { "$0.listID == $\($0).id" }.joined(separator: " && ") + " }"
    }.joined()
    let diagnostics = try Self.typecheck([
      // The first pays for reading the module in.
      "Reminder.where { $0.isCompleted }",
      "Reminder.where { $0.priority == 3 && 3 == $0.priority }",
      "Reminder.where { $0.priority == three && three == $0.priority && $0.id == three && three == $0.id }",
      "Reminder.where { $0.priority == nil || $0.priority != nil }",
      "Reminder.where { $0.id == $0.priority && $0.priority == $0.id && $0.title.length() == $0.priority }",
      "Reminder.where { \(Self.twelveTerms) }",
      "Reminder.all().where { \(Self.twelveTerms) }",
      "Reminder.select { $0.id }.where { \(Self.twelveTerms) }.order { ($0.id, $0.title.desc()) }.where { \(Self.twelveTerms) }.limit(3)",
      "Reminder.select { ($0.priority, $0.id.count()) }.group { ($0.priority, $0.title) }.having { \(groups) }",
      "Reminder.all().join(ReminderList.self) { \(joined) }.where { \(joined) }.select { ($0.id, $1.title) }",
      "Reminder.all().leftJoin(ReminderList.self) { \(left) }.where { \(left) }.select { ($0.id, $1.title) }",
      "Reminder.all()\(lists).where { $7.id == $3.id && $6.title == $5.title && $1.id == $2.id && $4.id == 4 && \(Self.twelveTerms) }",
      "Reminder.select { ($0.id, $0.title, $0.priority) } as Select<(Int, String, Int?), TableColumns<Reminder>>",
      "Reminder.select { $0.id } as Select<Int, TableColumns<Reminder>>",
      "Reminder.all().join(ReminderList.self) { $0.listID == $1.id }.where { reminder, _ in reminder.title == \"a\" }",
      "Reminder.all().join(ReminderList.self) { $0.listID == $1.id }.order { _, list in list.title }.select { one, _ in one.title + \"!\" }",
      "Reminder.where { $0.title == \"a\" }.join(ReminderList.self) { $0.listID == $1.id }.select { ($0.title, $1.title) }",
      "Reminder.where { \"a\" + $0.title + \"b\" + $0.title.upper() == \"ab\" && $0.title + nil == $0.title }",
      "{ (db: Database) throws -> Void in let id = try Reminder.insert { _ in }.execute(db); _ = Reminder.where { $0.id == id } }",
      "{ (row: Row) throws -> [DatabaseValue] in let name = try row[\"name\"]; let first = try row[0]; return [name, first] }",
      "{ (error: DatabaseError?) -> Bool in error?.resultCode == .SQLITE_BUSY && error?.resultCode != .SQLITE_FULL }",
      "{ (error: DatabaseError) -> Bool in error.resultCode == .SQLITE_BUSY || .SQLITE_BUSY_SNAPSHOT == error.extendedResultCode }",
      "[1.databaseValue, Int8(1).databaseValue, UInt32(1).databaseValue, 1.5.databaseValue, \"a\".databaseValue, true.databaseValue]",
    ])
    #expect(diagnostics == [])
  }

  @Test("Queries as people write them are not hard for the compiler")
  func realistic() throws {
    let unlisted = "ReminderList.where { $0.id == reminder.listID && $0.title != \"Home\" }"
    let snippets = [
      """
      Reminder.where { $0.weight > 3 }.join(ReminderList.self) { $0.listID == $1.id }.group { reminder, list in list.title } \
      .select { reminder, list in (list.title, reminder.count(), reminder.weight.sum()) }
      """,
      """
      Reminder.where { ($0.priority ?? 0) >= three && $0.title.trim().length() > 3 && (three == nil || !$0.isCompleted) \
      && $0.title.like("%" + $0.title.substr(1, 3) + "%") }.order { ($0.priority.desc(), $0.title.collate(.nocase)) }.limit(three)
      """,
      """
      Reminder.select { ($0.title.substr(1, $0.title.instr(" ") - 1).upper(), ($0.weight / 60).round(2), $0.priority ?? 0, \
      Case().when($0.weight > 9, then: "long").when($0.weight > 3, then: "medium").else("short")) }
      """,
      "Reminder.where { reminder in !\(unlisted).exists() && reminder.priority != nil && reminder.id != Reminder.select { $0.id.max() } }",
      "Reminder.select { reminder in (reminder.id, reminder.title + \"!\", \(unlisted).select { $0.title }) }",
      """
      Reminder.where { $0.id.in(Reminder.where { $0.priority == 3 }.select { $0.id }.union(Reminder.select { $0.id }).except( \
      Reminder.where { $0.title.contains("a") }.select { $0.id })) || $0.weight == Reminder.select { $0.weight.max() } }
      """,
      """
      Reminder.as("a").join(Reminder.self, as: "b") { $0.listID == $1.listID && $0.id < $1.id }.fullJoin(ReminderList.self) { \
      $2.id == $0.listID && ($1.title == nil || $2.title == "Home") }.group { ($0.id, $2.title) } \
      .having { $1.weight.sum() > 3 && $2.id.count(filter: $1.isCompleted) > 1 }.select { ($0.title, $1.title.groupConcat( \
      separator: "; ", distinct: true, filter: $1.weight > 1), $2.title) }
      """,
    ]
    // A tenth of a second's worth of readings; each further subquery in a tuple multiplies them.
    #expect(try Self.typecheck(snippets, options: ["-Xfrontend", "-solver-scope-threshold=3000"]) == [])
  }

  @Test("What is selected costs the compiler as much as it has terms, and no power of that")
  func solverScopes() throws {
    let sums = (1...6).map { "$0.id + \($0)" }.joined(separator: ", ")
    let snippets = [
      "Reminder.select { (\(sums)) }", "Reminder.all().select { (\(sums)) }",
      "Reminder.select { ($0.title + \"a\", $0.id + $0.id, $0.weight * 2, 3 - $0.priority, $0.title + $0.title, -$0.id, $0.id / 2) }",
    ]
    // How many assumptions the compiler may try for one expression: a count, which no machine changes. The default is a million.
    let limit = ["-Xfrontend", "-solver-scope-threshold=3000"]
    #expect(try Self.typecheck(snippets, options: limit) == [])
  }

  private static let twelveTerms = """
    ($0.id == 1 || $0.title == "a" || $0.priority == 3 || $0.isCompleted) && $0.weight < 2.5 && $0.weight > 1 \
    && ($0.id >= 4 || $0.title != "b") && !$0.isCompleted && $0.priority != nil && $0.id < 7 && $0.title.length() == $0.id
    """

  /// Returns the diagnostics of snippets, the first of which is line 2: errors, and expressions of which the compiler tries too many readings.
  ///
  /// - Parameters:
  ///   - checksSending: whether the compiler goes on to look for what is shared by two threads.
  ///   - options: More options of the compiler.
  static func typecheck(_ snippets: [String], checksSending: Bool = false, options: [String] = []) throws -> [String] {
    let modules = try BuiltModules()
    return try withTemporaryFolder { folder in
      let file = folder.appending(path: "Snippets.swift")
      let lines = snippets.enumerated().map { "func f\($0.offset)(_ three: Int?) { _ = \($0.element) }" }
      try (["import QuarryEngine"] + lines).joined(separator: "\n").write(to: file, atomically: true, encoding: .utf8)
      let fixture = BuiltModules.root.appending(path: "Tests/QuarryEngineTests/Query/Reminder.swift")
      let stage = checksSending ? ["-emit-sil", "-wmo", "-parse-as-library", "-o", folder.appending(path: "sil").path] : ["-typecheck"]
      let output = try modules.compile(
        stage + ["-enable-upcoming-feature", "ExistentialAny", "-Xfrontend", "-solver-scope-threshold=\(scopes)"] + options + [
          "-module-cache-path", folder.appending(path: "cache").path, fixture.path, file.path,
        ]
      ).output
      let prefix = file.path + ":"
      return output.split(separator: "\n").filter { $0.hasPrefix(prefix) }.map { String($0.dropFirst(prefix.count)) }
    }
  }

  /// How many readings of an expression the compiler may try: a second's worth, counted instead of timed, so that no machine is too slow for it.
  private static let scopes = 100_000
}

import QuarryEngine
import TestSupport
import Testing

@Suite("Typed INSERT, UPDATE and DELETE", .gated) struct WriteStatementTests {
  private static func titles(_ db: Database) throws -> [String] {
    try Reminder.all().order { $0.id }.select { $0.title }.fetchAll(db)
  }

  @Test("An INSERT names the columns that it gives values to, and returns the rowid")
  func insert() throws {
    let statement = Reminder.insert {
      $0.title = "O'Brien"
      $0.priority = nil
      $0.isCompleted = true
      $0.title = "Call O'Brien"
    }
    #expect(statement.queryString == "INSERT INTO reminders (title, priority, isCompleted) VALUES ('Call O''Brien', NULL, 1)")
    #expect(ReminderList.insert { _ in }.queryString == "INSERT INTO \"Order Details\" DEFAULT VALUES")
    try ReminderFixture.read { db in
      let id = try statement.execute(db)
      #expect(id == 7)
      #expect(try Reminder.where { $0.id == id }.select { $0.priority }.fetchAll(db) == [nil])
      let wide: Int64 = try statement.execute(db)
      let small: UInt8 = try statement.execute(db)
      #expect(wide == 8 && small == 9)
      try db.execute(sql: "UPDATE sqlite_sequence SET seq = 300")
      let error = expectError(DatabaseError.SQLITE_MISMATCH) { try statement.execute(db) as Int8 }
      #expect(error?.message == "the rowid 301 of the new row does not fit in Int8")
      #expect(try Self.titles(db).last == "Call O'Brien")
    }
  }

  @Test("An UPDATE gives columns values, and expressions over the row as it was")
  func update() throws {
    let two: Int? = 2
    let statement = Reminder.update {
      $0.priority = two
      $0.weight = $1.weight * 2
      $0.title = $1.title.upper() + "!"
    }.where { $0.priority == 3 }.where { $0.id != 6 }
    #expect(
      statement.queryString == """
        UPDATE reminders SET priority = 2, weight = (weight * 2.0), title = (upper(title) || '!') WHERE ((priority = 3) AND (id <> 6))
        """)
    try ReminderFixture.read { db in
      let count = try statement.execute(db)
      #expect(count == 1)
      #expect(try Self.titles(db)[4] == "CALL!")
      let weights = try Reminder.where { $0.priority == 2 }.select { $0.weight }.fetchAll(db)
      #expect(weights == [0.5, 1.0])
    }
  }

  @Test("A column is changed in relation to its value, optional or not")
  func compoundAssignment() throws {
    let statement = Reminder.update {
      $0.priority += 1
      $0.id += 10
      $0.weight *= 2
      $0.title += "!"
      $0.listID -= $1.id
    }.where { $0.id > 4 }
    #expect(
      statement.queryString == """
        UPDATE reminders SET priority = (priority + 1), id = (id + 10), weight = (weight * 2.0), title = (title || '!'), \
        listID = (listID - id) WHERE (id > 4)
        """)
    let other = Reminder.update {
      $0.priority /= 2
      $0.listID %= $1.priority
      $0.id -= 1
      $0.weight /= 4
      $0.title += $1.title.lower()
    }
    #expect(
      other.queryString == """
        UPDATE reminders SET priority = (priority / 2), listID = (listID % priority), id = (id - 1), weight = (weight / 4.0), \
        title = (title || lower(title))
        """)
    // A column that was assigned has its new value.
    let twice = Reminder.update {
      $0.priority = 3
      $0.priority += 1
      $0.priority *= $1.id
      $0.title = "a"
      $0.title += "b"
    }
    #expect(twice.queryString == "UPDATE reminders SET priority = ((3 + 1) * id), title = ('a' || 'b')")
    try ReminderFixture.read { db in
      try db.execute(sql: "PRAGMA foreign_keys = OFF")
      #expect(try Reminder.update { $0.priority += 1 }.execute(db) == 6)
      #expect(try Reminder.order { $0.id }.select { $0.priority }.fetchAll(db) == [nil, nil, 2, 3, 4, 4])
      #expect(try twice.where { $0.id == 2 }.execute(db) == 1)
      #expect(try Reminder.where { $0.id == 2 }.select { ($0.priority, $0.title) }.fetchOne(db).map { "\($0)" } == #"(Optional(8), "ab")"#)
    }
  }

  @Test("A DELETE takes the rows for which its predicates hold")
  func delete() throws {
    #expect(ReminderList.delete().where { $0.title == "Home" }.queryString == "DELETE FROM \"Order Details\" WHERE (\"group\" = 'Home')")
    try ReminderFixture.read { db in
      let count = try Reminder.delete().where { $0.priority == 3 }.execute(db)
      #expect(count == 2)
      #expect(try Self.titles(db) == ["Groceries", "Get haircut", "Take a walk", "Buy 50% of it_"])
      #expect(try Reminder.delete().execute(db) == 4)
    }
  }

  @Test("What makes no sense does not compile")
  func refused() throws {
    let snippets = [
      ("Reminder.update { $0.title = nil }", "error:"),
      ("Reminder.update { $0.title = 3 }", "error:"),
      ("Reminder.update { $0.title = $1.priority }", "error:"),
      ("Reminder.update { $0.title = $0.title }", "unavailable"),
      ("Reminder.update { $0.title = three }", "error:"),
      ("Reminder.update { $0.id = three }", "only a column with an optional type can be NULL"),
      ("Reminder.update { $0.title = nil }", "only a column with an optional type can be NULL"),
      ("Reminder.update { $0.weight = $0.weight * 2 }", "unavailable: use the row before the update"),
      ("Reminder.update { $0.priority = $0.priority }", "unavailable: use the row before the update"),
      ("Reminder.update { $0.priority += \"a\" }", "error:"),
      ("Reminder.update { $0.priority += $1.title }", "error:"),
      ("Reminder.update { $0.priority += nil }", "error:"),
      ("Reminder.update { $0.isCompleted += 1 }", "error:"),
      ("Reminder.update { $0.title -= \"a\" }", "error:"),
      ("Reminder.insert { $0.priority += 1 }", "error:"),
      ("Reminder.update { $0.titel = \"a\" }", "no dynamic member 'titel'"),
      ("Reminder.insert { $0.title = $0.title }", "unavailable"),
      ("Reminder.insert { $0.priority = \"a\" }", "error:"),
      ("Reminder.insert { $0.title = \"a\" }.where { $0.id == 1 }", "no member 'where'"),
      ("Reminder.delete().where { $0.title }", "error:"),
      ("Reminder.delete().order { $0.title }", "no member 'order'"),
    ]
    let diagnostics = try CompilationTests.typecheck(snippets.map(\.0))
    for (line, snippet) in snippets.enumerated() {
      let errors = diagnostics.filter { $0.hasPrefix("\(line + 2):") && $0.contains("error:") }
      #expect(errors.contains { $0.contains(snippet.1) }, "\(snippet.0): \(errors)")
    }
  }
}

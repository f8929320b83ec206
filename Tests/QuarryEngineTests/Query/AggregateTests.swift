import QuarryEngine
import TestSupport
import Testing

@Suite("Aggregates and CASE in typed queries", .gated) struct AggregateTests {
  private typealias Check = QueryChecks

  @Test("An aggregate reads the rows that match its filter")
  func filters() throws {
    try Check.expect(
      Reminder.select { ($0.count(), $0.count(filter: $0.isCompleted), $0.id.count(filter: $0.priority == 3 && !$0.isCompleted)) },
      """
      SELECT count(*), count(*) FILTER (WHERE isCompleted), count(id) FILTER (WHERE ((priority = 3) AND NOT (isCompleted))) \
      FROM reminders
      """,
      ["(6, 2, 2)"])
    try Check.expect(
      Reminder.select {
        ($0.priority.sum(distinct: true, filter: $0.id > 3), $0.id.max(filter: $0.isCompleted), $0.id.min(filter: $0.id > 9))
      },
      """
      SELECT sum(DISTINCT priority) FILTER (WHERE (id > 3)), max(id) FILTER (WHERE isCompleted), min(id) FILTER (WHERE (id > 9)) \
      FROM reminders
      """, ["(Optional(5), Optional(4), nil)"])
    try Check.expect(
      Reminder.select { ($0.listID, $0.weight.total(filter: $0.isCompleted), $0.id.avg(filter: $0.id < 3)) }
        .group { $0.listID }.having { $0.count(filter: $0.priority == nil) == 0 },
      """
      SELECT listID, total(weight) FILTER (WHERE isCompleted), avg(id) FILTER (WHERE (id < 3)) FROM reminders GROUP BY listID \
      HAVING (count(*) FILTER (WHERE (priority IS NULL)) = 0)
      """, ["(nil, 0.5, nil)", "(Optional(2), 0.5, nil)"])
  }

  @Test("Texts are concatenated with a separator, distinct or not")
  func concatenation() throws {
    let completed = Reminder.all().where { $0.priority != nil }
    try Check.expect(
      completed.select { ($0.title.groupConcat(), $0.title.groupConcat(separator: "; ", filter: $0.isCompleted)) },
      """
      SELECT group_concat(title), group_concat(title, '; ') FILTER (WHERE isCompleted) FROM reminders WHERE (priority IS NOT NULL)
      """, [#"(Optional("Take a walk,Buy 50% of it_,Call,Nap"), Optional("Take a walk; Buy 50% of it_"))"#])
    let first = "reminders.title, 1, 1"
    try Check.expect(
      Reminder.select {
        ($0.title.substr(1, 1).groupConcat(distinct: true), $0.title.substr(1, 1).groupConcat(separator: "+", distinct: true))
      },
      """
      SELECT group_concat(DISTINCT substr(title, 1, 1)), \
      (SELECT group_concat(value, '+') FROM json_each(json_group_array(DISTINCT substr(\(first))))) FROM reminders
      """, [#"(Optional("G,T,B,C,N"), Optional("G+T+B+C+N"))"#])
    try Check.expect(
      Reminder.select { ($0.listID, $0.title.substr(1, 1).groupConcat(separator: "+", distinct: true, filter: $0.id != 4)) }
        .group { $0.listID },
      """
      SELECT listID, (SELECT group_concat(value, '+') FROM json_each(json_group_array(DISTINCT substr(\(first))) \
      FILTER (WHERE (reminders.id <> 4)))) FROM reminders GROUP BY listID
      """, [#"(nil, Optional("T"))"#, #"(Optional(1), Optional("G"))"#, #"(Optional(2), Optional("C+N"))"#])
    try Check.expect(
      Reminder.where { $0.id > 9 }.select { $0.title.groupConcat(separator: "+", distinct: true) },
      """
      SELECT (SELECT group_concat(value, '+') FROM json_each(json_group_array(DISTINCT reminders.title))) FROM reminders WHERE (id > 9)
      """, ["nil"])
  }

  @Test("A column named as one of json_each is the query's own")
  func hiddenNames() throws {
    struct Item: Table {
      static let tableName = "items"
      struct Columns { let type = Column<String>("type") }
      static let columns = Columns()
    }
    try DatabaseQueue().write { db in
      try db.execute(sql: "CREATE TABLE items (type TEXT); INSERT INTO items VALUES ('a'), ('b'), ('a'), (NULL)")
      #expect(try Item.select { $0.type.groupConcat(separator: "-", distinct: true) }.fetchAll(db) == ["a-b"])
      let free = Column<String>("type").groupConcat(separator: "-", distinct: true)
      #expect(try Item.select { _ in free }.fetchAll(db) == ["a-b"])
    }
  }

  @Test("An order of concatenated texts is SQL of SQLite 3.44, and a clear error before")
  func orderedConcatenation() throws {
    let ordered = Reminder.select { $0.title.groupConcat(separator: "; ", order: $0.priority.desc(), $0.title, filter: $0.id > 2) }
    let sql = "SELECT group_concat(title, '; ' ORDER BY priority DESC, title) FILTER (WHERE (id > 2)) FROM reminders"
    #expect(ordered.queryString == sql)
    let distinct = Reminder.select { $0.title.groupConcat(separator: "; ", distinct: true, order: $0.title) }
    #expect(
      distinct.queryString == """
        SELECT (SELECT group_concat(value, '; ') FROM json_each(json_group_array(DISTINCT reminders.title ORDER BY reminders.title))) \
        FROM reminders
        """)
    let concatenation = Column<String>("title").groupConcat(order: Column<Int>("id"))
    var (old, new) = (SQLWriter(for: SQLiteVersion(3_043_002)), SQLWriter(for: .aggregateOrder))
    concatenation.write(to: &old)
    concatenation.write(to: &new)
    let message = "an aggregate with an order requires SQLite 3.44.0, and the library is 3.43.2: use a newer library, or other SQL"
    #expect(old.text.refusal?.message == message)
    #expect(new.text.refusal == nil && new.text.sql == "group_concat(title ORDER BY id)")
    try ReminderFixture.read { (db: Database) throws -> Void in
      if SQLiteVersion.linked < .aggregateOrder {
        let error = expectError(DatabaseError.SQLITE_ERROR) { try ordered.fetchAll(db) }
        #expect(error?.message.hasPrefix("an aggregate with an order requires SQLite 3.44.0") == true)
      } else {
        #expect(try ordered.fetchAll(db) == ["Call; Nap; Buy 50% of it_; Take a walk"])
        #expect(try distinct.fetchAll(db) == ["Buy 50% of it_; Call; Get haircut; Groceries; Nap; Take a walk"])
      }
    }
  }

  @Test("CASE has the result of its first branch that applies, optional only where it may be NULL")
  func cases() throws {
    let named = Reminder.select { ($0.id, Case().when($0.isCompleted, then: "done").when($0.priority == 3, then: "urgent").else("open")) }
    let names: [(Int, String)] = try ReminderFixture.read { db in try named.fetchAll(db) }
    #expect(names.map(\.1) == ["open", "open", "done", "done", "urgent", "urgent"])
    try Check.expect(
      Reminder.select { Case($0.priority).when(1, then: "low").when(3, then: "high") },
      "SELECT CASE priority WHEN 1 THEN 'low' WHEN 3 THEN 'high' END FROM reminders",
      ["nil", "nil", #"Optional("low")"#, "nil", #"Optional("high")"#, #"Optional("high")"#])
    try Check.expect(
      Reminder.select { Case($0.listID).when($0.id, then: $0.id).when(2, then: 7).else($0.id) },
      "SELECT CASE listID WHEN id THEN id WHEN 2 THEN 7 ELSE id END FROM reminders", ["1", "2", "3", "7", "7", "7"])
    try Check.expect(
      Reminder.select { Case().when($0.isCompleted, then: $0.id).when($0.id > 5, then: $0.priority).else(0) },
      "SELECT CASE WHEN isCompleted THEN id WHEN (id > 5) THEN priority ELSE 0 END FROM reminders",
      ["Optional(0)", "Optional(0)", "Optional(3)", "Optional(4)", "Optional(0)", "Optional(3)"])
    try Check.expect("(CASE WHEN isCompleted THEN priority ELSE 0 END = 2)", [4]) {
      Case().when($0.isCompleted, then: $0.priority).else(0) == 2
    }
    try Check.expect(
      Reminder.select { Case().when($0.isCompleted, then: 1).else($0.priority).sum() },
      "SELECT sum(CASE WHEN isCompleted THEN 1 ELSE priority END) FROM reminders", ["Optional(8)"])
    try Check.expect(
      Reminder.order { (Case($0.priority).when(3, then: 0).else(1), $0.id) }.select { $0.id },
      "SELECT id FROM reminders ORDER BY CASE priority WHEN 3 THEN 0 ELSE 1 END, id", ["5", "6", "1", "2", "3", "4"])
  }

  @Test("Ill-typed aggregates and branches are refused")
  func refused() throws {
    try Check.expectRefused([
      ("Reminder.select { $0.id.count(filter: $0.title) }", "error:"),
      ("Reminder.select { $0.count(distinct: true) }", "error:"),
      ("Reminder.select { $0.id.groupConcat(separator: \",\") }", "'Int') and 'String' be equivalent"),
      ("Reminder.select { $0.title.groupConcat(order: 3) }", "error:"),
      ("Reminder.all().leftJoin(ReminderList.self) { $0.listID == $1.id }.select { $1.count() }", "error:"),
      ("Reminder.select { Case().when($0.title, then: 1).else(0) }", "error:"),
      ("Reminder.select { Case($0.priority).when(\"a\", then: 1).else(0) }", "'Int') and 'String.QueryValue' (aka 'String') be equivalent"),
      ("Reminder.select { Case($0.priority).when(1, then: 1).when(2, then: \"a\").else(0) }", "error:"),
      ("Reminder.select { Case($0.priority).when(1, then: 1).else($0.title) }", "error:"),
      ("Reminder.select { Case().else(1) }", "has no member 'else'"),
      ("Reminder.where { Case().when($0.isCompleted, then: 1).else(0) }", "error:"),
    ])
  }
}

import QuarryEngine
import TestSupport
import Testing

@Suite(.gated) struct SelectTests {
  private static func check<Output, Sources>(
    _ query: Select<Output, Sources>, _ sql: String, _ rows: [String], sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    #expect(query.queryString == sql, sourceLocation: sourceLocation)
    let found = try ReminderFixture.read { db in try query.fetchAll(db).map { "\($0)" } }
    #expect(found == rows, sourceLocation: sourceLocation)
  }

  /// Checks the SQL of a predicate, and the ids of the rows for which it holds.
  private static func check(
    _ sql: String, _ ids: [Int], sourceLocation: SourceLocation = #_sourceLocation,
    _ predicate: (TableColumns<Reminder>) -> some QueryExpression<Bool>
  ) throws {
    let query = Reminder.where(predicate)
    #expect(query.queryString == "SELECT * FROM reminders WHERE " + sql, sourceLocation: sourceLocation)
    let found = try ReminderFixture.read { db in try query.order { $0.id }.select { $0.id }.fetchAll(db) }
    #expect(found == ids, sourceLocation: sourceLocation)
  }

  @Test("All rows are selected")
  func all() throws {
    #expect(Reminder.all().queryString == "SELECT * FROM reminders")
    let names = try ReminderFixture.read { db in try Reminder.all().fetchOne(db)?.columnNames }
    #expect(names == ["id", "title", "isCompleted", "priority", "listID", "weight"])
  }

  @Test("Columns are selected and decoded as a tuple of their types")
  func columns() throws {
    let query = Reminder.select { ($0.id, $0.title, $0.priority) }.order { $0.id }.limit(2, offset: 1)
    let rows: [(Int, String, Int?)] = try ReminderFixture.read { db in try query.fetchAll(db) }
    #expect(query.queryString == "SELECT id, title, priority FROM reminders ORDER BY id LIMIT 2 OFFSET 1")
    #expect(query.sqlText.sql == "SELECT id, title, priority FROM reminders ORDER BY id LIMIT ? OFFSET ?")
    #expect(query.sqlText.values == [.integer(2), .integer(1)])
    #expect(rows.map(\.0) == [2, 3] && rows.map(\.1) == ["Get haircut", "Take a walk"] && rows.map(\.2) == [nil, 1])
  }

  @Test("Aggregates have their types")
  func aggregates() throws {
    try Self.check(
      Reminder.select { ($0.id.count(), $0.priority.avg(), $0.title.groupConcat(separator: ", ")) },
      "SELECT count(id), avg(priority), group_concat(title, ', ') FROM reminders",
      [#"(6, Optional(2.25), Optional("Groceries, Get haircut, Take a walk, Buy 50% of it_, Call, Nap"))"#])
    try Self.check(
      Reminder.select { ($0.count(), $0.priority.count(distinct: true), $0.priority.sum(), $0.priority.total(), $0.title.max()) },
      "SELECT count(*), count(DISTINCT priority), sum(priority), total(priority), max(title) FROM reminders",
      [#"(6, 3, Optional(9), 9.0, Optional("Take a walk"))"#])
    try Self.check(
      Reminder.where { $0.id < 0 }.select { ($0.priority.sum(), $0.priority.min()) },
      "SELECT sum(priority), min(priority) FROM reminders WHERE (id < 0)", ["(nil, nil)"])
  }

  @Test("Rows are ordered by any number of keys")
  func orders() throws {
    try Self.check(
      Reminder.order { ($0.priority.desc(), $0.title.collate(.nocase).asc()) }.select { $0.id },
      "SELECT id FROM reminders ORDER BY priority DESC, title COLLATE NOCASE ASC", ["5", "6", "4", "3", "2", "1"])
    try Self.check(
      Reminder.order { $0.title.length() }.select { $0.id }, "SELECT id FROM reminders ORDER BY length(title)",
      ["6", "5", "1", "2", "3", "4"])
    try Self.check(
      Reminder.order { ($0.priority.asc(nulls: .last), $0.id.desc()) }.select { $0.id },
      "SELECT id FROM reminders ORDER BY priority ASC NULLS LAST, id DESC", ["3", "4", "6", "5", "2", "1"])
  }

  @Test("Truths and their opposites filter rows")
  func truths() throws {
    try Self.check("isCompleted", [3, 4]) { $0.isCompleted }
    try Self.check("NOT (isCompleted)", [1, 2, 5, 6]) { !$0.isCompleted }
    try Self.check("NOT (priority = 3)", [3, 4]) { !($0.priority == 3) }
    try Self.check("(NOT (isCompleted) OR (priority = 3))", [1, 2, 5, 6]) { !$0.isCompleted || $0.priority == 3 }
    try Self.check("(NOT (isCompleted) AND (priority = 3))", [5, 6]) { !$0.isCompleted && $0.priority == 3 }
    try Self.check("((NOT (isCompleted)) = 1)", [1, 2, 5, 6]) { !$0.isCompleted == true }
    try Self.check("((id = 1) OR (id = 2) OR (id = 3))", [1, 2, 3]) { $0.id == 1 || $0.id == 2 || $0.id == 3 }
    #expect(
      Reminder.all().where { !$0.isCompleted }.where { $0.priority == 3 }.queryString
        == "SELECT * FROM reminders WHERE (NOT (isCompleted) AND (priority = 3))")
  }

  @Test("A value is compared on either side, optional or not")
  func comparisons() throws {
    let three: Int? = 3
    let none: Int? = nil
    try Self.check("(priority = 3)", [5, 6]) { $0.priority == 3 }
    try Self.check("(priority = 3)", [5, 6]) { 3 == $0.priority }
    try Self.check("(priority = 3)", [5, 6]) { $0.priority == three }
    try Self.check("(id = 3)", [3]) { three == $0.id }
    try Self.check("(priority IS NULL)", [1, 2]) { $0.priority == nil }
    try Self.check("(priority IS NOT NULL)", [3, 4, 5, 6]) { none != $0.priority }
    try Self.check("(priority <> 3)", [3, 4]) { $0.priority != 3 }
    try Self.check("(length(title) = 3)", [6]) { $0.title.length() == 3 }
    try Self.check("(length(title) = priority)", [6]) { $0.title.length() == $0.priority }
    try Self.check("(priority < 3)", [3, 4]) { $0.priority < 3 }
    try Self.check("(2 <= priority)", [4, 5, 6]) { 2 <= $0.priority }
    try Self.check("(title > 'N')", [3, 6]) { $0.title > "N" }
    try Self.check("(id >= priority)", [3, 4, 5, 6]) { $0.id >= $0.priority }
  }

  @Test("NULL is asked for by IS")
  func identity() throws {
    let none: Int? = nil
    try Self.check("(priority IS NULL)", [1, 2]) { $0.priority.isNull }
    try Self.check("(priority IS NOT NULL)", [3, 4, 5, 6]) { $0.priority.isNotNull }
    try Self.check("(priority IS NULL)", [1, 2]) { $0.priority.is(none) }
    try Self.check("(priority IS listID)", [4]) { $0.priority.is($0.listID) }
    try Self.check("(priority IS NOT 3)", [1, 2, 3, 4]) { $0.priority.isNot(3) }
  }

  @Test("Values are computed")
  func arithmetic() throws {
    try Self.check("((priority + 1) = 4)", [5, 6]) { $0.priority + 1 == 4 }
    try Self.check("((10 - (id * 2)) > (id / 2))", [1, 2, 3]) { 10 - $0.id * 2 > $0.id / 2 }
    try Self.check("((id % 2) = 0)", [2, 4, 6]) { $0.id % 2 == 0 }
    try Self.check("(-(id) < -5)", [6]) { -$0.id < -5 }
    try Self.check("(CAST(priority AS REAL) > 2.5)", [5, 6]) { $0.priority.cast(to: Double.self) > 2.5 }
    try Self.check("(coalesce(priority, 0) = 0)", [1, 2]) { $0.priority.coalesce(0) == 0 }
    try Self.check("(abs((id - 4)) = 1)", [3, 5]) { ($0.id - 4).abs() == 1 }
    try Self.check("(round((weight * CAST(id AS REAL)), 0) = 3.0)", [5, 6]) { ($0.weight * $0.id.cast(to: Double.self)).round() == 3 }
  }

  @Test("Texts are matched, with what is special standing for itself")
  func texts() throws {
    try Self.check("(title LIKE 'g%')", [1, 2]) { $0.title.like("g%") }
    try Self.check("(title LIKE '%50!%%' ESCAPE '!')", [4]) { $0.title.like("%50!%%", escape: "!") }
    try Self.check("(title GLOB 'G*')", [1, 2]) { $0.title.glob("G*") }
    try Self.check("(title LIKE '%ca%')", [5]) { $0.title.contains("ca") }
    try Self.check(#"(title LIKE '%0\%%' ESCAPE '\')"#, [4]) { $0.title.contains("0%") }
    try Self.check("(title LIKE 'get%')", [2]) { $0.title.hasPrefix("get") }
    try Self.check(#"(title LIKE '%\_' ESCAPE '\')"#, [4]) { $0.title.hasSuffix("_") }
    try Self.check("(lower(title) = 'nap')", [6]) { $0.title.lower() == "nap" }
    try Self.check("((upper(title) || '!') = 'NAP!')", [6]) { $0.title.upper().concatenated(with: "!") == "NAP!" }
  }

  @Test("Values are looked for in lists, ranges and queries")
  func membership() throws {
    try Self.check("(priority IN (1, 3))", [3, 5, 6]) { $0.priority.in([1, 3]) }
    try Self.check("(priority IN ())", []) { $0.priority.in([]) }
    try Self.check("(priority BETWEEN 2 AND 3)", [4, 5, 6]) { $0.priority.between(2, and: 3) }
    try Self.check(#"(listID IN (SELECT id FROM "Order Details" WHERE ("group" = 'Home')))"#, [1, 2]) {
      $0.listID.in(ReminderList.where { $0.title == "Home" }.select { $0.id })
    }
    try Self.check(#"EXISTS (SELECT * FROM "Order Details" WHERE (id = reminders.listID))"#, [1, 2, 4, 5, 6]) { reminder in
      ReminderList.where { $0.id == reminder.listID }.exists()
    }
  }

  @Test("Rows are grouped and sorted by a call on a subquery within a subquery")
  func subqueryKey() throws {
    let query = Reminder.all().group { reminder in
      let title = Reminder.as("r").where { $0.id == reminder.id }.select { r in Reminder.as("s").where { $0.id == r.id }.select { $0.title }
      }
      return title.collate(.nocase)
    }
    .order { reminder in
      let title = Reminder.as("r").where { $0.id == reminder.id }.select { r in Reminder.as("s").where { $0.id == r.id }.select { $0.title }
      }
      return title.collate(.nocase)
    }
    .select { $0.count() }
    let title = "(SELECT (SELECT title FROM reminders AS s WHERE (id = r.id)) FROM reminders AS r WHERE (id = reminders.id))"
    #expect(
      query.queryString
        == "SELECT count(*) FROM reminders GROUP BY \(title) COLLATE NOCASE ORDER BY \(title) COLLATE NOCASE")
    let counts: [Int] = try ReminderFixture.read { db in try query.fetchAll(db) }
    #expect(try counts == ReminderFixture.read { db in try Int.fetchAll(db, sql: query.queryString) })
  }

  @Test("Rows are grouped, and groups filtered")
  func groups() throws {
    try Self.check(
      Reminder.select { ($0.priority, $0.id.count()) }.group { $0.priority }.having { $0.id.count() > 1 }.order { $0.priority },
      "SELECT priority, count(id) FROM reminders GROUP BY priority HAVING (count(id) > 1) ORDER BY priority",
      ["(nil, 2)", "(Optional(3), 2)"])
    try Self.check(
      Reminder.select { $0.priority }.distinct().order { $0.priority.desc() },
      "SELECT DISTINCT priority FROM reminders ORDER BY priority DESC", ["Optional(3)", "Optional(2)", "Optional(1)", "nil"])
  }

  @Test("A join qualifies columns, and a left join makes them optional")
  func joins() throws {
    let joined = Reminder.where { $0.id > 3 }.join(ReminderList.self) { $0.listID == $1.id }.select { ($0.title, $1.title) }
    let rows: [(String, String)] = try ReminderFixture.read { db in try joined.order { reminder, _ in reminder.id }.fetchAll(db) }
    #expect(
      joined.queryString == """
        SELECT reminders.title, "Order Details"."group" FROM reminders JOIN "Order Details" ON (reminders.listID = "Order Details".id) \
        WHERE (reminders.id > 3)
        """)
    #expect(rows.map(\.0) == ["Buy 50% of it_", "Call", "Nap"] && rows.map(\.1) == ["Work", "Work", "Work"])
    let left = Reminder.all().leftJoin(ReminderList.self) { $0.listID == $1.id }.where { $1.title == nil }.select { ($0.id, $1.title) }
    let unlisted: [(Int, String?)] = try ReminderFixture.read { db in try left.fetchAll(db) }
    #expect(unlisted.map(\.0) == [3] && unlisted.map(\.1) == [nil])
  }

  @Test("A chain of joins hands each source to the closures that follow")
  func chainOfJoins() throws {
    let query = Reminder.all()
      .join(ReminderList.self) { $0.listID == $1.id }
      .leftJoin(Reminder.self, as: "next") { $2.id == $0.id + 1 && $2.listID == $1.id }
      .where { $0.id > 3 && $1.title == "Work" && ($2.id != nil || $0.isCompleted || $0.title == "Nap") }
      .order { reminder, list, _ in (list.title, reminder.id.desc()) }
      .select { ($0.id, $1.title, $2.title) }
    let rows: [(Int, String, String?)] = try ReminderFixture.read { db in try query.fetchAll(db) }
    #expect(rows.map { "\($0)" } == [#"(6, "Work", nil)"#, #"(5, "Work", Optional("Nap"))"#, #"(4, "Work", Optional("Call"))"#])
  }

  @Test("A query reads up to eight tables")
  func eightTables() throws {
    let mixed = Reminder.all()
      .join(Reminder.self, as: "b") { $1.id == $0.id + 1 }
      .leftJoin(Reminder.self, as: "c") { _, b, c in c.id == b.id + 1 }
      .join(Reminder.self, as: "d") { _, _, c, d in d.id == c.id + 1 }
      .leftJoin(Reminder.self, as: "e") { _, _, _, d, e in e.id == d.id + 1 }
      .join(Reminder.self, as: "f") { _, _, _, _, e, f in f.id == e.id + 1 }
      .leftJoin(Reminder.self, as: "g") { _, _, _, _, _, f, g in g.id == f.id + 1 }
      .join(ReminderList.self) { a, _, _, _, _, _, _, h in h.id == a.listID }
    #expect(try ReminderFixture.read { db in try mixed.fetchCount(db) } == 1)
    let chosen = mixed.select { first, _, _, _, _, sixth, seventh, list in (first.id, sixth.id, seventh.id, list.title) }
    let found = try ReminderFixture.read { db in try chosen.fetchAll(db) }
    #expect(found.map { "\($0)" } == [#"(1, 6, nil, "Home")"#])
    let evenly = Reminder.all()
      .leftJoin(Reminder.self, as: "b") { $1.id == $0.id + 1 }
      .join(Reminder.self, as: "c") { _, b, c in c.id == b.id + 1 }
      .leftJoin(Reminder.self, as: "d") { _, _, c, d in d.id == c.id + 1 }
      .join(Reminder.self, as: "e") { _, _, _, d, e in e.id == d.id + 1 }
      .leftJoin(Reminder.self, as: "f") { _, _, _, _, e, f in f.id == e.id + 1 }
      .join(ReminderList.self) { a, _, _, _, _, _, g in g.id == a.listID }
      .leftJoin(ReminderList.self, as: "other") { _, _, _, _, _, _, g, h in h.id == g.id + 1 }
    let named = evenly.select { first, _, _, _, _, sixth, list, other in (first.id, sixth.id, list.title, other.title) }
    let others = try ReminderFixture.read { db in try named.fetchAll(db) }
    #expect(others.map { "\($0)" } == [#"(1, Optional(6), "Home", Optional("Work"))"#, #"(2, nil, "Home", Optional("Work"))"#])
  }

  @Test("A table meets itself by another name")
  func selfJoin() throws {
    try Self.check(
      Reminder.all().join(Reminder.self, as: "other") { $0.priority == $1.priority && $0.id < $1.id }.select { ($0.id, $1.id) },
      "SELECT reminders.id, other.id FROM reminders JOIN reminders AS other "
        + "ON ((reminders.priority = other.priority) AND (reminders.id < other.id))", ["(5, 6)"])
  }

  @Test("Results are counted without being fetched")
  func counts() throws {
    try ReminderFixture.read { (db: Database) throws -> Void in
      #expect(try Reminder.where { $0.isCompleted }.order { $0.id }.fetchCount(db) == 2)
      #expect(try Reminder.all().limit(4).fetchCount(db) == 4)
      #expect(try Reminder.select { $0.priority }.distinct().fetchCount(db) == 4)
      #expect(try Reminder.select { $0.id.count() }.fetchCount(db) == 1)
      #expect(try Reminder.select { $0.priority }.fetchSet(db) == [nil, 1, 2, 3])
      #expect(try Reminder.where { $0.id < 0 }.select { $0.id }.fetchOne(db) == nil)
    }
  }

  @Test("A table of records is fetched as records, also from a join")
  func records() throws {
    struct Entry: Table, FetchableRecord, Equatable {
      static let tableName = "reminders"
      struct Columns { let id = Column<Int>("id") }
      static let columns = Columns()
      let title: String
      init(row: Row) throws { title = try row["title"] }
    }
    let query = Entry.where { $0.id > 4 }.join(ReminderList.self) { $0.id < $1.id * 3 }.order { entry, _ in entry.id }
    #expect(
      query.queryString
        == #"SELECT reminders.* FROM reminders JOIN "Order Details" ON (reminders.id < ("Order Details".id * 3)) "#
        + "WHERE (reminders.id > 4) ORDER BY reminders.id")
    try ReminderFixture.read { (db: Database) throws -> Void in
      #expect(try query.fetchAll(db).map(\.title) == ["Call"])
      #expect(try Entry.order { $0.id.desc() }.fetchOne(db)?.title == "Nap")
      #expect(try Entry.all().fetchCount(db) == 6)
    }
  }

  @Test("A value that does not fit its column's type is an error")
  func mismatch() throws {
    struct Wrong: Table {
      static let tableName = "reminders"
      struct Columns { let title = Column<Int>("title") }
      static let columns = Columns()
    }
    try ReminderFixture.read { (db: Database) throws -> Void in
      #expect(throws: DatabaseError.self) { try Wrong.select { $0.title }.fetchAll(db) }
    }
  }

  @Test("A number is no number of a column where it is shown as a term")
  func loneNumbers() throws {
    let ordered = Reminder.select { $0.id }.order { _ in (Constant(9), -Constant(-9), Constant(9).desc()) }
    #expect(ordered.sqlText.sql == "SELECT id FROM reminders ORDER BY ?, -(?), ? DESC")
    #expect(ordered.queryString == "SELECT id FROM reminders ORDER BY (9 + 0), -((-9 + 0)), (9 + 0) DESC")
    let grouped = Reminder.select { $0.id.count() }.group { _ in Constant(9) }.order { $0.id + 1 }
    #expect(grouped.queryString == "SELECT count(id) FROM reminders GROUP BY (9 + 0) ORDER BY (id + 1)")
    try ReminderFixture.read { (db: Database) throws -> Void in
      #expect(try Int.fetchAll(db, sql: ordered.queryString) == ordered.fetchAll(db))
      #expect(try Int.fetchAll(db, sql: grouped.queryString) == [6])
    }
  }

  @Test("What a query yields can be fetched as another type")
  func otherTypes() throws {
    struct Title: FetchableRecord, Hashable {
      let title: String
      init(row: Row) throws { title = try row["title"] }
    }
    try ReminderFixture.read { (db: Database) throws -> Void in
      let query = Reminder.where { $0.priority == 3 }.order { $0.title }
      #expect(try Title.fetchAll(db, query).map(\.title) == ["Call", "Nap"])
      #expect(try Title.fetchOne(db, query)?.title == "Call")
      #expect(try Title.fetchSet(db, query).count == 2)
      #expect(try Title.fetchCursor(db, query).next()?.title == "Call")
      let titles = query.select { ($0.title, $0.id) }
      #expect(try Row.fetchAll(db, titles).map(\.description) == [#"[title:"Call" id:5]"#, #"[title:"Nap" id:6]"#])
      #expect(try String.fetchSet(db, titles) == ["Call", "Nap"])
      #expect(try Int.fetchOne(db, Reminder.where { $0.id == 1 }.select { $0.priority }) == nil)
      #expect(try Int.fetchOne(db, Reminder.where { $0.id == 6 }.select { $0.priority }) == 3)
    }
  }

  @Test("A value that SQLite cannot store is refused when the query runs")
  func refusal() throws {
    try ReminderFixture.read { (db: Database) throws -> Void in
      let query = Reminder.where { $0.id.cast(to: Int.self) == 1 && Column<UInt64>("id") == UInt64.max }
      #expect(throws: DatabaseError.self) { try query.fetchAll(db) }
    }
  }

  @Test("Chains of any length are one flat node that SQLite takes")
  func chains() throws {
    let id = Column<Int>("id")
    var predicate: any QueryExpression<Bool> = id == -1
    func appended(_ left: some QueryExpression<Bool>, _ value: Int) -> any QueryExpression<Bool> { left || id == value }
    for value in 6..<3006 { predicate = appended(predicate, value) }
    func query(_ predicate: some QueryExpression<Bool>) -> Select<Int, TableColumns<Reminder>> {
      Reminder.where { _ in predicate }.select { $0.id }
    }
    #expect(try ReminderFixture.read { db in try query(predicate).fetchAll(db) } == [6])
  }
}

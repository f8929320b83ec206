import QuarryEngine
import TestSupport
import Testing

@Suite("Outer joins, and records of joins", .gated) struct JoinTests {
  private typealias Check = QueryChecks

  @Test("A right join keeps the rows of the joined table, a full join those of both sides")
  func outerJoins() throws {
    let right = Reminder.all().rightJoin(ReminderList.self) { $0.listID == $1.id && $0.isCompleted }
    let condition = #"ON ((reminders.listID = "Order Details".id) AND reminders.isCompleted)"#
    try Check.expect(
      right.order { $1.id }.select { ($0.title, $1.title) },
      #"SELECT reminders.title, "Order Details"."group" FROM reminders RIGHT JOIN "Order Details" "# + condition
        + #" ORDER BY "Order Details".id"#, [#"(nil, "Home")"#, #"(Optional("Buy 50% of it_"), "Work")"#])
    let full = Reminder.where { $0.id < 5 }.fullJoin(ReminderList.self) { $0.listID == $1.id && $0.isCompleted }
    try Check.expect(
      full.order { ($0.id, $1.id) }.select { ($0.id, $1.title) },
      #"SELECT reminders.id, "Order Details"."group" FROM reminders FULL JOIN "Order Details" "# + condition
        + #" WHERE (reminders.id < 5) ORDER BY reminders.id, "Order Details".id"#,
      ["(Optional(1), nil)", "(Optional(2), nil)", "(Optional(3), nil)", #"(Optional(4), Optional("Work"))"#])
    let rows: [Row] = try ReminderFixture.read { db in try right.fetchAll(db) }
    #expect(rows.count == 2 && rows.first?.count == 8)
  }

  @Test("Every preceding table of a right join becomes optional")
  func chains() throws {
    let query = Reminder.all()
      .join(ReminderList.self) { $0.listID == $1.id }
      .rightJoin(Reminder.self, as: "next") { $2.id == $0.id + 1 && $1.title == "Work" }
      .fullJoin(ReminderList.self, as: "other") { $2.listID == $3.id && $3.id == 1 }
      .leftJoin(Reminder.self, as: "last") { $4.id == $2.id }
    let chosen: [(Int?, String?, Int?, String?, Int?)] = try ReminderFixture.read { db in
      try query.select { ($0.id, $1.title, $2.id, $3.title, $4.id) }.order { _, _, next, _, _ in next.id }.fetchAll(db)
    }
    #expect(
      chosen.map { "\($0)" } == [
        #"(nil, nil, nil, Optional("Work"), nil)"#, #"(nil, nil, Optional(1), Optional("Home"), Optional(1))"#,
        #"(nil, nil, Optional(2), Optional("Home"), Optional(2))"#,
        "(nil, nil, Optional(3), nil, Optional(3))", "(nil, nil, Optional(4), nil, Optional(4))",
        #"(Optional(4), Optional("Work"), Optional(5), nil, Optional(5))"#,
        #"(Optional(5), Optional("Work"), Optional(6), nil, Optional(6))"#,
      ])
    let seven = Reminder.all()
      .fullJoin(Reminder.self, as: "b") { $1.id == $0.id }.fullJoin(Reminder.self, as: "c") { _, b, c in c.id == b.id }
      .rightJoin(Reminder.self, as: "d") { _, _, c, d in d.id == c.id }.fullJoin(Reminder.self, as: "e") { _, _, _, d, e in e.id == d.id }
      .rightJoin(Reminder.self, as: "f") { _, _, _, _, e, f in f.id == e.id }
      .fullJoin(Reminder.self, as: "g") { _, _, _, _, _, f, g in g.id == f.id }
      .rightJoin(Reminder.self, as: "h") { _, _, _, _, _, _, g, h in h.id == g.id }
    #expect(try ReminderFixture.read { db in try seven.fetchCount(db) } == 6)
  }

  @Test("An older library refuses a right or full join with a clear error")
  func olderLibrary() {
    var writer = SQLWriter(for: SQLiteVersion(3_038_005))
    Reminder.all().rightJoin(ReminderList.self) { $0.listID == $1.id }.select { $1.id }.write(to: &writer)
    let message = "a RIGHT or FULL JOIN requires SQLite 3.39.0, and the library is 3.38.5: use a newer library, or other SQL"
    #expect(writer.text.refusal?.message == message)
    var left = SQLWriter(for: SQLiteVersion(3_038_005))
    Reminder.all().leftJoin(ReminderList.self) { $0.listID == $1.id }.select { $1.id }.write(to: &left)
    #expect(left.text.refusal == nil)
  }

  private struct Task: Table, FetchableRecord, Hashable {
    static let tableName = "reminders"
    struct Columns {
      let id = Column<Int>("id")
      let listID = Column<Int?>("listID")
    }
    static let columns = Columns()

    let id: Int
    let title: String

    init(row: Row) throws {
      id = try row["id"]
      title = try row["title"]
    }
  }

  private struct Group: Table, FetchableRecord, Hashable {
    static let tableName = "Order Details"
    struct Columns { let id = Column<Int>("id") }
    static let columns = Columns()

    let id: Int
    let name: String

    init(row: Row) throws {
      id = try row["id"]
      name = try row["group"]
    }
  }

  @Test("Records of several tables are fetched at once, nil where no row matches")
  func records() throws {
    try ReminderFixture.read { (db: Database) throws -> Void in
      let both = Task.all().join(Group.self) { $0.listID == $1.id }.order { task, _ in task.id }.select { ($0, $1) }
      #expect(
        both.queryString == """
          SELECT reminders.*, "Order Details".* FROM reminders JOIN "Order Details" ON (reminders.listID = "Order Details".id) \
          ORDER BY reminders.id
          """)
      let pairs: [(Task, Group)] = try both.fetchAll(db)
      #expect(pairs.map(\.0.id) == [1, 2, 4, 5, 6] && pairs.map(\.1.id) == [1, 1, 2, 2, 2] && pairs.map(\.1.name).last == "Work")
      #expect(try both.fetchCount(db) == 5)
      let left: [(Group?, Int, Task)] = try Task.where { $0.id < 4 }.leftJoin(Group.self) { $0.listID == $1.id }
        .select { ($1, $0.id * 2 ?? 0, $0) }.order { task, _ in task.id }.fetchAll(db)
      #expect(left.map(\.0?.name) == ["Home", "Home", nil] && left.map(\.1) == [2, 4, 6] && left.map(\.2.title).last == "Take a walk")
      let right: [(Task?, Group)] = try Task.all().rightJoin(Group.self) { $0.listID == $1.id && $0.id == 4 }
        .select { ($0, $1) }.order { _, group in group.id }.fetchAll(db)
      #expect(right.map(\.0?.id) == [nil, 4] && right.map(\.1.id) == [1, 2])
      #expect(try Task.select { $0 }.order { $0.id }.fetchOne(db)?.title == "Groceries")
      #expect(try Task.all().join(Group.self) { $0.listID == $1.id }.select { _, group in group }.distinct().fetchSet(db).count == 2)
      let united = Task.where { $0.id < 2 }.select { ($0, $0.id) }.union(Task.where { $0.id == 6 }.select { ($0, $0.id) }).limit(9)
      #expect(try united.union(united).fetchAll(db).map(\.0.id) == [1, 6])
    }
  }

  @Test("A record that cannot be decoded is an error with its own columns")
  func undecodable() throws {
    try ReminderFixture.read { (db: Database) throws -> Void in
      try db.execute(sql: "UPDATE reminders SET title = X'00FF' WHERE id = 4")
      let query = Group.all().join(Task.self) { $0.id == $1.listID }.select { ($0, $1) }
      let error = expectError(DatabaseError.SQLITE_MISMATCH) { try query.fetchAll(db) }
      #expect(error?.message.contains("title") == true)
    }
  }

  private struct Track: Table {
    static let tableName = "Track"
    struct Columns {
      let albumId = Column<Int?>("AlbumId")
      let milliseconds = Column<Int>("Milliseconds")
    }
    static let columns = Columns()
  }

  private struct Album: Table {
    static let tableName = "Album"
    struct Columns {
      let id = Column<Int>("AlbumId")
      let title = Column<String>("Title")
    }
    static let columns = Columns()
  }

  @Test("A filtered, joined and grouped query reads as it is spoken")
  func groupedJoin() throws {
    let query = Track.where { $0.milliseconds > 300_000 }
      .join(Album.self) { $0.albumId == $1.id }
      .group { track, album in album.title }
      .select { track, album in (album.title, track.count(), track.milliseconds.sum()) }
    #expect(
      query.queryString == """
        SELECT Album.Title, count(*), sum(Track.Milliseconds) FROM Track JOIN Album ON (Track.AlbumId = Album.AlbumId) \
        WHERE (Track.Milliseconds > 300000) GROUP BY Album.Title
        """)
    try DatabaseQueue().write { db in
      try db.execute(
        sql: """
          CREATE TABLE Album (AlbumId INTEGER PRIMARY KEY, Title TEXT); CREATE TABLE Track (AlbumId INTEGER, Milliseconds INTEGER);
          INSERT INTO Album VALUES (1, 'Restless'), (2, 'Facelift');
          INSERT INTO Track VALUES (1, 400000), (1, 300000), (2, 300001), (2, 500000), (NULL, 900000)
          """)
      let rows: [(String, Int, Int?)] = try query.fetchAll(db)
      #expect(rows.map { "\($0)" } == [#"("Facelift", 2, Optional(800001))"#, #"("Restless", 1, Optional(400000))"#])
    }
  }

  @Test("Ill-typed joins and records are refused")
  func refused() throws {
    try Check.expectRefused([
      ("Reminder.all().rightJoin(ReminderList.self) { $0.listID == $1.title }", "error:"),
      ("Reminder.all().fullJoin(ReminderList.self) { $0.listID }", "error:"),
      (
        "Reminder.all().rightJoin(ReminderList.self) { $0.listID == $1.id }.select { ($0.id, $1.id) } as Select<(Int, Int), Never>",
        "error:"
      ),
      ("Reminder.all().fullJoin(ReminderList.self) { $0.listID == $1.id }.select { $0.count() }", "error:"),
      ("Reminder.all().join(ReminderList.self) { $0.listID == $1.id }.select { ($0, $1) }", "cannot conform to 'SelectTerm'"),
      ("Reminder.all().join(ReminderList.self) { $0.listID == $1.id }.order { ($0, $1) }", "error:"),
      ("Reminder.where { $0 == $0 }", "error:"),
      ("Reminder.all().select { $0 }", "conform to 'FetchableRecord'"),
    ])
  }
}

import QuarryEngine
import TestSupport
import Testing

@Suite("Subqueries, combined queries and common tables", .gated) struct SubqueryTests {
  private typealias Check = QueryChecks

  @Test("A query of one column is an expression, NULL if it has no row")
  func scalars() throws {
    try Check.expect(#"(listID = (SELECT max(id) FROM "Order Details"))"#, [4, 5, 6]) { $0.listID == ReminderList.select { $0.id.max() } }
    try Check.expect("(id = (SELECT max(id) FROM reminders))", [6]) { $0.id == Reminder.select { $0.id.max() } }
    try Check.expect("((SELECT count(*) FROM reminders WHERE isCompleted) = priority)", [4]) {
      Reminder.where { $0.isCompleted }.select { $0.count() } == $0.priority
    }
    try Check.expect("(CAST(priority AS REAL) > (SELECT avg(priority) FROM reminders))", [5, 6]) {
      $0.priority.cast(to: Double.self) > Reminder.select { $0.priority.avg() }
    }
    try Check.expect(
      Reminder.where { $0.id > 4 }.select { ($0.id - Reminder.select { $0.id.min() }, Reminder.where { $0.id > 9 }.select { $0.title }) },
      "SELECT (id - (SELECT min(id) FROM reminders)), (SELECT title FROM reminders WHERE (id > 9)) FROM reminders WHERE (id > 4)",
      ["(Optional(4), nil)", "(Optional(5), nil)"])
    #expect(Reminder.select { $0.id.max() }.queryString == "SELECT max(id) FROM reminders")
  }

  @Test("A subquery uses the columns of the rows around it")
  func correlated() throws {
    try Check.expect(
      Reminder.where { $0.id < 4 }.select { reminder in
        (reminder.id, ReminderList.where { $0.id == reminder.listID }.select { $0.title })
      },
      #"SELECT id, (SELECT "group" FROM "Order Details" WHERE (id = reminders.listID)) FROM reminders WHERE (id < 4)"#,
      [#"(1, Optional("Home"))"#, #"(2, Optional("Home"))"#, "(3, nil)"])
    try Check.expect(
      ReminderList.where { list in Reminder.where { $0.listID == list.id && $0.isCompleted }.exists() }.select { $0.title },
      #"SELECT "group" FROM "Order Details" WHERE EXISTS (SELECT * FROM reminders WHERE ((listID = "Order Details".id) AND isCompleted))"#,
      ["Work"])
    try Check.expect(
      Reminder.as("r").where { r in !Reminder.where { $0.priority > r.priority }.exists() && r.priority != nil }.select { $0.id },
      """
      SELECT id FROM reminders AS r \
      WHERE (NOT (EXISTS (SELECT * FROM reminders WHERE (priority > r.priority))) AND (priority IS NOT NULL))
      """, ["5", "6"])
    try Check.expect(
      ReminderList.all().order { list in Reminder.where { $0.listID == list.id }.select { $0.count() }.desc() }.select { $0.id },
      """
      SELECT id FROM "Order Details" ORDER BY (SELECT count(*) FROM reminders WHERE (listID = "Order Details".id)) DESC
      """, ["2", "1"])
  }

  @Test("A subquery that would read its own table instead of the one around it is refused")
  func hiddenSources() throws {
    try ReminderFixture.read { (db: Database) throws -> Void in
      func expectRefusal(_ run: (Database) throws -> Int) {
        let error = expectError(DatabaseError.SQLITE_ERROR) { try run(db) }
        #expect(
          error?.message
            == "a subquery of reminders uses columns of reminders outside it, where both have this name: rename one with as(_:)")
      }
      expectRefusal { try Reminder.where { r in Reminder.where { $0.priority > r.priority }.exists() }.fetchCount($0) }
      expectRefusal { try Reminder.delete().where { r in Reminder.where { $0.priority > r.priority }.exists() }.execute($0) }
      expectRefusal { try Reminder.update { row, old in row.id = Reminder.select { $0.id + old.id } }.execute($0) }
      let renamed = Reminder.where { r in Reminder.as("other").where { $0.priority > r.priority }.exists() }
      #expect(try renamed.fetchCount(db) == 2)
      #expect(try Reminder.where { _ in Reminder.where { $0.id > 5 }.exists() }.fetchCount(db) == 6)
      #expect(try Reminder.delete().where { r in Reminder.as("other").where { $0.priority > r.priority }.exists() }.execute(db) == 2)
    }
  }

  @Test("A node of names known only at run time is the same subquery")
  func runTimeNames() throws {
    let title = Subquery<String?>(
      SelectStatement(
        selecting: Column<String?>("Title", of: "Album"), from: "Album",
        where: [Column<Int?>("AlbumId", of: "Album") == Column<Int?>("AlbumId", of: "Track")]))
    #expect(title.queryString == "(SELECT Title FROM Album WHERE (AlbumId = Track.AlbumId))")
    let isLove = try TypedExpression.text(title).matches(.like, TypedExpression(literal: .text("%love%")))
    #expect(isLove.expression.queryString == "((SELECT Title FROM Album WHERE (AlbumId = Track.AlbumId)) LIKE '%love%')")
    let manager = Subquery<String?>(
      SelectStatement(
        selecting: Column<String?>("Name", of: "parent"), from: "Employee", as: "parent",
        where: [Column<Int?>("Id", of: "parent") == Column<Int?>("ReportsTo", of: "Employee")]))
    #expect(manager.queryString == "(SELECT Name FROM Employee AS parent WHERE (Id = Employee.ReportsTo))")
  }

  @Test("Queries with the same columns are combined")
  func combinations() throws {
    let titles = Reminder.where { $0.id > 4 }.select { $0.title }
    let groups = ReminderList.select { $0.title }
    try Check.expect(
      titles.union(groups).order { $0.title.desc() }.limit(3),
      #"SELECT title FROM reminders WHERE (id > 4) UNION SELECT "group" FROM "Order Details" ORDER BY title DESC LIMIT 3"#,
      ["Work", "Nap", "Home"])
    let lists = Reminder.select { $0.listID }.where { $0.listID != nil }
    try Check.expect(
      lists.unionAll(Reminder.where { $0.id == 1 }.select { $0.listID }).order { $0.listID },
      """
      SELECT listID FROM reminders WHERE (listID IS NOT NULL) UNION ALL SELECT listID FROM reminders WHERE (id = 1) ORDER BY listID
      """, ["Optional(1)", "Optional(1)", "Optional(1)", "Optional(2)", "Optional(2)", "Optional(2)"])
    try Check.expect(
      Reminder.select { $0.id }.intersect(Reminder.where { $0.isCompleted }.select { $0.id }).except(
        Reminder.where { $0.id == 4 }.select { $0.id }),
      """
      SELECT id FROM reminders INTERSECT SELECT id FROM reminders WHERE isCompleted EXCEPT SELECT id FROM reminders WHERE (id = 4)
      """, ["3"])
    // A part with an order or a limit, and a right part that is combined itself, become queries of their own.
    try Check.expect(
      Reminder.select { ($0.id, $0.title) }.order { $0.id.desc() }.limit(1).union(ReminderList.select { ($0.id, $0.title) }).order {
        $0.id
      },
      """
      SELECT * FROM (SELECT id, title FROM reminders ORDER BY id DESC LIMIT 1) AS reminders UNION SELECT id, "group" FROM "Order Details" \
      ORDER BY id
      """, [#"(1, "Home")"#, #"(2, "Work")"#, #"(6, "Nap")"#])
    let few = Reminder.where { $0.id < 3 }.select { $0.id }.union(Reminder.where { $0.id == 6 }.select { $0.id })
    try Check.expect(
      Reminder.select { $0.id }.except(few).order { $0.id },
      """
      SELECT id FROM reminders EXCEPT SELECT * FROM (SELECT id FROM reminders WHERE (id < 3) UNION SELECT id FROM reminders WHERE (id = 6)) \
      AS reminders ORDER BY id
      """, ["3", "4", "5"])
  }

  @Test("A combined query is counted, searched, and used as a list")
  func combinedUses() throws {
    let ids = Reminder.where { $0.isCompleted }.select { $0.id }.union(ReminderList.select { $0.id })
    try ReminderFixture.read { (db: Database) throws -> Void in
      #expect(try ids.fetchCount(db) == 4)
      #expect(try ids.fetchSet(db) == [1, 2, 3, 4])
      #expect(try ids.limit(nil).order { $0.id.desc() }.fetchOne(db) == 4)
      #expect(try Int.fetchAll(db, ids).count == 4)
      let all = Reminder.all().union(Reminder.all())
      #expect(try all.fetchCount(db) == 6)
      #expect(try all.distinct().fetchCount(db) == 6)
    }
    try Check.expect(
      #"(id IN (SELECT id FROM reminders WHERE isCompleted UNION SELECT id FROM "Order Details"))"#, [1, 2, 3, 4]
    ) { $0.id.in(ids) }
    try Check.expect(
      #"EXISTS (SELECT id FROM reminders WHERE isCompleted UNION SELECT id FROM "Order Details")"#, [1, 2, 3, 4, 5, 6]
    ) { _ in ids.exists() }
    // Another result reads the rows of the whole combination.
    try Check.expect(
      ids.select { _ in Column<Int>("id").sum() },
      #"SELECT sum(id) FROM (SELECT id FROM reminders WHERE isCompleted UNION SELECT id FROM "Order Details") AS reminders"#,
      ["Optional(10)"])
  }

  private struct Urgent: Table {
    static let tableName = "urgent"
    struct Columns {
      let id = Column<Int>("id")
      let name = Column<String>("name")
    }
    static let columns = Columns()
  }

  private struct Step: Table {
    static let tableName = "step"
    struct Columns {
      let id = Column<Int>("id")
      let number = Column<Int?>("number")
    }
    static let columns = Columns()
  }

  @Test("A common table is typed by its columns, read by the query and by later ones")
  func commonTables() throws {
    let urgent = Reminder.where { $0.priority == 3 }.select { ($0.id, $0.title.upper() ?? "") }
    let with = "WITH urgent (id, name) AS (SELECT id, coalesce(upper(title), '') FROM reminders WHERE (priority = 3))"
    try Check.expect(
      Urgent.where { $0.name > "D" }.with(Urgent.self, columns: { ($0.id, $0.name) }, as: urgent).select { $0.name },
      with + " SELECT name FROM urgent WHERE (name > 'D')", ["NAP"])
    try Check.expect(
      Reminder.all().join(Urgent.self) { $0.id == $1.id }.with(Urgent.self, columns: { ($0.id, $0.name) }, as: urgent)
        .select { ($0.title, $1.name) },
      with + " SELECT reminders.title, urgent.name FROM reminders JOIN urgent ON (reminders.id = urgent.id)",
      [#"("Call", "CALL")"#, #"("Nap", "NAP")"#])
    try Check.expect(
      Step.select { $0.id }.with(Urgent.self, columns: { ($0.id, $0.name) }, as: urgent)
        .with(Step.self, columns: { $0.id }, as: Urgent.select { $0.id }.where { $0.id > 5 }),
      with + ", step (id) AS (SELECT id FROM urgent WHERE (id > 5)) SELECT id FROM step", ["6"])
    try Check.expect(
      "(id IN (WITH step (id) AS (SELECT id FROM reminders WHERE isCompleted) SELECT id FROM step))", [3, 4]
    ) {
      $0.id.in(Step.select { $0.id }.with(Step.self, columns: { $0.id }, as: Reminder.where { $0.isCompleted }.select { $0.id }))
    }
  }

  @Test("A common table that reads itself is recursive")
  func recursion() throws {
    let chain = Reminder.where { $0.id == 2 }.select { ($0.id, Constant(0)) }
      .unionAll(
        Reminder.all().join(Step.self) { $0.id == $1.id + 2 }.select { ($0.id, $1.number + 1) })
    try Check.expect(
      Step.select { ($0.id, $0.number) }.order { $0.id }.with(Step.self, columns: { ($0.id, $0.number) }, as: chain),
      """
      WITH RECURSIVE step (id, number) AS (SELECT id, 0 FROM reminders WHERE (id = 2) UNION ALL \
      SELECT reminders.id, (step.number + 1) FROM reminders JOIN step ON (reminders.id = (step.id + 2))) \
      SELECT id, number FROM step ORDER BY id
      """, ["(2, Optional(0))", "(4, Optional(1))", "(6, Optional(2))"])
  }

  @Test("Ill-typed subqueries, combinations and common tables are refused")
  func refused() throws {
    try Check.expectRefused([
      ("Reminder.where { $0.title == ReminderList.select { $0.id.max() } }", "error:"),
      ("Reminder.where { $0.id == ReminderList.select { ($0.id, $0.title) } }", "error:"),
      ("Reminder.where { $0.id == ReminderList.all() }", "error:"),
      ("Reminder.where { _ in ReminderList.select { $0.id } }", "error:"),
      ("Reminder.where { $0.id.in(ReminderList.select { $0.title }) }", "error:"),
      ("Reminder.select { $0.id }.union(ReminderList.select { $0.title })", "error:"),
      ("Reminder.select { $0.id }.union(ReminderList.select { ($0.id, $0.title) })", "error:"),
      ("Reminder.select { $0.id }.union(ReminderList.select { $0.id }).where { $0.id == 1 }", "error:"),
      ("Reminder.select { $0.id }.union(ReminderList.select { $0.id }).order { $0.group }", "error:"),
      ("Reminder.all().with(ReminderList.self, columns: { ($0.id, $0.title) }, as: Reminder.select { ($0.title, $0.id) })", "error:"),
      ("Reminder.all().with(ReminderList.self, columns: { $0.id }, as: Reminder.select { ($0.id, $0.title) })", "error:"),
      ("Reminder.all().with(ReminderList.self, columns: { $0.id }, as: Reminder.select { $0.priority })", "error:"),
      ("Reminder.all(as: \"r\")", "error:"),
    ])
  }
}

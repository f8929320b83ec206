import QuarryEngine

/// The tables that the tests of typed queries read.
struct Reminder: Table {
  static let tableName = "reminders"

  struct Columns {
    let id = Column<Int>("id")
    let title = Column<String>("title")
    let isCompleted = Column<Bool>("isCompleted")
    let priority = Column<Int?>("priority")
    let listID = Column<Int?>("listID")
    let weight = Column<Double>("weight")
  }

  static let columns = Columns()
}

struct ReminderList: Table {
  static let tableName = "Order Details"

  struct Columns {
    let id = Column<Int>("id")
    let title = Column<String>("group")
  }

  static let columns = Columns()
}

enum ReminderFixture {
  /// Makes the tables and their rows, and hands the database over.
  static func read<Value>(_ body: (Database) throws -> Value) throws -> Value {
    try DatabaseQueue().write { db in
      try db.create(table: ReminderList.tableName) { t in
        t.column("id", .integer).primaryKey()
        t.column("group", .text).notNull()
      }
      try db.create(table: Reminder.tableName) { t in
        t.autoIncrementedPrimaryKey("id")
        t.column("title", .text).notNull()
        t.column("isCompleted", .boolean).notNull().defaults(to: false)
        t.column("priority", .integer)
        t.column("listID", .integer).references(ReminderList.tableName)
        t.column("weight", .double).notNull().defaults(to: 0.5)
      }
      try db.execute(sql: "INSERT INTO \"Order Details\" VALUES (1, 'Home'), (2, 'Work')")
      try db.execute(
        sql: """
          INSERT INTO reminders (id, title, isCompleted, priority, listID) VALUES
            (1, 'Groceries', 0, NULL, 1), (2, 'Get haircut', 0, NULL, 1), (3, 'Take a walk', 1, 1, NULL),
            (4, 'Buy 50% of it_', 1, 2, 2), (5, 'Call', 0, 3, 2), (6, 'Nap', 0, 3, 2)
          """)
      return try body(db)
    }
  }
}

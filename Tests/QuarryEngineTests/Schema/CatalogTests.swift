import QuarryEngine
import TestSupport
import Testing

@Suite struct CatalogTests {
  private func entries(_ queue: DatabaseQueue, in database: String = "main") throws -> [CatalogEntry] {
    try queue.read { try #require($0.catalog().databases.first { $0.name == database }).entries }
  }

  @Test("Tables, views, virtual tables with their shadows and SQLite's own tables are told apart")
  func kinds() throws {
    let queue = try makeDatabase(
      "CREATE TABLE b(x INTEGER PRIMARY KEY AUTOINCREMENT, y)",
      "CREATE TABLE A(x PRIMARY KEY) WITHOUT ROWID",
      "CREATE TABLE s(x INT) STRICT",
      "CREATE VIEW v AS SELECT x, y FROM b",
      "CREATE VIRTUAL TABLE \"my notes\" USING fts5(title, body)")
    let entries = try entries(queue)
    let kinds = Dictionary(uniqueKeysWithValues: entries.map { ($0.reference.name, $0.kind) })
    #expect(kinds["A"] == .table)
    #expect(kinds["v"] == .view)
    #expect(kinds["my notes"] == .virtual(module: "fts5"))
    #expect(kinds["my notes_data"] == .shadow(of: "my notes"))
    #expect(kinds["sqlite_schema"] == .system)
    #expect(kinds["sqlite_sequence"] == .system)
    #expect(entries.map(\.reference.name).prefix(3) == ["A", "b", "my notes"])
    #expect(entries.filter(\.isWithoutRowID).map(\.reference.name).contains("A"))
    #expect(entries.filter(\.isStrict).map(\.reference.name) == ["s"])
    #expect(entries.first { $0.reference.name == "my notes" }?.columnCount == 4)
  }

  @Test("A view that does not compile has no number of columns, and those after it keep theirs")
  func brokenViews() throws {
    let queue = try makeDatabase(
      "CREATE TABLE gone(x)", "CREATE VIEW bad AS SELECT * FROM gone", "CREATE VIEW worse AS SELECT * FROM bad",
      "CREATE VIEW good AS SELECT 1 AS q", "CREATE VIEW zgood AS SELECT 1 AS q, 2 AS r", "DROP TABLE gone")
    let counts = try Dictionary(uniqueKeysWithValues: entries(queue).map { ($0.reference.name, $0.columnCount) })
    #expect(counts["bad"] == .some(nil))
    #expect(counts["worse"] == .some(nil))
    #expect(counts["good"] == 1)
    #expect(counts["zgood"] == 2)
  }

  @Test("A virtual table whose module is missing is listed, with the module's name")
  func missingModule() throws {
    var configuration = Configuration()
    configuration.isDefensive = false
    let queue = try DatabaseQueue(configuration: configuration)
    try queue.write { try $0.execute(sql: "CREATE TABLE t(x)") }
    try queue.addVirtualTable("CREATE VIRTUAL TABLE ghost USING nosuchmodule(a, b)", named: "ghost")
    let ghost = try #require(try entries(queue).first { $0.reference.name == "ghost" })
    #expect(ghost.kind == .virtual(module: "nosuchmodule"))
    #expect(ghost.columnCount == nil)
    #expect(try entries(queue).contains { $0.reference.name == "t" })
    let schema = try queue.read { try $0.tableSchema(ghost.reference) }
    #expect(schema.columns.isEmpty)
    #expect(
      schema.problem
        == "no such module: nosuchmodule. It makes virtual tables and is not built in here: only a program that brings it reads them.")
    #expect(schema.sql == "CREATE VIRTUAL TABLE ghost USING nosuchmodule(a, b)")
  }

  @Test("Attached and temporary databases are listed with their files")
  func databases() throws {
    try withTemporaryFolder { folder in
      let main = try makeDatabaseFile(in: folder, named: "main.db", "CREATE TABLE t(x)")
      let other = try makeDatabaseFile(in: folder, named: "other.db", "CREATE TABLE u(x)")
      let queue = try DatabaseQueue(path: main)
      let catalog = try queue.withoutTransaction { db in
        try db.attach(path: other, as: "a \"b")
        try db.execute(sql: "CREATE TEMP TABLE w(x)")
        return try db.catalog()
      }
      #expect(catalog.databases.map(\.name) == ["main", "temp", "a \"b"])
      #expect(catalog.databases[0].path?.hasSuffix("main.db") == true)
      #expect(catalog.databases[1].path == nil)
      #expect(
        catalog.databases[1].entries.map(\.reference) == [
          TableReference(database: "temp", name: "sqlite_temp_schema"), TableReference(database: "temp", name: "w"),
        ])
      #expect(catalog.databases[2].entries.contains { $0.reference == TableReference(database: "a \"b", name: "u") })
    }
  }

  @Test("An empty file is a valid empty database")
  func empty() throws {
    #expect(try entries(makeDatabase()).map(\.reference.name) == ["sqlite_schema"])
  }
}

extension DatabaseQueue {
  /// Writes a virtual table into the schema as another program with that module would have left it.
  fileprivate func addVirtualTable(_ sql: String, named name: String) throws {
    try withoutTransaction { db in
      try db.execute(sql: "PRAGMA writable_schema = ON")
      try db.execute(
        sql: "INSERT INTO sqlite_schema(type, name, tbl_name, rootpage, sql) VALUES ('table', ?1, ?1, 0, ?2)", arguments: [name, sql])
      try db.execute(sql: "PRAGMA writable_schema = RESET")
    }
  }
}

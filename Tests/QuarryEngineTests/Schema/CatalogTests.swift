import QuarryEngine
import TestSupport
import Testing

@Suite(.gated) struct CatalogTests {
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
        == "no such module: nosuchmodule. It provides virtual tables: only a program that includes the module can read them.")
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

  /// Returns how many instructions of SQLite reading all schemas of a database with so many tables takes.
  private static func steps(tables: Int) throws -> Int {
    let script = (0..<tables).map { number in
      """
      CREATE TABLE t\(number)(a PRIMARY KEY, b UNIQUE, c REFERENCES t0(a));
      CREATE TRIGGER r\(number) AFTER INSERT ON t\(number) BEGIN SELECT 1; END
      """
    }
    let queue = try makeDatabase(script.joined(separator: ";\n"))
    var steps = 0
    try queue.withoutTransaction { db in
      try db.withProgress(every: 1) {
        steps += 1
        return false
      } during: {
        for number in 0..<tables {
          let schema = try db.tableSchema(TableReference(name: "T\(number)"))
          #expect(schema.columns.count == 3 && schema.triggers.count == 1 && schema.indexes.count == 2)
          #expect(schema.sql?.hasPrefix("CREATE TABLE t\(number)(") == true)
        }
      }
    }
    return steps
  }

  @Test("Reading the schemas of all tables costs in proportion to their number")
  func proportion() throws {
    let (few, many) = try (Self.steps(tables: 50), Self.steps(tables: 400))
    #expect(many < few * 12, "\(few) steps for 50 tables, \(many) for 400")
  }

  @Test("A schema that changes is read anew, also within a transaction that is rolled back, and where a file takes another's name")
  func changes() throws {
    try withTemporaryFolder { folder in
      let path = try makeDatabaseFile(in: folder, "CREATE TABLE t(a)")
      let other = try DatabaseQueue(path: path)
      let queue = try DatabaseQueue(path: path)
      func columns(_ name: String = "t", of database: String = "main") throws -> [String] {
        try queue.withoutTransaction { try $0.tableSchema(TableReference(database: database, name: name)).columns.map(\.name) }
      }
      #expect(try columns() == ["a"])
      try other.write { try $0.execute(sql: "ALTER TABLE t ADD COLUMN b") }
      #expect(try columns() == ["a", "b"])
      for name in ["c", "d"] {
        try queue.withoutTransaction { try $0.execute(sql: "BEGIN; SAVEPOINT s; ALTER TABLE t ADD COLUMN \(name)") }
        #expect(try columns() == ["a", "b", name])
        try queue.withoutTransaction { try $0.execute(sql: "ROLLBACK TO s; ALTER TABLE t ADD COLUMN e\(name)") }
        #expect(try columns() == ["a", "b", "e\(name)"])
        try queue.withoutTransaction { try $0.execute(sql: "ROLLBACK") }
        #expect(try columns() == ["a", "b"])
      }
      for name in ["x", "y"] {
        let file = try makeDatabaseFile(in: folder, named: name, "CREATE TABLE u(\(name))")
        try queue.withoutTransaction { try $0.execute(sql: "ATTACH '\(file)' AS far; CREATE TEMP TABLE v(\(name))") }
        #expect(try columns("u", of: "far") == [name] && columns("v", of: "temp") == [name])
        try queue.withoutTransaction { try $0.execute(sql: "DETACH far; DROP TABLE temp.v") }
      }
    }
  }

  @Test("A view counts its columns once its function is there")
  func functions() throws {
    let queue = try makeDatabase("CREATE TABLE t(a)", "CREATE VIEW v AS SELECT later(a) AS b FROM t")
    func count() throws -> Int? { try queue.read { try $0.catalog().databases[0].entries.last?.columnCount } }
    #expect(try count() == nil)
    try queue.withoutTransaction { try $0.create(function: "later", argumentCount: 1) { $0[0] } }
    #expect(try count() == 1)
  }

  @Test("A shadow table belongs to the virtual table with the longest name that begins its own")
  func shadows() throws {
    let queue = try makeDatabase("CREATE VIRTUAL TABLE n USING fts5(a)", "CREATE VIRTUAL TABLE n_data_x USING fts5(a)")
    let entries = try queue.read { try $0.catalog().databases[0].entries }
    let owners = entries.reduce(into: [String: Int]()) { if case .shadow(let owner) = $1.kind { $0[owner, default: 0] += 1 } }
    #expect(owners == ["n": 5, "n_data_x": 5])
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

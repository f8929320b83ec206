import QuarryEngine
import TestSupport
import Testing

@Suite(.gated) struct TableSchemaTests {
  private func schema(_ name: String, _ queue: DatabaseQueue) throws -> TableSchema {
    try queue.read { try $0.tableSchema(TableReference(name: name)) }
  }

  @Test("Columns have type, affinity, nullability, default and generation")
  func columns() throws {
    let queue = try makeDatabase(
      """
      CREATE TABLE t(id INTEGER PRIMARY KEY, name VARCHAR(20) NOT NULL DEFAULT 'x''y', note, size REAL DEFAULT (1 + 2),
        twice AS (size * 2), kept TEXT GENERATED ALWAYS AS (name) STORED)
      """)
    let columns = try schema("t", queue).columns
    #expect(columns.map(\.name) == ["id", "name", "note", "size", "twice", "kept"])
    #expect(columns.map(\.affinity) == [.integer, .text, .blob, .real, .blob, .text])
    #expect(columns.map(\.isNullable) == [false, false, true, true, true, true])
    #expect(columns.map(\.defaultSQL) == [nil, "'x''y'", nil, "1 + 2", nil, nil])
    #expect(columns.map(\.generation) == [nil, nil, nil, nil, .virtual, .stored])
    #expect(columns.map(\.isRowID) == [true, false, false, false, false, false])
    #expect(columns[1].declaredType == "VARCHAR(20)")
  }

  @Test(
    "An affinity follows from the declared type",
    arguments: [
      ("INT", .integer), ("BIGINT", .integer), ("CHARINT", .integer), ("FLOATING POINT", .integer), ("nvarchar(3)", .text), ("CLOB", .text),
      ("", .blob), ("BLOB", .blob), ("REAL", .real), ("DOUBLE PRECISION", .real), ("FLOAT", .real), ("DECIMAL(10,5)", .numeric),
      ("STRING", .numeric), ("BOOLEAN", .numeric), ("DATETIME", .numeric), ("ANY", .numeric),
    ] as [(String, ColumnSchema.Affinity)])
  func affinity(type: String, expected: ColumnSchema.Affinity) {
    #expect(ColumnSchema.Affinity(declaredType: type) == expected)
  }

  @Test("ANY in a STRICT table keeps values as they are")
  func strictAny() {
    #expect(ColumnSchema.Affinity(declaredType: "any", isStrict: true) == .blob)
  }

  @Test("INTEGER PRIMARY KEY DESC is no rowid, and neither is the key of a WITHOUT ROWID table")
  func rowIDs() throws {
    let queue = try makeDatabase(
      "CREATE TABLE a(x INTEGER PRIMARY KEY DESC)", "CREATE TABLE b(x INTEGER PRIMARY KEY) WITHOUT ROWID",
      "CREATE TABLE c(x INT PRIMARY KEY)",
      "CREATE TABLE d(x INTEGER, y, PRIMARY KEY(x))")
    #expect(try schema("a", queue).columns[0].isRowID == false)
    #expect(try schema("a", queue).columns[0].isNullable)
    #expect(try schema("b", queue).columns[0].isRowID == false)
    #expect(try schema("b", queue).columns[0].isNullable == false)
    #expect(try schema("c", queue).columns[0].isRowID == false)
    #expect(try schema("d", queue).columns[0].isRowID)
  }

  @Test("A composite key is in its own order, with its index's directions and collations")
  func compositeKey() throws {
    let queue = try makeDatabase("CREATE TABLE w(a TEXT COLLATE NOCASE, b INT, c, PRIMARY KEY(b DESC, a COLLATE RTRIM)) WITHOUT ROWID")
    let schema = try schema("w", queue)
    #expect(schema.primaryKey == ["b", "a"])
    #expect(schema.columns.map(\.primaryKeyPosition) == [2, 1, nil])
    let index = try #require(schema.indexes.first)
    #expect(index.origin == .primaryKey)
    #expect(
      index.terms == [
        IndexSchema.Term(column: "b", isDescending: true, collation: "BINARY"),
        IndexSchema.Term(column: "a", isDescending: false, collation: "RTRIM"),
      ])
  }

  @Test("Indexes are unique, partial, on expressions, and made by constraints")
  func indexes() throws {
    let queue = try makeDatabase(
      "CREATE TABLE t(a, b UNIQUE)", "CREATE INDEX t_b ON t(b DESC, lower(a)) WHERE a > 1",
      "CREATE TRIGGER t_i AFTER INSERT ON t BEGIN SELECT 1; END")
    let schema = try schema("t", queue)
    let made = try #require(schema.indexes.first { $0.name == "t_b" })
    #expect(made.isPartial && !made.isUnique && made.origin == .createIndex)
    #expect(made.terms.map(\.column) == ["b", nil])
    #expect(made.terms.map(\.isDescending) == [true, false])
    #expect(made.sql == "CREATE INDEX t_b ON t(b DESC, lower(a)) WHERE a > 1")
    let constraint = try #require(schema.indexes.first { $0.name != "t_b" })
    #expect(constraint.isUnique && constraint.origin == .uniqueConstraint && constraint.sql == nil)
    #expect(schema.triggers == [TriggerSchema(name: "t_i", sql: "CREATE TRIGGER t_i AFTER INSERT ON t BEGIN SELECT 1; END")])
  }

  @Test("Hidden columns of a virtual table are there and marked")
  func hiddenColumns() throws {
    let queue = try makeDatabase("CREATE VIRTUAL TABLE f USING fts5(t)")
    #expect(try schema("f", queue).columns.map { "\($0.name) \($0.isHidden)" } == ["t false", "f true", "rank true"])
  }

  @Test("A view that does not compile keeps its text, and says why")
  func brokenView() throws {
    let queue = try makeDatabase("CREATE VIEW bad AS SELECT * FROM nowhere")
    let schema = try schema("bad", queue)
    #expect(schema.sql == "CREATE VIEW bad AS SELECT * FROM nowhere")
    #expect(schema.problem == "the view does not work: no such table: main.nowhere")
  }

  @Test("A table that is not there is an error that names it, and near names can be had")
  func missing() throws {
    let queue = try makeDatabase("CREATE TABLE Track(x)", "CREATE TABLE Trace(x)", "CREATE TABLE Album(x)")
    let error = #expect(throws: DatabaseError.self) { try schema("Trakc", queue) }
    #expect(error?.resultCode == DatabaseError.SQLITE_ERROR)
    #expect(error?.message == "no such table: Trakc")
    #expect(try queue.read { try $0.tableNames(near: TableReference(name: "Trakc")) } == ["Track"])
  }

  @Test("Names are found in any case of ASCII letters, by their old names, and whatever they hold")
  func names() throws {
    let queue = try makeDatabase("CREATE TABLE \"a\"\"b; drop\"(\"x y\" INTEGER PRIMARY KEY)", "CREATE TABLE Ärger(x)")
    #expect(try schema("A\"B; DROP", queue).columns.map(\.name) == ["x y"])
    #expect(try schema("sqlite_master", queue).entry.reference.name == "sqlite_schema")
    #expect(throws: DatabaseError.self) { try schema("ärger", queue) }
  }

  @Test("2,000 columns are read")
  func wide() throws {
    let columns = (0..<2000).map { "c\($0)" }.joined(separator: ", ")
    #expect(try schema("wide", makeDatabase("CREATE TABLE wide(\(columns))")).columns.count == 2000)
  }
}

@Suite(.gated) struct ForeignKeyTests {
  private func makeShop() throws -> DatabaseQueue {
    try makeDatabase(
      "CREATE TABLE parent(a, b, c, PRIMARY KEY(b, a))",
      "CREATE TABLE one(p INTEGER PRIMARY KEY, q REFERENCES one)",
      """
      CREATE TABLE child(id INTEGER PRIMARY KEY, x, y, z REFERENCES missing, u REFERENCES one(p) ON DELETE CASCADE ON UPDATE SET NULL,
        FOREIGN KEY(x, y) REFERENCES PARENT)
      """)
  }

  private func keys(_ table: String) throws -> [ForeignKeySchema] {
    try makeShop().read { try $0.tableSchema(TableReference(name: table)) }.foreignKeys
  }

  @Test("Foreign keys are in the order of their declaration, with columns resolved to the primary key")
  func resolution() throws {
    let keys = try keys("child")
    #expect(keys.map(\.columns) == [["z"], ["u"], ["x", "y"]])
    #expect(keys.map(\.referencedColumns) == [[], ["p"], ["b", "a"]])
    #expect(keys.map(\.onDelete) == ["NO ACTION", "CASCADE", "NO ACTION"])
    #expect(keys[1].onUpdate == "SET NULL")
  }

  @Test("References to a table are found in any case, its own included")
  func references() throws {
    let queue = try makeShop()
    let parent = try queue.read { try $0.references(to: TableReference(name: "parent")) }
    #expect(parent.map(\.table.name) == ["child"])
    #expect(parent.first?.key.referencedColumns == ["b", "a"])
    let one = try queue.read { try $0.references(to: TableReference(name: "one")) }
    #expect(one.map { "\($0.table.name) \($0.key.columns)" } == ["child [\"u\"]", "one [\"q\"]"])
    #expect(one.map(\.key.referencedColumns) == [["p"], ["p"]])
  }
}

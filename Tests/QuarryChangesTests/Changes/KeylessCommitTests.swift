import QuarryChanges
import QuarryEngine
import QuarryRows
import TestSupport
import Testing

/// Commits of tables whose rows no key tells apart: all columns of a row are compared.
@Suite struct KeylessCommitTests {
  private static let table = TableReference(name: "t")
  private static let row = StagedRowID.stored(.rowID(2))

  private static func schema(_ sql: String) throws -> TableSchema {
    try makeDatabase(sql).read { db in try db.tableSchema(table) }
  }

  @Test func `the columns that tell rows apart are those of the key, or all`() throws {
    #expect(try Self.schema("CREATE TABLE t(a, b, g AS (a + 1))").identityColumns == ["a", "b"])
    #expect(try Self.schema("CREATE TABLE t(a, k TEXT, l, PRIMARY KEY (l, k))").identityColumns == ["l", "k"])
    #expect(try Self.schema("CREATE TABLE t(id INTEGER PRIMARY KEY, a)").identityColumns.isEmpty)
    #expect(try Self.schema("CREATE TABLE t(k TEXT PRIMARY KEY, a) WITHOUT ROWID").identityColumns.isEmpty)
  }

  private func staged() throws -> StagedChanges {
    var changes = StagedChanges()
    try changes.set(9, column: "a", row: Self.row, of: Self.table, was: 1, expecting: ["a": 1, "b": "y"])
    return changes
  }

  private static let rows = "CREATE TABLE t(a, b); INSERT INTO t VALUES (1, 'x'), (1, 'y'), (1, 'z')"

  @Test func `a row that has got the rowid of another is not written`() throws {
    let queue = try makeDatabase(Self.rows, "DELETE FROM t WHERE b = 'x'; UPDATE t SET rowid = rowid - 1")
    let changes = try staged()
    #expect(changes.counts == ChangeCounts(cells: 1, updatedRows: 1))
    let failure = try #require(throws: CommitFailure.self) { try queue.withoutTransaction { db in try db.commit(changes) } }
    let conflict = Conflict(table: Self.table, key: .rowID(2), column: "b", base: "y", theirs: "z")
    #expect(failure == .conflicts([conflict]))
    #expect(changes.resolving([conflict], .theirs).isEmpty)
    let mine = changes.resolving([conflict], .mine)
    #expect(try queue.withoutTransaction { db in try db.commit(mine) }.description == "1 row changed")
    #expect(try queue.read { db in try String.fetchAll(db, sql: "SELECT a || b FROM t ORDER BY rowid") } == ["1y", "9z"])
  }

  @Test func `a row that is as it was is written, and only in the columns that were changed`() throws {
    let queue = try makeDatabase(Self.rows, "CREATE TRIGGER n BEFORE UPDATE OF b ON t BEGIN SELECT RAISE(ABORT, 'b is written'); END")
    let changes = try staged()
    #expect(try queue.withoutTransaction { db in try db.commit(changes) }.description == "1 row changed")
    #expect(try queue.read { db in try String.fetchAll(db, sql: "SELECT a || b FROM t ORDER BY rowid") } == ["1x", "9y", "1z"])
    let sql = try #require(changes.sqlText(of: Self.row, in: Self.schema(Self.rows))?.queryString)
    #expect(sql.hasPrefix("UPDATE main.t SET a = 9 WHERE") && sql.contains("+b IS 'y'"), "\(sql)")
  }

  @Test func `taking a cell back leaves the row expected as it was, and the last cell takes the row back`() throws {
    let known: [String: StoredValue] = ["a": 1, "b": "y", "c": 0]
    var changes = StagedChanges()
    try changes.set(9, column: "a", row: Self.row, of: Self.table, was: 1, expecting: known)
    try changes.set("new", column: "b", row: Self.row, of: Self.table, was: "y", expecting: known)
    #expect(changes.counts.cells == 2)
    changes.discard(column: "a", of: Self.row, in: Self.table)
    #expect(changes.counts.cells == 1 && changes.value(of: "a", in: Self.row, of: Self.table) == nil)
    let queue = try makeDatabase("CREATE TABLE t(a, b, c); INSERT INTO t VALUES (1, 'x', 0), (5, 'y', 0)")
    #expect(throws: CommitFailure.self) { try queue.withoutTransaction { db in try db.commit(changes) } }
    try changes.set("y", column: "b", row: Self.row, of: Self.table)
    #expect(changes.isEmpty)
  }

  @Test func `what is expected outlives the session`() throws {
    let changes = try staged()
    let bytes = StagedChangesFormat.bytes(of: StagedChangesFormat.Content(database: "/x.db", changes: changes, sent: nil))
    let read = try #require(StagedChangesFormat.content(bytes)).changes
    #expect(read.change(of: Self.row, in: Self.table) == changes.change(of: Self.row, in: Self.table))
  }
}

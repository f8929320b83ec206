import Foundation
import QuarryEngine
import QuarryRows
import TestSupport
import Testing

@Suite("Schemas that need what is not there", .gated)
struct MissingPartsTests {
  /// Makes a database that has been written by a program with functions, collations and modules of its own.
  private func makeForeign(in folder: URL) throws -> DatabaseQueue {
    var configuration = Configuration()
    configuration.isDefensive = false
    let path = folder.appendingPathComponent("foreign.db").path
    let queue = try DatabaseQueue(path: path, configuration: configuration)
    try queue.withoutTransaction { db in
      try db.execute(
        sql: """
          CREATE TABLE good(a); INSERT INTO good VALUES (1);
          CREATE TABLE computed(id INTEGER PRIMARY KEY, a, b AS (abs(a)), c AS (a + 1), d); INSERT INTO computed(a, d) VALUES (1, 'x');
          CREATE TABLE stored(a, b AS (abs(a)) STORED); INSERT INTO stored(a) VALUES (-3);
          CREATE TABLE sorted(n TEXT COLLATE NOCASE, m); CREATE INDEX names ON sorted(n); INSERT INTO sorted VALUES ('b', 1), ('a', 2);
          CREATE TABLE keyed(n TEXT COLLATE NOCASE PRIMARY KEY, m) WITHOUT ROWID; INSERT INTO keyed VALUES ('a', 1);
          CREATE VIEW seen AS SELECT abs(a) AS z FROM good;
          PRAGMA writable_schema = on;
          UPDATE sqlite_schema SET sql = replace(replace(sql, 'abs(', 'theirs('), 'NOCASE', 'their_order');
          INSERT INTO sqlite_schema VALUES ('table', 'zipped', 'zipped', 0, 'CREATE VIRTUAL TABLE zipped USING their_module(a)');
          """)
    }
    try queue.close()
    return try DatabaseQueue(path: path)
  }

  private func firstPage(of table: String, on queue: DatabaseQueue) async throws -> (columns: [String], cells: [CellValue]) {
    let reader = RowReader(RowSet(.table(TableReference(name: table))), on: ReadConnections(foreground: queue, background: queue))
    let page = try await reader.page(PageRequest(.first, limit: 10))
    #expect(try await reader.count() == .exact(page.rows.count))
    return (try await reader.columns().map(\.name), page.rows.first?.cells ?? [])
  }

  @Test("a column of an unknown function is left out, and the others are read")
  func function() async throws {
    try await withTemporaryFolder { folder in
      let queue = try makeForeign(in: folder)
      let page = try await firstPage(of: "computed", on: queue)
      #expect(page.columns == ["id", "a", "c", "d"])
      #expect(page.cells == [.integer(1), .integer(1), .integer(2), .text("x", byteCount: 1, isValid: true)])
      let schema = try await queue.read { try $0.tableSchema(TableReference(name: "computed")) }
      #expect(schema.problem == nil)
      #expect(schema.columns.map { $0.problem?.contains("theirs()") } == [nil, nil, true, nil, nil])
      #expect(try await firstPage(of: "stored", on: queue).cells == [.integer(-3), .integer(3)])
    }
  }

  @Test("a table with a column of an unknown collation is read, one that is sorted by it says so")
  func collation() async throws {
    try await withTemporaryFolder { folder in
      let queue = try makeForeign(in: folder)
      #expect(try await firstPage(of: "sorted", on: queue).cells == [.text("b", byteCount: 1, isValid: true), .integer(1)])
      let error = await #expect(throws: DatabaseError.self) { try await firstPage(of: "keyed", on: queue) }
      #expect(error?.message.hasPrefix("no such collation sequence: their_order") == true)
    }
  }

  @Test("a view of an unknown function and a table of an unknown module say what is missing, and the rest is listed and read")
  func moduleAndView() async throws {
    try await withTemporaryFolder { folder in
      let queue = try makeForeign(in: folder)
      let names = try await queue.read { try $0.catalog().databases[0].entries.filter { $0.kind != .system }.map(\.reference.name) }
      #expect(names == ["computed", "good", "keyed", "seen", "sorted", "stored", "zipped"])
      #expect(try await firstPage(of: "good", on: queue).cells == [.integer(1)])
      let module = await #expect(throws: DatabaseError.self) { try await firstPage(of: "zipped", on: queue) }
      #expect(module?.message.hasPrefix("no such module: their_module. It provides virtual tables") == true)
      let view = await #expect(throws: DatabaseError.self) { try await firstPage(of: "seen", on: queue) }
      #expect(view?.message == "the view does not work: no such function: theirs")
    }
  }

  /// Makes a database whose SQL has a byte that is not UTF-8.
  private func makeLatin(in folder: URL) throws -> DatabaseQueue {
    var configuration = Configuration()
    configuration.isDefensive = false
    let path = folder.appendingPathComponent("latin.db").path
    let maker = try DatabaseQueue(path: path, configuration: configuration)
    try maker.withoutTransaction { db in
      try db.execute(
        sql: """
          CREATE TABLE good(a); INSERT INTO good VALUES (1); CREATE TABLE t(a DEFAULT 'caf!', b); CREATE INDEX i ON t(a) WHERE a <> 'caf!';
          CREATE TRIGGER g AFTER INSERT ON t BEGIN SELECT 'caf!'; END; INSERT INTO t(b) VALUES (2); PRAGMA writable_schema = on;
          UPDATE sqlite_schema SET sql = CAST(replace(CAST(sql AS BLOB), x'21', x'e9') AS TEXT);
          """)
    }
    try maker.close()
    return try DatabaseQueue(path: path)
  }

  @Test("SQL of the schema that is not UTF-8 hides nothing else")
  func notUTF8() async throws {
    try await withTemporaryFolder { folder in
      let queue = try makeLatin(in: folder)
      #expect(try await firstPage(of: "good", on: queue).cells == [.integer(1)])
      #expect(try await firstPage(of: "t", on: queue).columns == ["a", "b"])
      let schema = try await queue.read { try $0.tableSchema(TableReference(name: "t")) }
      #expect(schema.sql == "CREATE TABLE t(a DEFAULT 'caf\u{fffd}', b)")
      #expect(schema.columns[0].defaultSQL == "'caf\u{fffd}'")
      #expect(schema.indexes[0].sql?.contains("\u{fffd}") == true && schema.triggers[0].sql.contains("\u{fffd}"))
    }
  }
}

import Foundation
import QuarryEngine
import TestSupport
import Testing

/// All tables of a connection with their keys, as they are read at once.
@Suite(.gated) struct SchemaGraphTests {
  @Test func `tables have their columns, keys and the number of rows that keys connect`() throws {
    let queue = try makeDatabase(
      "CREATE TABLE parent(a TEXT, b INT, gone AS (b + 1), PRIMARY KEY(b, a))",
      "CREATE TABLE one(p INTEGER PRIMARY KEY, q REFERENCES one)",
      """
      CREATE TABLE child(id INTEGER PRIMARY KEY REFERENCES one, x TEXT NOT NULL, y INT NOT NULL UNIQUE, z REFERENCES missing,
        FOREIGN KEY(y, x) REFERENCES PARENT)
      """,
      "CREATE TABLE pair(l REFERENCES parent(b), r, PRIMARY KEY(l, r)) WITHOUT ROWID",
      "CREATE VIEW seen AS SELECT * FROM child", "CREATE VIRTUAL TABLE texts USING fts5(body)")
    let graph = try queue.read { try $0.schemaGraph() }
    #expect(graph.tables.map(\.reference.name) == ["child", "one", "pair", "parent", "texts"])
    #expect(graph.keyCount == 5)
    let child = try #require(graph.tables.first)
    #expect(child.columns.map { "\($0.name) \($0.declaredType)" } == ["id INTEGER", "x TEXT", "y INT", "z "])
    #expect(child.foreignKeys.map(\.schema.columns) == [["id"], ["z"], ["y", "x"]])
    #expect(child.foreignKeys.map(\.schema.referencedColumns) == [["p"], [], ["b", "a"]])
    #expect(child.foreignKeys.map(\.isOptional) == [false, true, false])
    #expect(child.foreignKeys.map(\.isUnique) == [true, false, true])
    #expect(graph.tables[2].foreignKeys.map { [$0.isOptional, $0.isUnique] } == [[false, false]])
    #expect(graph.tables[3].primaryKey == ["b", "a"])
    #expect(graph.tables[4].columns.isEmpty)
  }

  @Test func `reading all tables at once finds what reading one after the other finds`() throws {
    for seed in 1...UInt64(40) {
      var random = SplitMix(seed: seed)
      let queue = try makeDatabase(RandomSchema.database(&random))
      try queue.read { db in
        let graph = try db.schemaGraph()
        let entries = try db.catalog().databases.flatMap(\.entries).filter(\.hasRowsOfItsOwn)
        let single = try entries.map { try SchemaGraph.Table(db.tableSchema($0.reference)) }
        #expect(graph.tables.map(\.reference) == single.map(\.reference), "seed \(seed)")
        for (table, other) in zip(graph.tables, single) where !table.columns.isEmpty { #expect(table == other, "seed \(seed)") }
      }
    }
  }

  @Test func `tables of attached databases are included, and a missing module hides no other table`() async throws {
    try await withTemporaryFolder { folder in
      let path = folder.appending(path: "other.db").path
      var configuration = Configuration()
      configuration.isDefensive = false
      try await DatabaseQueue(path: path, configuration: configuration).withoutTransaction { db in
        try db.execute(sql: "CREATE TABLE t(a INTEGER PRIMARY KEY, b REFERENCES t); PRAGMA writable_schema = ON")
        let odd = "INSERT INTO sqlite_schema VALUES ('table', 'odd', 'odd', 0, 'CREATE VIRTUAL TABLE odd USING nowhere(x)')"
        try db.execute(sql: odd)
      }
      let queue = try makeDatabase("CREATE TABLE first(a)", "ATTACH '\(path)' AS other", "CREATE TEMP TABLE brief(a REFERENCES first)")
      let graph = try await queue.withoutTransaction { try $0.schemaGraph() }
      #expect(graph.tables.map { "\($0.reference.database).\($0.reference.name)" } == ["main.first", "temp.brief", "other.odd", "other.t"])
      #expect(graph.tables[3].foreignKeys.map(\.schema.table) == [TableReference(database: "other", name: "t")])
    }
  }
}

import Foundation
import QuarryEngine
import QuarryFiles
import TestSupport
import Testing

/// What is exported is imported as what it was, of each table of databases that nobody here wrote and of random ones.
@Suite(.gated) struct ExportImportRoundTripTests {
  /// A table that is exported, with the columns that can be written.
  private struct Source {
    let queue: DatabaseQueue
    let name: String
    let definition: String
    let columns: [ColumnSchema]

    var names: [String] { columns.map(\.name) }
    /// The rows in the order in which they are stored, which is no index's.
    var rows: String { "\(SQLIdentifier.quoted(name)) NOT INDEXED" }

    /// Writes the rows to a file.
    func export(_ format: ExportFormat, to path: String) throws {
      let output = try OutputFile(path: path)
      try queue.read { db in
        let statement = try db.makeStatement(sql: "SELECT \(names.map(SQLIdentifier.quoted).joined(separator: ", ")) FROM \(rows)")
        let exporter = RowExporter(format, columns: names, table: name, to: output.write(_:))
        while try statement.step() { try exporter.write(statement) }
        try exporter.finish()
      }
      try output.finish()
    }

    /// The same without the columns that have blobs, which a text does not tell from texts.
    func withoutBlobs() throws -> Source {
      let kept = try queue.read { db in
        try columns.filter { column in
          let sql = "SELECT count(*) FROM \(rows) WHERE typeof(\(SQLIdentifier.quoted(column.name))) = 'blob'"
          return try Int.fetchOne(db, sql: sql) == 0
        }
      }
      return Source(queue: queue, name: name, definition: definition, columns: kept)
    }

    func stored() throws -> [[String]] { try queue.read { db in try StoredValues.rows(names, of: rows, in: db) } }
  }

  /// Calls `body` with each table of a database that has rows.
  private func forEachTable(of path: String, _ body: (Source, URL) throws -> Void) throws {
    var configuration = Configuration()
    configuration.isReadonly = true
    let queue = try DatabaseQueue(path: path, configuration: configuration)
    let tables = try queue.read { db in
      let sql = "SELECT name, sql FROM sqlite_schema WHERE type = 'table' AND rootpage > 0 AND name NOT LIKE 'sqlite~_%' ESCAPE '~'"
      let all = try Row.fetchAll(db, sql: sql).map { row in try (name: row[0] as String, sql: row[1] as String) }
      let filled = try all.filter { try Int.fetchOne(db, sql: "SELECT count(*) FROM \(SQLIdentifier.quoted($0.name))") != 0 }
      return try filled.map { table in
        (table, try db.tableSchema(TableReference(name: table.name)).columns.filter { $0.generation == nil && !$0.isHidden })
      }
    }
    for (table, columns) in tables {
      try withTemporaryFolder { try body(Source(queue: queue, name: table.name, definition: table.sql, columns: columns), $0) }
    }
  }

  /// Calls `body` with each table of random databases.
  private func forEachRandomTable(_ body: (Source, URL) throws -> Void) throws {
    var random = SplitMix(seed: 20)
    for _ in 0..<testRounds(25) {
      try withTemporaryFolder { folder in
        let path = folder.appending(path: "random.db").path
        var configuration = Configuration()
        configuration.foreignKeysEnabled = false
        let queue = try DatabaseQueue(path: path, configuration: configuration)
        try queue.withoutTransaction { try $0.execute(sql: RandomSchema.database(&random)) }
        try queue.close()
        try forEachTable(of: path, body)
      }
    }
  }

  /// Makes a database of the same encoding with nothing in it, or an empty table of the same definition.
  private func copy(of source: Source, isTableThere: Bool) throws -> DatabaseQueue {
    var configuration = Configuration()
    configuration.foreignKeysEnabled = false
    let queue = try DatabaseQueue(path: ":memory:", configuration: configuration)
    let encoding = try source.queue.read { try String.fetchOne($0, sql: "PRAGMA encoding") ?? "" }
    try queue.withoutTransaction { try $0.execute(sql: "PRAGMA encoding = '\(encoding)'") }
    if isTableThere { try queue.withoutTransaction { try $0.execute(sql: source.definition) } }
    return queue
  }

  private func importing(_ path: String, of source: Source, into queue: DatabaseQueue, isTableThere: Bool, separator: Character?) throws {
    let table = TableReference(name: source.name)
    let reading = RecordReadingOptions(separator: separator?.asciiValue, hasHeader: separator.map { _ in true })
    let plan = ImportPlan(path: path, into: isTableThere ? .existing(table) : .new(table), reading: reading)
    _ = try queue.withoutTransaction { db in try Importer(plan, in: db).run(in: db) }
  }

  // MARK: SQL and JSON keep values and storage classes

  private func checkSQL(_ source: Source, _ folder: URL) throws {
    let path = folder.appending(path: "rows.sql").path
    try source.export(.sql, to: path)
    let queue = try copy(of: source, isTableThere: true)
    try queue.withoutTransaction { try $0.execute(sql: String(contentsOfFile: path, encoding: .utf8)) }
    let stored = try queue.read { db in try StoredValues.rows(source.names, of: source.rows, in: db) }
    #expect(try stored == source.stored(), "\(source.definition)")
  }

  private func checkJSON(_ format: ExportFormat, _ source: Source, _ folder: URL) throws {
    let path = folder.appending(path: "rows.json").path
    try source.export(format, to: path)
    for isTableThere in [true, false] {
      let queue = try copy(of: source, isTableThere: isTableThere)
      try importing(path, of: source, into: queue, isTableThere: isTableThere, separator: nil)
      let stored = try queue.read { db in
        let names = try db.tableSchema(TableReference(name: source.name)).columns.filter { $0.generation == nil }.map(\.name)
        return try StoredValues.rows(names, of: source.rows, in: db)
      }
      #expect(try stored == source.stored(), "\(source.definition)")
    }
  }

  @Test(.enabled(if: sharedData != nil, "../shared/data is not there"), arguments: sharedDatabases)
  func `SQL, JSON and NDJSON of tables that nobody here wrote read back as the same values`(path: String) throws {
    try forEachTable(of: path) { source, folder in
      try checkSQL(source, folder)
      for format in [ExportFormat.json, .ndjson] { try checkJSON(format, source, folder) }
    }
  }

  @Test func `SQL, JSON and NDJSON of random tables read back as the same values`() throws {
    try forEachRandomTable { source, folder in
      try checkSQL(source, folder)
      for format in [ExportFormat.json, .ndjson] { try checkJSON(format, source, folder) }
    }
  }

  // MARK: CSV and TSV keep what is written

  /// Checks that a new table, written again, makes the same file, and that a table of the same definition gets the same values in columns
  /// which have a type; but for those with blobs, which are texts then.
  private func checkText(_ format: ExportFormat, separator: Character, _ all: Source, _ folder: URL) throws {
    let source = try all.withoutBlobs()
    if source.columns.isEmpty { return }
    let (path, again) = (folder.appending(path: "rows").path, folder.appending(path: "again").path)
    try source.export(format, to: path)
    let new = try copy(of: source, isTableThere: false)
    try importing(path, of: source, into: new, isTableThere: false, separator: separator)
    let columns = try new.read { try $0.tableSchema(TableReference(name: source.name)).columns }
    try Source(queue: new, name: source.name, definition: "", columns: columns).export(format, to: again)
    #expect(FileManager.default.contents(atPath: again) == FileManager.default.contents(atPath: path), "\(source.definition)")

    // A column that is left out may have to have a value.
    guard source.columns.count == all.columns.count else { return }
    let old = try copy(of: source, isTableThere: true)
    try importing(path, of: source, into: old, isTableThere: true, separator: separator)
    let stored = try old.read { db in try StoredValues.rows(source.names, of: source.rows, in: db) }
    let expected = try source.stored()
    try #require(stored.count == expected.count)
    for (index, column) in source.columns.enumerated() where column.affinity != .blob {
      #expect(stored.map { $0[index] } == expected.map { $0[index] }, "\(column.name) of \(source.definition)")
    }
  }

  @Test(.enabled(if: sharedData != nil, "../shared/data is not there"), arguments: sharedDatabases)
  func `CSV and TSV of tables that nobody here wrote read back as they are written`(path: String) throws {
    try forEachTable(of: path) { source, folder in
      try checkText(.csv, separator: ",", source, folder)
      try checkText(.tsv, separator: "\t", source, folder)
    }
  }

  @Test func `CSV and TSV of random tables read back as they are written`() throws {
    try forEachRandomTable { source, folder in
      try checkText(.csv, separator: ",", source, folder)
      try checkText(.tsv, separator: "\t", source, folder)
    }
  }
}

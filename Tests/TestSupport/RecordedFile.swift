package import Foundation
package import QuarryChanges
package import QuarryEngine
package import Testing

/// A database file with recorded commits, in a temporary folder.
package final class RecordedFile {
  package let folder: URL
  package let path: String
  package let logs: ChangeLogFolder

  package init(limit: Int = ChangeLogFolder.standardLimit, _ setup: String...) throws {
    folder = FileManager.default.temporaryDirectory.appendingPathComponent("quarry-changes-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    path = folder.appendingPathComponent("test.db").path
    logs = ChangeLogFolder(path: folder.appendingPathComponent("state/changes").path, limit: limit)
    let queue = try DatabaseQueue(path: path)
    try queue.withoutTransaction { db in
      for sql in setup { try db.execute(sql: sql) }
    }
    try queue.close()
  }

  deinit {
    try? FileManager.default.removeItem(at: folder)
  }

  /// Runs statements one after another, records their commits, and returns the errors of failed statements.
  @discardableResult
  package func run(_ sql: String...) throws -> [any Error] {
    var errors: [any Error] = []
    let queue = try DatabaseQueue(path: path)
    try queue.withoutTransaction { db in
      let recorder = ChangeRecorder(logs)
      try recorder.attach(to: db)
      for text in sql {
        for part in SQLScript(text).parts {
          do {
            let statement = try db.makeStatement(sql: SQLScript(text).sql(of: part))
            try recorder.recording(statement, in: db) { try statement.execute() }
          } catch {
            errors.append(error)
          }
        }
      }
    }
    try queue.close()
    return errors
  }

  /// Runs statements without a record, like another program.
  package func runElsewhere(_ sql: String) throws {
    let queue = try DatabaseQueue(path: path)
    try queue.withoutTransaction { try $0.execute(sql: sql) }
    try queue.close()
  }

  @discardableResult
  package func undo(_ number: Int? = nil, choosing choices: UndoChoices = UndoChoices()) throws -> UndoResult {
    try UndoRun(path: path, folder: logs).undo(number, choosing: choices)
  }

  /// Undoes all commits that can be undone.
  package func undoAll(sourceLocation: SourceLocation = #_sourceLocation) throws {
    while try commits().contains(where: { $0.state == .settled && $0.kind != .undo }) {
      let result = try undo()
      guard case .done = result else {
        Issue.record("\(result)", sourceLocation: sourceLocation)
        return
      }
    }
  }

  package func commits() throws -> [RecordedCommit] {
    try log()?.commits() ?? []
  }

  /// Returns the rows of the latest commit, one line per column: `t 1 update a: 'x' → 'y'`.
  package func lastRows() throws -> [String] {
    guard let log = try log(), let commit = try log.commits().first else { return [] }
    return try log.rows(of: commit.id.number).flatMap { row in
      row.columns.map { column in
        let values = "\(column.old?.sqlLiteral ?? "") → \(column.new?.sqlLiteral ?? "")"
        return "\(row.table) \(row.key) \(row.operation) \(column.name): \(values)"
      }
    }
  }

  package func log() throws -> ChangeLog? {
    try read { db in try self.logs.settledLog(ofDatabase: "main", in: db) }
  }

  package func read<Value>(_ body: (Database) throws -> Value) throws -> Value {
    var configuration = Configuration()
    configuration.isReadonly = true
    let queue = try DatabaseQueue(path: path, configuration: configuration)
    defer { try? queue.close() }
    return try queue.withoutTransaction(body)
  }

  /// Returns the contents of the file: the schema, and the rows with their rowids and the storage classes of their values.
  ///
  /// Internal tables of full-text indexes are excluded, because they differ after the index was rebuilt.
  package func contents() throws -> [String] {
    try read { db in
      #expect(try String.fetchAll(db, sql: "PRAGMA integrity_check") == ["ok"])
      let schema = try RecordedSchema(of: "main", in: db)
      var lines = schema.objects.filter { !$0.isInternal }.map { "\($0.type) \($0.name) \($0.tableName) \($0.sql ?? "")" }.sorted()
      for table in schema.tables.keys.sorted() + ["sqlite_sequence"] {
        guard !["_data", "_idx", "_docsize", "_segdir", "_segments", "_stat"].contains(where: table.hasSuffix) else { continue }
        guard table != "sqlite_sequence" || schema.objects.contains(where: { $0.name == table }) else { continue }
        let layout = try RecordedLayout(of: TableReference(name: table), in: db)
        let columns = layout.columns.map { column in
          let name = SQLIdentifier.quoted(column.name)
          return "typeof(\(name)) || ' ' || CASE typeof(\(name)) WHEN 'real' THEN printf('%!.20g', \(name)) ELSE hex(\(name)) END"
        }
        let rowID = layout.rowIDName.map { table == "sqlite_sequence" ? "''" : SQLIdentifier.quoted($0) } ?? "''"
        let sql = "SELECT \(([rowID] + columns).joined(separator: " || ' | ' || ")) FROM \(SQLIdentifier.quoted(table))"
        // SQLite may store a counter of 0 for a table without insertions.
        lines += try String.fetchAll(db, sql: sql).map { "\(table): \($0)" }.filter { $0 != "sqlite_sequence:  | text 6C6F67 | integer 30" }
          .sorted()
      }
      return lines
    }
  }
}

/// Returns the lines that occur in only one of two contents.
package func difference(_ first: [String], _ second: [String]) -> [String] {
  second.difference(from: first).map { change in
    switch change {
    case .insert(_, let line, _): "+ \(line)"
    case .remove(_, let line, _): "- \(line)"
    }
  }
}

extension UndoResult {
  /// The result in one word, or the conflicts.
  package var summary: String {
    switch self {
    case .done: "done"
    case .conflicts(let conflicts): "\(conflicts)"
    }
  }

  /// The number of conflicts of an undo that has kept all rows, and so has undone nothing; nil for any other result.
  package var kept: Int? {
    guard case .conflicts(let conflicts) = self, conflicts.sentence(onKeepingBy: UndoChoices(standard: .keep)) != nil else { return nil }
    return conflicts.count
  }

  package var conflicts: [String] {
    if case .conflicts(let conflicts) = self { conflicts.map(\.description) } else { [] }
  }
}

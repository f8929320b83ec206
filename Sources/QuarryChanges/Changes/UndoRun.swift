internal import Essentials
package import QuarryEngine
internal import QuarryRows

extension RecordedCommit {
  /// Creates the entry of an undo that was just written.
  fileprivate init(undo written: WrittenCommit, of commit: RecordedCommit) {
    self.init(
      id: written.id, time: .now, kind: .undo, statement: "undo of \(commit.id.number)", tables: written.tables,
      undoneNumber: commit.id.number)
  }
}

/// The undo of a commit, on a separate connection to the database.
///
/// Triggers and foreign key actions are disabled on the connection, because their changes are recorded and undone like all others.
package struct UndoRun: Sendable {
  private let queue: DatabaseQueue
  private let folder: ChangeLogFolder
  /// Commits the restored rows elsewhere.
  ///
  /// Nil if the file is the database itself.
  private let commitElsewhere: (@Sendable (Database) throws -> Void)?

  /// Opens the connection.
  ///
  /// - Parameters:
  ///   - path: The path of the database's file.
  ///   - commit: Commits the restored rows elsewhere, if the file contains only those rows of a database that the commit has changed. An
  ///     error that it throws leaves everything unchanged. References to other rows are not checked in this case.
  package init(
    path: String, folder: ChangeLogFolder, busyTimeout: Duration = .seconds(5),
    committingElsewhere commit: (@Sendable (Database) throws -> Void)? = nil
  ) throws {
    commitElsewhere = commit
    var configuration = Configuration()
    configuration.foreignKeysEnabled = false
    configuration.triggersEnabled = false
    configuration.isDefensive = false
    configuration.busyTimeout = busyTimeout
    configuration.label = "undo"
    queue = try DatabaseQueue(path: path, configuration: configuration)
    self.folder = folder
  }

  /// The connection, for interrupting it.
  package var connection: DatabaseQueue { queue }

  /// Undoes a commit.
  ///
  /// - Parameter number: The number of the commit, or nil for the latest commit that is neither undone nor an undo.
  /// - Throws: `DataSourceError` if there is no such commit, or it is already undone.
  package func undo(_ number: Int?, choosing choices: UndoChoices = UndoChoices()) throws -> UndoResult {
    try queue.withoutTransaction { db in try undo(number, choosing: choices, in: db) }
  }

  /// Undoes a commit on the connection's own thread.
  package func undo(_ number: Int?, choosing choices: UndoChoices) async throws -> UndoResult {
    try await queue.withoutTransaction { db in try undo(number, choosing: choices, in: db) }
  }

  private func undo(_ number: Int?, choosing choices: UndoChoices, in db: Database) throws -> UndoResult {
    guard let log = try folder.existingLog(ofDatabase: "main", in: db) else { throw Self.nothing(number) }
    let recorder = ChangeRecorder(folder)
    try recorder.attach(to: db)
    defer { try? recorder.detach(from: db) }
    let commit = try Self.commit(number, in: log)
    let origin = CommitOrigin(statement: "undo of \(commit.id.number)", undoes: commit.id.number)
    do {
      let (kept, commits) = try repeatingIfUnexpected { readsRows in
        try recorder.inTransaction(
          .undo, origin, in: db,
          {
            try log.queue.read { logDB in
              try Self.undo(commit, choices, logDB, by: recorder, isWhole: commitElsewhere == nil, readsRows: readsRows, in: db)
            }
          }, committingElsewhere: commitElsewhere.map { commit in { try commit(db) } }
        )
      }
      guard let written = commits.first else {
        if !kept.isEmpty { return .conflicts(kept) }
        try log.noteUndone(commit.id.number)
        return .done(commit)
      }
      // The undo is committed, even if the record cannot be read now.
      return .done((try? log.commit(written.id.number)) ?? RecordedCommit(undo: written, of: commit))
    } catch let refusal as UndoRefusal {
      return .conflicts(refusal.conflicts)
    }
  }

  /// Runs `body` without reading the rows before they are written, and again with it if that was not enough.
  private func repeatingIfUnexpected<Value>(_ body: (_ readsRows: Bool) throws -> Value) throws -> Value {
    do {
      return try body(false)
    } catch let error where error is UndoCells.Unexpected || error is UnsavedChange {
      return try body(true)
    }
  }

  private static func nothing(_ number: Int?) -> DataSourceError {
    DataSourceError(number.map { "there is no commit \($0) to undo: `quarry changes` lists the recorded commits" } ?? "nothing to undo")
  }

  /// Returns the commit with a number, or the latest commit that is neither undone nor an undo.
  ///
  /// - Throws: `DataSourceError` if the commit does not exist, is already undone, or is still pending.
  package static func commit(_ number: Int?, in log: ChangeLog?) throws -> RecordedCommit {
    guard let log else { throw nothing(number) }
    let found = try number.map { try log.commit($0) } ?? log.commits().first { $0.kind != .undo && !$0.isUndone }
    guard let found else { throw nothing(number) }
    switch found.state {
    case .settled: return found
    case .pending: throw DataSourceError("another program is still writing commit \(found.id.number): try again")
    case .undone(let by): throw DataSourceError("commit \(found.id.number) was already undone, by commit \(by)")
    }
  }

  /// Restores the state before a commit, inside a transaction.
  ///
  /// - Parameter readsRows: Whether all rows are read before they are written.
  /// - Returns: The conflicts of rows that have changed since and were kept.
  /// - Throws: ``UndoCells/Unexpected`` if all rows must be read, and `UndoRefusal` with the conflicts if nothing was restored.
  private static func undo(
    _ commit: RecordedCommit, _ choices: UndoChoices, _ log: Database, by recorder: ChangeRecorder, isWhole: Bool, readsRows: Bool,
    in db: Database
  ) throws -> [UndoConflict] {
    let logged = try ChangeLog.tables(of: commit.id.number, log)
    let schema = UndoSchema(try ChangeLog.objects(of: commit.id.number, log), commit.tables, recorder)
    let mayNotRead = !readsRows && schema.isEmpty && choices == UndoChoices()
    let cells = mayNotRead ? try cells(of: logged, by: recorder, in: db) : [:]
    let unchanged: Set<LoggedTable.ID>
    do {
      unchanged = try checkConflicts(of: logged.filter { cells[$0.id] == nil }, schema, choices, log, by: recorder, in: db)
    } catch is UndoRefusal where !cells.isEmpty {
      // The other tables may have conflicts as well.
      throw UndoCells.Unexpected()
    }
    let others = try schema.takeBack(in: db)
    let fullText = try FullTextTables(in: db)
    var tally = UndoTally()
    for conflict in fullText.conflicts(of: logged) { tally.keep(conflict) }
    for table in logged where table.alteration != "new" && !fullText.isIndexData(table, of: schema.formerOwner(of: table)) {
      if let cells = cells[table.id] {
        try cells.undo(log)
        continue
      }
      let name = schema.formerName(of: table)
      let isBack = table.alteration == "dropped"
      if isBack { try db.execute(literal: "DELETE FROM main.\(identifier: name)") }
      let rowChoices = isBack ? UndoChoices(standard: .overwrite) : choices
      let isUnchanged = schema.isEmpty && unchanged.contains(table.id)
      tally += try UndoTable(table, named: name, choices: rowChoices, isComplete: false, isUnchanged: isUnchanged, in: db).undo(log, in: db)
    }
    // Otherwise a counter or a rebuilt index alone would be a commit.
    if tally.restored == 0, !tally.kept.isEmpty, schema.isEmpty { throw UndoRefusal(tally.kept) }
    try schema.putBack(others, in: db)
    try fullText.rebuild(logged.compactMap(schema.formerOwner) + schema.tablesPutBack, in: db)
    try restoreSequences(of: commit.id.number, putBack: schema.tablesPutBack, log, in: db)
    if isWhole { try checkForeignKeys(of: logged.map(schema.formerName), replaced: schema.tablesReplaced, in: db) }
    return tally.kept
  }

  /// Returns the tables whose rows need not be read before they are written.
  private static func cells(of logged: [LoggedTable], by recorder: ChangeRecorder, in db: Database) throws -> [LoggedTable.ID: UndoCells] {
    var cells: [LoggedTable.ID: UndoCells] = [:]
    for table in logged where table.isOnlyUpdated {
      do {
        let undo = try UndoTable(table, named: table.name, choices: UndoChoices(), isComplete: true, in: db)
        cells[table.id] = try undo.cells(recordedBy: recorder, in: db)
      } catch is UndoRefusal {
        // The check for conflicts reports it.
      }
    }
    return cells
  }

  /// Checks that nothing has changed since the commit.
  ///
  /// - Returns: The tables in which no row has changed since.
  /// - Throws: `UndoRefusal` if something has changed and no choice resolves the conflict.
  private static func checkConflicts(
    of logged: [LoggedTable], _ schema: UndoSchema, _ choices: UndoChoices, _ log: Database, by recorder: ChangeRecorder, in db: Database
  ) throws -> Set<LoggedTable.ID> {
    var unchanged: Set<LoggedTable.ID> = []
    let fullText = try FullTextTables(in: db)
    var conflicts = (try schema.conflicts(in: db) + fullText.conflicts(of: logged)).filter { !$0.choices.contains(choices.standard) }
    for table in logged where !fullText.isIndexData(table) {
      switch table.alteration {
      case "dropped": break
      case "new":
        if choices.standard != .overwrite, let conflict = try schema.conflict(inNew: table, in: db) { conflicts.append(conflict) }
      default:
        do {
          let undo = try UndoTable(table, named: table.name, choices: choices, isComplete: true, in: db)
          let saved = schema.isEmpty ? try recorder.rowsToSave(of: TableReference(name: table.name), in: db) : nil
          let found = try undo.conflicts(log, saving: saved, in: db)
          conflicts += found.unsolved
          if found.isUnchanged { unchanged.insert(table.id) }
        } catch let refusal as UndoRefusal {
          conflicts += refusal.conflicts
        }
      }
    }
    if !conflicts.isEmpty { throw UndoRefusal(conflicts) }
    return unchanged
  }

  /// Restores the AUTOINCREMENT counters that have not changed since, and those of tables that were created again.
  ///
  ///     DELETE FROM main.sqlite_sequence WHERE name = ?; INSERT INTO main.sqlite_sequence(name, seq) VALUES (?, ?)
  private static func restoreSequences(of number: Int, putBack: [String], _ log: Database, in db: Database) throws {
    let changes = try ChangeLog.sequences(of: number, log)
    let schema = "SELECT count(*) FROM main.sqlite_schema WHERE name = 'sqlite_sequence'"
    guard !changes.isEmpty, try Int.fetchOne(db, sql: schema) != 0 else { return }
    let now = try RecordedTransaction.sequences(of: "main", in: db)
    for (name, old, new) in changes {
      guard new == nil || now[name] == new || putBack.contains(name) else { continue }
      try db.execute(literal: "DELETE FROM main.sqlite_sequence WHERE name = \(name)")
      if let old { try db.execute(literal: "INSERT INTO main.sqlite_sequence(name, seq) VALUES (\(name), \(old))") }
    }
  }

  /// Checks that the undo leaves no dangling references in the tables or in tables that refer to them.
  ///
  /// Ignores earlier violations.
  ///
  /// - Parameter replaced: The tables that the commit has created or dropped. This includes a rebuilt table with another name.
  private static func checkForeignKeys(of names: [String], replaced: Set<String>, in db: Database) throws {
    var tables = Set(names)
    for name in names {
      for reference in (try? db.references(to: TableReference(name: name))) ?? [] { tables.insert(reference.table.name) }
    }
    let violations = try violations(of: tables, in: db)
    guard !violations.isEmpty else { return }
    // Another connection still sees the state before the undo.
    let before = try DatabaseQueue(path: db.path, configuration: Self.reading).read { db in
      Set(try Self.violations(of: tables.union(replaced), in: db).map { $0.ignoringNames(of: replaced) })
    }
    let new = violations.filter { !before.contains($0.ignoringNames(of: replaced)) }
    guard new.isEmpty else {
      throw UndoRefusal(
        new.map { violation in
          UndoConflict(
            table: violation.table, key: violation.rowID.map { .rowID($0) },
            reason: .schema("it would refer to a row of \(violation.parent) that does not exist"))
        })
    }
  }

  private static var reading: Configuration {
    var configuration = Configuration()
    configuration.isReadonly = true
    return configuration
  }

  /// A row with a dangling reference.
  private struct Violation: Hashable {
    var table: String
    var rowID: Int64?
    var parent: String
    var key: Int

    /// The violation without the names of tables that have been replaced, and without the number of a key of such a table.
    func ignoringNames(of replaced: Set<String>) -> Violation {
      var violation = self
      if replaced.contains(table) { (violation.table, violation.key) = ("", 0) }
      if replaced.contains(parent) { violation.parent = "" }
      return violation
    }
  }

  /// Returns the rows of tables that have dangling references.
  ///
  ///     SELECT rowid, parent, fkid FROM pragma_foreign_key_check('Track')
  private static func violations(of tables: Set<String>, in db: Database) throws -> Set<Violation> {
    var violations: Set<Violation> = []
    for table in tables.sorted() {
      let sql: SQLText = "SELECT rowid, parent, fkid FROM pragma_foreign_key_check(\(table))"
      do {
        for row in try Row.fetchAll(db.makeStatement(literal: sql)) {
          violations.insert(Violation(table: table, rowID: try row[0], parent: try row[1], key: try row[2]))
        }
      } catch DatabaseError.SQLITE_ERROR {
        // SQLite does not check a foreign key that does not match the referenced table either.
      }
    }
    return violations
  }
}

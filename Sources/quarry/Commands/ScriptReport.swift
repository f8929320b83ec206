internal import Browser
internal import QuarryChanges
internal import QuarryEngine
internal import QuarryRows

/// A report on a script: the number of statements that have run, the committed changes, and how to undo them.
///
/// The report is written once: on standard error, or as a part of the error if the output cannot be written.
///
///     quarry: track: 1 row deleted; playlist: 5 rows deleted. `quarry undo app.db` undoes it.
final class ScriptReport {
  private let recorder: ChangeRecorder?
  /// The main database as named on the command line, or nil if it was loaded from other files.
  private let name: String?
  /// Whether committed changes are reported.
  ///
  /// False for tables loaded from a file.
  private let reportsChanges: Bool
  /// The number of the script's statements.
  private let count: Int
  private var done = 0
  /// The connection's number of changes when the last statement ended.
  private var changesSeen = 0
  /// The versions of the schemas before the first statement of the transaction that may change one, or nil if there was none.
  private var schemasSeen: [String: Int]?
  private var (committed, open) = (ChangeTally(), ChangeTally())
  /// Whether a statement was meant to change rows.
  private var changesRows = false
  /// Whether a statement that may write has been run.
  private var mayHaveWritten = false
  /// Whether the script has run to its end.
  private var isWhole = false
  private var wasRolledBack = false
  /// The sentence about the committed changes, or nil if there are none.
  private var written: String?

  /// The clause about changes without a record.
  static let unrecorded = "the changes were not recorded, so `quarry undo` cannot undo them"

  /// The number of changed rows, and of those the rows changed directly by statements, and whether the schema was changed.
  private struct ChangeTally {
    var (all, direct) = (0, 0)
    var changesSchema = false

    /// The changes without the names of tables: `2 rows changed, and the schema was changed`.
    ///
    /// Nil if there are none.
    var words: String? {
      let more = all > direct ? ", and more by triggers, foreign keys or modules" : ""
      let rows = all > 0 ? "\(Plural.of(direct, "row")) changed\(more)" : nil
      let parts = [rows, changesSchema ? "the schema was changed" : nil].compactMap(\.self)
      return parts.isEmpty ? nil : parts.joined(separator: ", and ")
    }

    /// Adds numbers of rows.
    static func += (tally: inout ChangeTally, other: ChangeTally) {
      tally.all += other.all
      tally.direct += other.direct
    }
  }

  /// Creates the report of a script that is about to run.
  ///
  /// - Parameters:
  ///   - count: The number of its statements.
  ///   - recorder: The recorder of commits, or nil if commits are not recorded.
  ///   - name: The main database as named on the command line, or nil if it was loaded from other files.
  ///   - reportsChanges: Whether committed changes are reported.
  init(of count: Int, _ recorder: ChangeRecorder?, named name: String?, reportsChanges: Bool) {
    (self.count, self.recorder, self.name, self.reportsChanges) = (count, recorder, name, reportsChanges)
  }

  /// Runs the script by `body` and writes the report.
  ///
  /// - Throws: Any error thrown by `body`. If the output cannot be written, the error includes the report.
  func reporting(_ body: () throws -> Void) throws {
    do {
      try body()
    } catch let fault where VerbOutput.isFault(fault) && !StandardOutput.isClosed(fault) {
      throw Failure.refused([String(describing: fault), summary].compactMap(\.self).joined(separator: "; "))
    } catch {
      // Changes that were committed before an error remain committed.
      write()
      throw error
    }
    write()
  }

  /// Counts the changes of a connection while `body` runs the script on it.
  func watching(_ db: Database, _ body: () throws -> Void) throws {
    changesSeen = db.totalChangesCount
    defer {
      wasRolledBack = db.isInsideTransaction
      written = reportsChanges ? sentence(in: db) : nil
    }
    try body()
    isWhole = true
  }

  /// Warns of a statement that cannot be undone.
  func willRun(_ statement: Statement, in db: Database) {
    mayHaveWritten = mayHaveWritten || !statement.isReadonly
    guard reportsChanges, !statement.isReadonly else { return }
    let kind = StatementKind(of: statement.sql)
    let irreversible = IrreversibleStatement(sql: statement.sql)
    if !kind.changesSchema, !kind.runsAlone, irreversible == nil { changesRows = true }
    if recorder == nil, kind.changesObjects, schemasSeen == nil { schemasSeen = Self.schemaVersions(in: db) }
    if let sentence = irreversible?.sentence { StandardError.write("quarry: \(sentence)\n") }
  }

  /// Counts a statement that has run and the rows that it has changed.
  func didRun(_ statement: Statement, in db: Database) {
    done += 1
    // If this statement has changed nothing, the count is that of an earlier statement.
    if !statement.isReadonly, db.totalChangesCount != changesSeen { open.direct += db.changesCount }
    open.all += db.totalChangesCount - changesSeen
    changesSeen = db.totalChangesCount
    if db.isInsideTransaction { return }
    // A rollback, even to a savepoint, also takes back the version.
    if let schemasSeen, Self.schemaVersions(in: db) != schemasSeen { committed.changesSchema = true }
    schemasSeen = nil
    if !StatementKind(of: statement.sql).rollsBack { committed += open }
    open = ChangeTally()
  }

  /// Returns the versions of the schemas of all files, or nil if one cannot be read.
  ///
  ///     PRAGMA main.schema_version
  private static func schemaVersions(in db: Database) -> [String: Int]? {
    guard let names = try? String.fetchAll(db, sql: "SELECT name FROM pragma_database_list WHERE name <> 'temp'") else { return nil }
    var versions: [String: Int] = [:]
    for name in names {
      guard let version = try? Int.fetchOne(db, sql: ("PRAGMA \(identifier: name).schema_version" as SQLText).sql) else { return nil }
      versions[name] = version
    }
    return versions
  }

  private func write() {
    if let written { StandardError.write("quarry: \(written)\n") }
  }

  /// The report for an error of the output: `2 of 3 statements have run. track: 1 row deleted. …`.
  ///
  /// Nil for one statement that only reads, whose rows are missing.
  private var summary: String? {
    if count == 1, !mayHaveWritten { return nil }
    let statements = count == 1 ? "the statement has run" : "\(Plural.grouped(done)) of \(Plural.grouped(count)) statements have run"
    return statements + (wasRolledBack ? "; the open transaction was rolled back" : "") + (written.map { ". \($0)" } ?? "")
  }

  private func sentence(in db: Database) -> String? {
    guard let recorder else { return committed.words.map { "\($0); \(Self.unrecorded)" } }
    guard let last = recorder.written.last else { return changesRows && isWhole ? "no row was changed" : nil }
    let commits = recorder.written.count
    let tables = recorder.written.flatMap(\.tables).summed.map(\.words).joined(separator: "; ")
    let undo = "`quarry undo \(path(of: last.id.database, in: db))`"
    return commits == 1 ? "\(tables). \(undo) undoes it." : "\(tables), in \(commits) commits. \(undo) undoes the last one."
  }

  private func path(of database: String, in db: Database) -> String {
    let path = database == "main" ? name : nil
    return Quarry.word(ofPath: path ?? db.path(ofDatabase: database) ?? db.path)
  }
}

extension [RecordedTable] {
  /// The tables with the totals of all their entries.
  fileprivate var summed: [RecordedTable] {
    reduce(into: []) { sums, table in
      guard let index = sums.firstIndex(where: { $0.name == table.name }) else { return sums.append(table) }
      sums[index].inserted += table.inserted
      sums[index].updated += table.updated
      sums[index].deleted += table.deleted
      sums[index].alteration = table.alteration ?? sums[index].alteration
    }
  }
}

extension RecordedTable {
  /// The changes of the table: `track: 3 rows changed, 1 new`.
  fileprivate var words: String {
    var rows: [String] = []
    if updated > 0 { rows.append("\(Plural.of(updated, "row")) changed") }
    if inserted > 0 { rows.append(rows.isEmpty ? Plural.of(inserted, "new row") : "\(Plural.grouped(inserted)) new") }
    if deleted > 0 { rows.append("\(rows.isEmpty ? Plural.of(deleted, "row") : Plural.grouped(deleted)) deleted") }
    let parts = [alteration].compactMap(\.self) + rows
    return parts.isEmpty ? name : "\(name): \(parts.joined(separator: ", "))"
  }
}

internal import Browser
internal import QuarryChanges
internal import QuarryEngine
internal import QuarryRows

/// What a script has done: how many of its statements have run, what they have committed, and how that is undone.
///
/// It is written once: on standard error, or as a part of the error where the output cannot be written.
///
///     quarry: track: 1 row deleted; playlist: 5 rows deleted. `quarry undo app.db` takes it back.
final class ScriptReport {
  private let recorder: ChangeRecorder?
  /// The main database as the command line names it; nil where it is made of other files.
  private let name: String?
  /// Whether what is committed is reported, which goes for no table that is made of a file.
  private let reportsChanges: Bool
  /// The number of the script's statements, and how many of them have run.
  private let count: Int
  private var done = 0
  /// How many changes the connection had made when the last statement ended.
  private var changesSeen = 0
  private var (committed, open) = (ChangeTally(), ChangeTally())
  /// Whether a statement was to change rows.
  private var changesRows = false
  /// Whether the script has run to its end.
  private var isWhole = false
  private var wasRolledBack = false
  /// What was committed; nil where that is nothing.
  private var written: String?

  /// What is said of a change without a record.
  static let unrecorded = "no record was kept, so that `quarry undo` cannot take it back"

  /// How many rows were changed, and how many of them by statements themselves.
  private struct ChangeTally {
    var (all, direct) = (0, 0)
  }

  /// Makes the report of a script that is about to run.
  ///
  /// - Parameters:
  ///   - count: The number of its statements.
  ///   - recorder: What records the commits; nil where nothing does.
  ///   - name: The main database as the command line names it; nil where it is made of other files.
  ///   - reportsChanges: Whether what is committed is reported.
  init(of count: Int, _ recorder: ChangeRecorder?, named name: String?, reportsChanges: Bool) {
    (self.count, self.recorder, self.name, self.reportsChanges) = (count, recorder, name, reportsChanges)
  }

  /// Runs the script by `body`, and says what it has done.
  ///
  /// - Throws: What `body` throws; where the output cannot be written, an error that says what was done.
  func reporting(_ body: () throws -> Void) throws {
    do {
      try body()
    } catch let fault where VerbOutput.isFault(fault) && !StandardOutput.isClosed(fault) {
      throw Failure.refused("\(fault); \(summary)")
    } catch {
      // What was committed before an error stays committed.
      write()
      throw error
    }
    write()
  }

  /// Watches a connection while `body` runs the script on it.
  func watching(_ db: Database, _ body: () throws -> Void) throws {
    changesSeen = db.totalChangesCount
    defer {
      wasRolledBack = db.isInsideTransaction
      written = reportsChanges ? sentence(in: db) : nil
    }
    try body()
    isWhole = true
  }

  /// Warns of a statement that no undo takes back.
  func willRun(_ statement: Statement) {
    guard reportsChanges, !statement.isReadonly else { return }
    let kind = StatementKind(of: statement.sql)
    if !kind.changesSchema, !kind.runsAlone { changesRows = true }
    if let sentence = IrreversibleStatement(sql: statement.sql)?.sentence { StandardError.write("quarry: \(sentence)\n") }
  }

  /// Counts a statement that has run, and the rows that it has changed.
  func didRun(_ statement: Statement, in db: Database) {
    done += 1
    // The number is that of an earlier statement where this one has changed nothing.
    if !statement.isReadonly, db.totalChangesCount != changesSeen { open.direct += db.changesCount }
    open.all += db.totalChangesCount - changesSeen
    changesSeen = db.totalChangesCount
    if db.isInsideTransaction { return }
    if !StatementKind(of: statement.sql).rollsBack {
      committed = ChangeTally(all: committed.all + open.all, direct: committed.direct + open.direct)
    }
    open = ChangeTally()
  }

  private func write() {
    if let written { StandardError.write("quarry: \(written)\n") }
  }

  /// What was done, where the output cannot be written: `2 of 3 statements have run. track: 1 row deleted. …`.
  private var summary: String {
    let statements = count == 1 ? "the statement has run" : "\(Plural.grouped(done)) of \(Plural.grouped(count)) statements have run"
    return statements + (wasRolledBack ? "; the open transaction was rolled back" : "") + (written.map { ". \($0)" } ?? "")
  }

  private func sentence(in db: Database) -> String? {
    guard let recorder else {
      guard committed.all > 0 else { return nil }
      let more = committed.all > committed.direct ? ", and more by triggers, foreign keys or modules" : ""
      return "\(Plural.of(committed.direct, "row")) changed\(more); \(Self.unrecorded)"
    }
    guard let last = recorder.written.last else { return changesRows && isWhole ? "no row was changed" : nil }
    let commits = recorder.written.count
    let tables = recorder.written.flatMap(\.tables).summed.map(\.words).joined(separator: "; ")
    let undo = "`quarry undo \(path(of: last.id.database, in: db))`"
    return commits == 1 ? "\(tables). \(undo) takes it back." : "\(tables), in \(commits) commits. \(undo) takes the last one back."
  }

  private func path(of database: String, in db: Database) -> String {
    let path = database == "main" ? name : nil
    return ShellWord.quoted(path: SSHSession.address(ofPath: path ?? db.path(ofDatabase: database) ?? db.path))
  }
}

extension [RecordedTable] {
  /// The tables, each once with the rows of all of its entries.
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
  /// What was done to the table: `track: 3 rows changed, 1 new`.
  fileprivate var words: String {
    var rows: [String] = []
    if updated > 0 { rows.append("\(Plural.of(updated, "row")) changed") }
    if inserted > 0 { rows.append(rows.isEmpty ? Plural.of(inserted, "new row") : "\(Plural.grouped(inserted)) new") }
    if deleted > 0 { rows.append("\(rows.isEmpty ? Plural.of(deleted, "row") : Plural.grouped(deleted)) deleted") }
    let parts = [alteration].compactMap(\.self) + rows
    return parts.isEmpty ? name : "\(name): \(parts.joined(separator: ", "))"
  }
}

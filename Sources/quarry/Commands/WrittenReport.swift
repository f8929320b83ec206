internal import Browser
internal import QuarryEngine

/// Says on standard error what a script has committed, and how that is undone.
///
///     quarry: track: 1 row deleted; playlist: 5 rows deleted. `quarry undo app.db` takes it back.
final class WrittenReport {
  private let recorder: ChangeRecorder?
  private let db: Database
  /// The main database as the command line names it; nil where it is made of other files.
  private let name: String?
  /// How many changes the connection has made so far, and how many of them statements have made themselves.
  private var changes: (all: Int, direct: Int)
  private let changesBefore: Int
  /// Whether a statement was to change rows.
  private var changesRows = false

  /// Begins to watch a connection on which a script is about to run.
  ///
  /// - Parameters:
  ///   - recorder: What records the commits; nil where nothing does.
  ///   - name: The main database as the command line names it; nil where it is made of other files.
  init(_ recorder: ChangeRecorder?, of db: Database, named name: String?) {
    (self.recorder, self.db, self.name) = (recorder, db, name)
    changesBefore = db.totalChangesCount
    changes = (db.totalChangesCount, 0)
  }

  /// Warns of a statement that no undo takes back.
  func willRun(_ statement: Statement) {
    if statement.isReadonly { return }
    let kind = StatementKind(of: statement.sql)
    if !kind.changesSchema, !kind.runsAlone { changesRows = true }
    if let sentence = IrreversibleStatement(sql: statement.sql)?.sentence { StandardError.write("quarry: \(sentence)\n") }
  }

  /// Counts the rows that a statement has changed.
  func didRun(_ statement: Statement) {
    // The number is that of an earlier statement where this one has changed nothing.
    if !statement.isReadonly, db.totalChangesCount != changes.all { changes.direct += db.changesCount }
    changes.all = db.totalChangesCount
  }

  /// Writes what was committed.
  ///
  /// - Parameter isWhole: Whether the script has run to its end.
  func write(isWhole: Bool) {
    if let sentence = sentence(isWhole: isWhole) { StandardError.write("quarry: \(sentence)\n") }
  }

  private func sentence(isWhole: Bool) -> String? {
    guard let recorder else {
      // Nothing tells which of them were rolled back.
      guard changes.all > changesBefore, !db.isInsideTransaction else { return nil }
      let more = changes.all - changesBefore > changes.direct ? ", and more by triggers, foreign keys or modules" : ""
      return "\(Plural.of(changes.direct, "row")) changed\(more); no record was kept, so that `quarry undo` cannot take it back"
    }
    guard let last = recorder.written.last else { return changesRows && isWhole ? "no row was changed" : nil }
    let commits = recorder.written.count
    let tables = recorder.written.flatMap(\.tables).summed.map(\.words).joined(separator: "; ")
    let undo = "`quarry undo \(path(of: last.id.database))`"
    return commits == 1 ? "\(tables). \(undo) takes it back." : "\(tables), in \(commits) commits. \(undo) takes the last one back."
  }

  private func path(of database: String) -> String {
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

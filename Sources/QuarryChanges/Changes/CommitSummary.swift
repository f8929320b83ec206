public import QuarryEngine
public import QuarryRows

/// The result of a commit.
///
/// The counts come from SQLite and may be less than the staged changes because of triggers.
public struct CommitSummary: Hashable, Sendable, CustomStringConvertible {
  /// The number of updated rows.
  public var changed: Int
  /// The number of inserted rows.
  public var inserted: Int
  /// The number of deleted rows.
  public var deleted: Int
  /// The keys of the new rows, by their table and staged number.
  ///
  /// Does not include rows of views.
  public var newKeys: [TableReference: [Int: RowKey]]
  /// The staged changes that were not written because triggers prevented them.
  public var left = StagedChanges()
  /// The numbers of staged rows that were written, by table.
  package var written: [TableReference: ChangeCounts] = [:]
  /// The numbers of rows with some columns written and other columns in ``left``, by table.
  var partlyWritten: [TableReference: Int] = [:]
  /// The numbers of rows that triggers changed instead of deleting them, by table.
  public var changedInstead: [TableReference: Int] = [:]
  /// The additional rows changed by foreign key actions and triggers.
  public var sideEffects = SideEffects()
  /// An additional remark for the user, as a part of a sentence, for example that the server's answer was lost.
  ///
  /// Nil for no remark.
  public var remark: String?

  /// Creates a summary.
  public init(changed: Int = 0, inserted: Int = 0, deleted: Int = 0, newKeys: [TableReference: [Int: RowKey]] = [:], remark: String? = nil)
  {
    self.changed = changed
    self.inserted = inserted
    self.deleted = deleted
    self.newKeys = newKeys
    self.remark = remark
  }

  /// Whether all staged changes were written.
  public var isComplete: Bool { left.isEmpty && changedInstead.isEmpty }

  /// A sentence about the commit: `3 rows changed, 1 new, 2 deleted; a trigger of player left 1 row unchanged; it stays staged`.
  public var description: String {
    let sentences = changedInstead.sorted { $0.key.name < $1.key.name }.map { table, count in
      "a trigger of \(table.name) changed \(Plural.of(count, "row")) instead of deleting \(count == 1 ? "it" : "them")"
    }
    return ([counts, sideEffects.sentence] + sentences + [leftSentence, remark]).compactMap(\.self).joined(separator: "; ")
  }

  private var counts: String {
    var parts: [String] = []
    if changed > 0 { parts.append("\(Plural.of(changed, "row")) changed") }
    if inserted > 0 { parts.append(parts.isEmpty ? Plural.of(inserted, "new row") : "\(inserted) new") }
    if deleted > 0 { parts.append(parts.isEmpty ? "\(Plural.of(deleted, "row")) deleted" : "\(deleted) deleted") }
    if parts.isEmpty { return isComplete ? "nothing to write" : "no staged row was written" }
    return parts.joined(separator: ", ")
  }

  /// A sentence about rows that triggers have left unchanged, or nil if there are none.
  private var leftSentence: String? {
    guard !left.isEmpty else { return nil }
    let tables = left.tables.map { table in "a trigger of \(table.name) \(words(for: table))" }
    let counts = left.counts
    let isOne = counts.updatedRows + counts.newRows + counts.deletedRows == 1 && partlyWritten.isEmpty
    return "\(tables.joined(separator: ", ")); \(isOne ? "it stays" : "they stay") staged"
  }

  private func words(for table: TableReference) -> String {
    let (counts, parts) = (left.counts(of: table), partlyWritten[table] ?? 0)
    let rows = counts.updatedRows - parts + counts.deletedRows
    var words: [String] = []
    if rows > 0 { words.append("left \(Plural.of(rows, "row")) unchanged") }
    if parts > 0 { words.append("left some values of \(Plural.of(parts, "row")) unchanged") }
    if counts.newRows > 0 { words.append("rejected \(Plural.of(counts.newRows, "new row"))") }
    return words.joined(separator: " and ")
  }
}

/// The additional rows changed by foreign key actions and triggers in a commit.
public struct SideEffects: Hashable, Sendable {
  /// The possible cause of the changes.
  public enum Cause: Hashable, Sendable {
    /// Foreign key actions, such as ON DELETE CASCADE.
    case foreignKeys
    /// Triggers.
    case triggers
    /// Either of the two, or both.
    case either
  }

  /// The tables with their numbers of rows, if the commit is recorded.
  public var tables: [RecordedTable] = []
  /// Whether additional rows were changed in unknown tables, because the commit is not recorded.
  public var isUncounted = false
  /// The possible cause of the changes.
  public var cause = Cause.either

  /// Creates an account without changes.
  public init() {}

  /// A sentence about the rows, or nil if there are none: `foreign keys deleted 5,000 of Item and changed 2 of Note`.
  public var sentence: String? {
    if tables.isEmpty { return isUncounted ? "triggers or foreign keys changed other rows, too" : nil }
    let verbs: [(String, String, KeyPath<RecordedTable, Int>)] = [
      ("deleted", "of", \.deleted), ("changed", "of", \.updated), ("added", "to", \.inserted),
    ]
    let parts = verbs.compactMap { verb, preposition, count -> String? in
      let found = tables.filter { $0[keyPath: count] > 0 }
      guard !found.isEmpty else { return nil }
      return "\(verb) " + found.map { "\(Plural.grouped($0[keyPath: count])) \(preposition) \($0.name)" }.joined(separator: ", ")
    }
    return parts.isEmpty ? nil : "\(subject) \(parts.joined(separator: " and "))"
  }

  private var subject: String {
    switch cause {
    case .foreignKeys: "foreign keys"
    case .triggers: "triggers"
    case .either: "triggers and foreign keys"
    }
  }
}

extension SideEffects {
  /// Determines the rows that recorded commits have changed in addition to the staged rows.
  ///
  /// - Parameter written: The numbers of staged rows that were written, by table.
  package init(_ commits: [WrittenCommit], besides written: [TableReference: ChangeCounts], in db: Database) {
    var touched = Set(written.keys)
    var others: [TableReference] = []
    for commit in commits {
      for table in commit.tables.sorted(by: { $0.name < $1.name }) {
        let reference = TableReference(database: commit.id.database, name: table.name)
        touched.insert(reference)
        guard let rest = table.rows(besides: written[reference] ?? ChangeCounts()) else { continue }
        others.append(reference)
        tables.append(rest)
      }
    }
    let hasTriggers = touched.contains { (try? db.hasTriggers(on: $0)) != false }
    let hasActions = others.contains { table in (try? ForeignKeySchema.all(of: table, in: db).contains(where: \.hasActions)) != false }
    cause = hasTriggers ? hasActions ? .either : .triggers : .foreignKeys
  }
}

extension RecordedTable {
  /// Returns the changed rows that were not staged, or nil if there are none.
  ///
  /// A row with a changed key is recorded as one deletion and one insertion. A row that is deleted and inserted again is recorded as a
  /// change.
  fileprivate func rows(besides staged: ChangeCounts) -> RecordedTable? {
    var rest = self
    rest.alteration = nil
    rest.inserted -= staged.newRows
    rest.updated -= staged.updatedRows
    rest.deleted -= staged.deletedRows
    let moved = max(0, min(-rest.updated, rest.inserted, rest.deleted))
    let replaced = max(0, min(rest.updated, -rest.inserted, -rest.deleted))
    rest.inserted = max(0, rest.inserted - moved)
    rest.deleted = max(0, rest.deleted - moved)
    rest.updated = max(0, rest.updated - replaced)
    return rest.inserted + rest.updated + rest.deleted > 0 ? rest : nil
  }
}

extension ForeignKeySchema {
  /// Whether a change of the referenced row changes the referencing row.
  fileprivate var hasActions: Bool { [onDelete, onUpdate].contains { ["CASCADE", "SET NULL", "SET DEFAULT"].contains($0.uppercased()) } }
}

extension Database {
  /// Returns whether a table has triggers, including temporary ones.
  ///
  ///     SELECT count(*) FROM main.sqlite_schema WHERE type = 'trigger' AND tbl_name = 'Track' COLLATE NOCASE
  func hasTriggers(on table: TableReference) throws -> Bool {
    try [table.database, "temp"].contains { database in
      let sql: SQLText = """
        SELECT count(*) FROM \(identifier: database).sqlite_schema WHERE type = 'trigger' AND tbl_name = \(table.name) COLLATE NOCASE
        """
      return try Int.fetchOne(makeStatement(literal: sql)) != 0
    }
  }
}

extension ChangeCommit {
  /// Returns the result of the commit as far as it is known without a record.
  ///
  /// - Parameter changesBefore: The connection's number of row changes at the start of the commit.
  func summary(changesBefore: Int) throws -> CommitSummary {
    let written = Dictionary(tables.map { ($0.table, writtenCounts(of: $0)) }, uniquingKeysWith: { first, _ in first })
    let counts = written.values.reduce(into: ChangeCounts()) { $0 += $1 }
    var summary = CommitSummary(
      changed: counts.updatedRows, inserted: counts.newRows, deleted: counts.deletedRows, newKeys: newKeys)
    summary.written = written
    (summary.left, summary.partlyWritten, summary.changedInstead) = (kept.changes, kept.partlyWritten, kept.changedInstead)
    let own = tables.reduce(deletedOtherwise) { $0 + $1.countedRows }
    summary.sideEffects.isUncounted = database.totalChangesCount - changesBefore > own
    return summary
  }

  /// Returns the numbers of a table's staged rows that were written.
  private func writtenCounts(of writer: TableWriter) -> ChangeCounts {
    let (table, left) = (writer.table, kept.changes.counts(of: writer.table))
    var counts = writer.counts
    counts.updatedRows -= left.updatedRows - (kept.partlyWritten[table] ?? 0)
    counts.newRows -= left.newRows
    counts.deletedRows -= left.deletedRows + (kept.changedInstead[table] ?? 0)
    return counts
  }
}

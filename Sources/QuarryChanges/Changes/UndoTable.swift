internal import QuarryEngine

/// The undo of a commit's changes to one table.
struct UndoTable {
  private let table: LoggedTable
  private let reference: TableReference
  /// The current layout of the table, with the current column names.
  private let layout: RecordedLayout
  private let reader: RecordedRowReader
  /// The columns with unique values, or nil if any column may be unique, as in an index on an expression.
  private let uniqueColumns: Set<Int>?
  private let choices: UndoChoices
  /// Whether the rows are known to be unchanged since the commit, so that they need not be read.
  private let isUnchanged: Bool
  /// The names that renamed columns had at the commit, by their current names.
  private let formerNames: [String: String]

  /// Prepares the undo.
  ///
  /// - Parameters:
  ///   - name: The current name of the table.
  ///   - isComplete: Whether the table must still have all columns that it had at the commit.
  ///   - isUnchanged: Whether the rows are known to be unchanged since the commit.
  init(
    _ table: LoggedTable, named name: String, choices: UndoChoices, isComplete: Bool, isUnchanged: Bool = false, in db: Database
  ) throws {
    self.table = table
    self.choices = choices
    self.isUnchanged = isUnchanged
    reference = TableReference(name: name)
    layout = try RecordedLayout(of: reference, in: db)
    let hasColumns = !isComplete || layout.columns.count >= table.layout.columns.count
    guard !layout.columns.isEmpty, hasColumns, layout.hasColumnsInPlace(of: table.layout),
      (layout.rowIDName == nil) == (table.layout.rowIDName == nil)
    else {
      let sentence = layout.columns.isEmpty ? "the table is gone" : "the columns of the table have changed since"
      throw UndoRefusal([UndoConflict(table: table.name, key: nil, reason: .schema(sentence))])
    }
    let renamed = zip(layout.columns, table.layout.columns).filter { !$0.name.isSameIdentifier(as: $1.name) }
    formerNames = Dictionary(renamed.map { ($0.name, $1.name) }, uniquingKeysWith: { first, _ in first })
    reader = try RecordedRowReader(layout, of: reference, in: db)
    uniqueColumns = try layout.uniqueColumns(of: name, in: db)
  }

  /// Returns the undo without a look at the rows before, or nil if the rows must be read.
  ///
  /// Rows need not be read if the commit has updated cells that an UPDATE can restore independently of other rows and columns. The undo's
  /// connection runs no triggers and no foreign key actions.
  func cells(recordedBy recorder: ChangeRecorder, in db: Database) throws -> UndoCells? {
    guard table.isOnlyUpdated, let uniqueColumns, let saved = try recorder.cellsToSave(of: [reference], in: db)?.first
    else { return nil }
    return UndoCells(table, layout, unique: uniqueColumns, saving: saved, in: db)
  }

  /// The undo of the change of one row.
  enum Step {
    /// The row has its former values.
    case nothing
    /// The row has changed since, and remains unchanged.
    case keep(UndoConflict)
    case delete
    /// Writes these values, whether or not the row exists.
    case insert([RecordedValue])
    /// Restores the old values of these columns.
    ///
    /// Skips columns that no longer exist.
    case update([RecordedChange.Cell])
  }

  /// Finds the rows that have changed since the commit and whose conflicts are not resolved by a choice.
  ///
  /// - Parameter saved: Records the rows, which the undo is about to change.
  /// - Returns: The conflicts, and whether all rows are unchanged since the commit.
  func conflicts(_ log: Database, saving saved: SavedRows?, in db: Database) throws -> (unsolved: [UndoConflict], isUnchanged: Bool) {
    var conflicts: [UndoConflict] = []
    var isUnchanged = true
    var row = RecordedBytes()
    let rows = try RecordedRowScan(layout, of: reference, in: db)
    try table.forEachChange(log) { change in
      let isThere = try rows.read(change.key, into: &row)
      if isThere, let saved, case .rowID(let rowID) = change.key { try saved.save(row, of: rowID) }
      if try row.withUnsafeBytes({ try change.isLeft(in: isThere ? $0 : nil) }) { return true }
      isUnchanged = false
      if let conflict = try conflict(change, isThere ? row.values : nil).flatMap({ unsolved($0, change) }) { conflicts.append(conflict) }
      return conflicts.count < UndoTally.mostConflicts
    }
    return (conflicts, isUnchanged)
  }

  /// Returns the conflict that prevents the undo of a row, or nil if a choice resolves it.
  private func unsolved(_ conflict: UndoConflict, _ change: RecordedChange) -> UndoConflict? {
    switch choices.choice(for: conflict) {
    case .refuse: return conflict
    case .keep: return nil
    case .overwrite: return conflict.choices.contains(.overwrite) ? nil : unwritable(conflict)
    }
  }

  /// Returns the conflict with the reason why the old values cannot be restored to its row.
  private func unwritable(_ conflict: UndoConflict) -> UndoConflict {
    guard case .isChanged(let differences) = conflict.reason, let now = columnInDoubt(differences), let former = formerNames[now] else {
      return conflict
    }
    return UndoConflict(
      table: conflict.table, key: conflict.key,
      reason: .schema("\(now) and \(former) have different values and may be different columns, so \(now) is not overwritten"),
      resolvedBy: [.keep])
  }

  /// Returns a column that was renamed, or is a new column at the position of a dropped one and has unrelated values.
  private func columnInDoubt(_ differences: [UndoConflict.Difference]) -> String? {
    differences.map(\.column).first { formerNames[$0] != nil }
  }

  /// Reads a row into an existing buffer.
  ///
  /// Returns whether the row exists.
  private func read(_ key: RecordedRowKey, into row: inout RecordedBytes) throws -> Bool {
    guard try reader.read(key, into: &row) else { return false }
    return try layout.rowIDName != nil || reader.key(of: row.bytes) == key
  }

  private func conflict(_ change: RecordedChange, _ now: [RecordedValue]?) -> UndoConflict? {
    let reason: UndoConflict.Reason
    var choices: Set<UndoChoices.Choice>?
    switch (change.content, now) {
    case (.deleted, nil): return nil
    case (.inserted, nil):
      guard layout.isKeyless else { return nil }
      (reason, choices) = (Self.lost, [.keep])
    case (.inserted(let new), let now?):
      guard let differences = differences(Array(new.enumerated()), now) else { return nil }
      reason = .isChanged(differences)
    case (.deleted, .some):
      // Without a key it may be another row with the same values.
      if isUndone(change, now), !layout.isKeyless { return nil }
      reason = .isThere
    case (.updated, nil): (reason, choices) = (layout.isKeyless ? Self.lost : .isGone, [.keep])
    case (.updated(let cells), let now?):
      if isUndone(change, now) { return nil }
      guard let differences = differences(cells.map { ($0.column, $0.new) }, now) else { return nil }
      reason = .isChanged(differences)
      if columnInDoubt(differences) != nil { choices = [.keep] }
    }
    return UndoConflict(table: table.name, key: change.key.shown, reason: reason, resolvedBy: choices)
  }

  /// The reason that no row has the rowid of the row that the commit left, in a table whose rowids a VACUUM may change.
  private static let lost = UndoConflict.Reason.schema("the row is gone, or has another rowid since a VACUUM")

  /// Returns whether a row has its former values, so that nothing is left to undo.
  private func isUndone(_ change: RecordedChange, _ now: [RecordedValue]?) -> Bool {
    switch (change.content, now) {
    case (.inserted, let now): now == nil
    case (_, nil): false
    case (.deleted(let old), let now?): old[...] == now.prefix(old.count)
    case (.updated(let cells), let now?): cells.allSatisfy { !now.indices.contains($0.column) || now[$0.column] == $0.old }
    }
  }

  private func differences(_ expected: [(offset: Int, element: RecordedValue)], _ now: [RecordedValue]) -> [UndoConflict.Difference]? {
    // A column that the commit added may have been dropped since.
    let different = expected.filter { now.indices.contains($0.offset) && $0.element != now[$0.offset] }
    guard !different.isEmpty else { return nil }
    return different.map {
      UndoConflict.Difference(
        column: layout.columns[$0.offset].name, expected: $0.element.databaseValue, found: now[$0.offset].databaseValue)
    }
  }

  private func step(_ change: RecordedChange, _ now: [RecordedValue]?) -> Step {
    if isUnchanged { return unconditionalStep(change) }
    if let conflict = conflict(change, now), choices.choice(for: conflict) != .overwrite { return .keep(conflict) }
    return isUndone(change, now) ? .nothing : unconditionalStep(change)
  }

  private func unconditionalStep(_ change: RecordedChange) -> Step {
    switch change.content {
    case .inserted: .delete
    case .deleted(let old): .insert(old)
    case .updated(let cells): .update(cells)
    }
  }

  /// Restores the values before the commit.
  ///
  /// Rows that may conflict with unique values are deleted first and inserted last, because a unique value may move from one row to
  /// another.
  ///
  /// - Returns: The number of rows that were restored, and the conflicts of the others.
  func undo(_ log: Database, in db: Database) throws -> UndoTally {
    var tally = UndoTally()
    let writer = try UndoWriter(layout, columnCount: table.layout.columns.count, of: reference, in: db)
    let stash = RecordedRowStage()
    let (updated, deleted) = (0, 1)
    var row = RecordedBytes()
    try table.forEachChange(log) { change in
      let needsRow = !isUnchanged || mayTakeAnothersValue(change)
      let now = try needsRow && read(change.key, into: &row) ? row.values : nil
      let step = step(change, now)
      tally.count(step)
      switch step {
      case .nothing, .keep: break
      case .delete: try writer.delete(change.key)
      case .insert(let values):
        try stash.add(change.key, of: deleted) {
          $0.append(values); return true
        }
      case .update(let cells):
        // An UPDATE changes only the indexes of the updated columns. Another index may use a collation that is unknown here.
        if !mayTakeAnothersValue(change) {
          try writer.update(change.key, cells)
          break
        }
        guard var values = now else { break }
        for cell in cells where cell.isChange && values.indices.contains(cell.column) { values[cell.column] = cell.old }
        try stash.add(change.key, of: updated) {
          $0.append(values); return true
        }
      }
      return true
    }
    for rows in [updated, deleted] { try stash.forEach(of: rows) { key, _ in try writer.delete(key) } }
    // A deleted row that another row now prevents can be left out, so it comes last.
    for rows in [updated, deleted] {
      try stash.forEach(of: rows) { key, row in
        var bytes = RecordedBytesReader(row.map { Array($0) } ?? [])
        if let conflict = try insert(bytes.rest(), key, isDeleted: rows == deleted, by: writer, in: db) { tally.leaveOut(conflict) }
      }
    }
    return tally
  }

  /// Returns whether a change affects a unique value that another row may have until its own change is undone.
  private func mayTakeAnothersValue(_ change: RecordedChange) -> Bool {
    guard let uniqueColumns else { return true }
    guard case .updated(let cells) = change.content else { return !uniqueColumns.isEmpty }
    return cells.contains { $0.isChange && uniqueColumns.contains($0.column) }
  }

  /// Inserts a row, and returns the conflict if a constraint prevents this and the row may remain deleted.
  ///
  /// - Parameter isDeleted: Whether the row does not exist now.
  private func insert(
    _ values: [RecordedValue], _ key: RecordedRowKey, isDeleted: Bool, by writer: UndoWriter, in db: Database
  ) throws -> UndoConflict? {
    do {
      try writer.insert(key, values)
      return nil
    } catch let error as DatabaseError where error.resultCode == DatabaseError.SQLITE_CONSTRAINT {
      let reason = UndoConflict.Reason.schema(error.message)
      let conflict = UndoConflict(table: table.name, key: key.shown, reason: reason, resolvedBy: isDeleted ? [.keep] : [])
      // The constraint may have rolled back the transaction.
      guard db.isInsideTransaction, conflict.choices.contains(choices.choice(for: conflict)) else { throw UndoRefusal([conflict]) }
      return conflict
    }
  }
}

extension RecordedLayout {
  /// Returns the columns of a table with unique values, or nil if any column may be unique.
  ///
  ///     SELECT part.cid FROM pragma_index_list('Track') AS list, pragma_index_xinfo(list.name) AS part WHERE list."unique" AND part.key
  fileprivate func uniqueColumns(of table: String, in db: Database) throws -> Set<Int>? {
    let sql: SQLText = """
      SELECT part.cid, list.partial FROM pragma_index_list(\(table)) AS list, pragma_index_xinfo(list.name) AS part
      WHERE list."unique" AND part.key
      """
    var unique: Set<Int> = []
    for row in try Row.fetchAll(db.makeStatement(literal: sql)) {
      let (number, isPartial): (Int, Bool) = (try row[0], try row[1])
      // The rowid is the key itself.
      if number == -1 { continue }
      guard !isPartial, let column = numbers.firstIndex(of: number), !columns[column].isGenerated else { return nil }
      unique.insert(column)
    }
    return unique
  }
}

/// The number of rows that an undo has restored, and the conflicts of rows that it has not changed.
struct UndoTally {
  /// The maximum number of conflicts that are listed.
  static let mostConflicts = 10_000

  private(set) var restored = 0
  /// The first conflicts of rows, or of other things, that remain as they are.
  private(set) var kept: [UndoConflict] = []

  /// Counts the undo of a row.
  mutating func count(_ step: UndoTable.Step) {
    switch step {
    case .nothing: break
    case .keep(let conflict): keep(conflict)
    case .delete, .insert, .update: restored += 1
    }
  }

  /// Adds a conflict that was not resolved.
  mutating func keep(_ conflict: UndoConflict) {
    if kept.count < Self.mostConflicts { kept.append(conflict) }
  }

  /// Adds the conflict of a row that was counted as restored.
  mutating func leaveOut(_ conflict: UndoConflict) {
    restored -= 1
    keep(conflict)
  }

  static func += (tally: inout UndoTally, other: UndoTally) {
    tally.restored += other.restored
    for conflict in other.kept { tally.keep(conflict) }
  }
}

/// An error for an undo that has written nothing.
struct UndoRefusal: Error {
  var conflicts: [UndoConflict]

  init(_ conflicts: [UndoConflict]) {
    self.conflicts = conflicts
  }
}

extension RecordedBytes {
  /// The values.
  fileprivate var values: [RecordedValue] {
    get throws {
      var reader = RecordedBytesReader(bytes)
      return try reader.rest()
    }
  }

  /// Appends values.
  mutating func append(_ values: [RecordedValue]) {
    for value in values { append(value.bytes) }
  }
}

/// Writes single rows of a table by their keys.
final class UndoWriter {
  private let layout: RecordedLayout
  private let table: SQLText
  private let db: Database
  /// The prepared DELETE and INSERT, once needed.
  ///
  /// Both change every index, and an index may use a collation that is unknown here.
  private var deletion: Statement?
  private var insertion: Statement?
  private let deletionSQL: SQLText
  private let insertionSQL: SQLText
  private let columns: [Int]
  private let writable: Set<Int>
  /// The UPDATE of the latest columns.
  ///
  /// Most rows are changed in the same columns.
  ///
  /// Unchecked: nothing here calls out while it changes.
  @exclusivity(unchecked) private var latest: (columns: [Int], statement: Statement)?

  /// Creates the writer of a table.
  ///
  ///     DELETE FROM main.Track WHERE "TrackId" = ?
  ///     INSERT INTO main.Track("TrackId", "Name") VALUES (?, ?)
  ///
  /// - Parameter columnCount: The number of columns to write. Columns that were added later get their defaults.
  init(_ layout: RecordedLayout, columnCount: Int, of reference: TableReference, in db: Database) throws {
    self.layout = layout
    self.db = db
    table = reference.sqlText
    deletionSQL = "DELETE FROM \(table) WHERE \(layout.keyCondition)"
    writable = Set(layout.writableColumns)
    columns = layout.writableColumns.filter { $0 < columnCount }
    let names = layout.names(withRowIDAnd: columns)
    let places = names.map { _ in "?" as SQLText }
    insertionSQL = "INSERT INTO \(table)(\(names.joined(by: ", "))) VALUES (\(places.joined(by: ", ")))"
  }

  /// Deletes a row.
  func delete(_ key: RecordedRowKey) throws {
    let deletion = try self.deletion ?? db.makeStatement(sql: deletionSQL.sql)
    self.deletion = deletion
    try deletion.reset()
    try key.bind(to: deletion)
    while try deletion.step() {}
    try deletion.reset()
  }

  /// Inserts a row with all of its values.
  func insert(_ key: RecordedRowKey, _ values: [RecordedValue]) throws {
    let insertion = try self.insertion ?? db.makeStatement(sql: insertionSQL.sql)
    self.insertion = insertion
    try insertion.reset()
    var index = 1
    if case .rowID(let rowID) = key {
      try insertion.bindInteger(rowID, at: 1)
      index = 2
    }
    for column in columns {
      try (values.indices.contains(column) ? values[column] : .null).bind(to: insertion, at: index)
      index += 1
    }
    while try insertion.step() {}
    try insertion.reset()
  }

  /// Restores the old values of columns of a row.
  ///
  ///     UPDATE main.Track SET "Name" = ? WHERE "TrackId" = ?
  func update(_ key: RecordedRowKey, _ cells: [RecordedChange.Cell]) throws {
    let isWritten = { (cell: RecordedChange.Cell) in cell.isChange && self.writable.contains(cell.column) }
    // The columns that identify a row are recorded even if they are unchanged.
    let cells = cells.allSatisfy(isWritten) ? cells : cells.filter(isWritten)
    guard !cells.isEmpty else { return }
    let statement = try updating(cells)
    try statement.reset()
    for (index, cell) in cells.enumerated() { try cell.old.bind(to: statement, at: index + 1) }
    try key.bind(to: statement, from: cells.count + 1)
    while try statement.step() {}
    statement.rewind()
  }

  private func updating(_ cells: [RecordedChange.Cell]) throws -> Statement {
    if let latest, latest.columns.elementsEqual(cells.lazy.map(\.column)) { return latest.statement }
    let columns = cells.map(\.column)
    let assignments = columns.map { "\(identifier: layout.columns[$0].name) = ?" as SQLText }.joined(by: ", ")
    let statement = try db.cachedStatement(sql: ("UPDATE \(table) SET \(assignments) WHERE \(layout.keyCondition)" as SQLText).sql)
    latest = (columns, statement)
    return statement
  }
}

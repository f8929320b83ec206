internal import QuarryEngine

/// The table of a merge: its changes from BASE to THEIRS, and its columns in MINE.
struct MergedTable: Sendable {
  let patch: RowPatch
  /// The name of the table.
  var name: String { patch.table.name }
  /// The names of the key and of the columns in MINE, or nil for missing columns.
  let mine: [String?]
  let schema: TableSchema?
  /// Whether rows have a rowid that is no column, which no other row can refer to.
  let hasHiddenRowID: Bool
  /// Whether the key is the rowid, so that new rows of THEIRS can get other keys.
  let isNumbered: Bool
  /// The first number for new rows of THEIRS whose keys are taken, or nil if no row gets another key.
  let firstNumber: Int64?
  /// The positions of the columns that refer to the key of another table, with its name in lowercase.
  let references: [(place: Int, table: String)]
}

/// The new keys of rows of THEIRS whose keys MINE has given to other rows.
final class RenumberedKeys {
  /// The new keys by the keys in THEIRS, by the names of the tables in lowercase.
  private var numbers: [String: [Int64: Int64]] = [:]

  /// Returns the new key of a row, which is always the same.
  func number(of key: Int64, in table: String, from first: Int64) -> Int64? {
    if let number = numbers[table]?[key] { return number }
    let (number, overflows) = first.addingReportingOverflow(Int64(numbers[table]?.count ?? 0))
    if overflows { return nil }
    numbers[table, default: [:]][key] = number
    return number
  }

  /// Returns the new key of a row that has one.
  func known(_ value: StoredValue, in table: String) -> StoredValue? {
    guard case .value(.integer(let key)) = value else { return nil }
    return numbers[table]?[key].map { .value(.integer($0)) }
  }
}

/// The changes of rows from BASE to THEIRS, merged with the rows of MINE.
struct MergedRows: PatchRows {
  let merge: DatabaseMerge
  let diff: DatabaseDiff
  let states: (DiffState, DiffState)
  let tables: [String: MergedTable]
  /// The new keys, or nil if such keys are conflicts.
  let renumbered: RenumberedKeys?
  /// Called with each conflict.
  let report: (MergeConflict) -> Void
  let progress: (_ table: String, _ rows: Int) -> Void
  /// Counts what shows that BASE is not the ancestor.
  var tally: MergeTally?

  func differences(of table: DiffTable, _ body: ([RowDifference]) async throws -> Void) async throws {
    guard let merged = tables[table.name.asciiLowercased] else { return }
    var forced = forcedRows(of: merged)
    var renumbers = false
    func add(_ change: RowDifference?, to changes: inout [RowDifference]) {
      guard var change else { return }
      // SQLite gives a row the next free rowid, which later rows of THEIRS may have.
      if merged.hasHiddenRowID, change.old == nil {
        renumbers = renumbers || change.isRenumbered
        change.isRenumbered = renumbers
      }
      changes.append(change)
    }
    _ = try await diff.differences(of: table, since: states, { progress(table.name, $0) }) { found in
      var changes: [RowDifference] = []
      for difference in found.map({ referring($0, merged) }) {
        if !forced.isEmpty { forced.remove(id(of: difference, merged)) }
        add(try await change(difference, merged), to: &changes)
      }
      if !changes.isEmpty { try await body(changes) }
    }
    // THEIRS did not change these rows.
    var changes: [RowDifference] = []
    for row in forced { add(try await theirVersion(row.key, merged), to: &changes) }
    if !changes.isEmpty { try await body(changes) }
  }

  // MARK: Settled rows

  private func id(of difference: RowDifference, _ table: MergedTable) -> MergedRowID {
    MergedRowID(table.name, difference.key.map(\.value), by: table.patch.table.key)
  }

  /// The rows of a table that become those of THEIRS.
  private func forcedRows(of table: MergedTable) -> Set<MergedRowID> {
    if merge.settlements.isEmpty { return [] }
    return Set(merge.settlements.lazy.filter { $0.value == .theirs && $0.key.table == table.name.asciiLowercased }.map(\.key))
  }

  /// Returns the change that makes a row of MINE the one of THEIRS.
  private func theirVersion(_ key: [StoredValue], _ table: MergedTable) async throws -> RowDifference? {
    let (diff, names) = (table.patch.table, table.patch.table.names)
    let parts = zip(names, key).map { (column: $0, value: $1) }
    let own = try await row(parts, table.mine, table.schema, of: merge.mine)
    let isTheirs = table.hasHiddenRowID ? try await isOfBase(parts, diff) : true
    let other = diff.key.names(in: diff.after).map(Optional.some) + diff.columns.map(\.to)
    let theirs = isTheirs ? try await row(parts, other, diff.after, of: merge.theirs) : nil
    return RowDifference(table, parts, old: own, new: theirs)
  }

  /// Whether BASE has a row, so that the row of THEIRS with the same rowid is the same row.
  private func isOfBase(_ key: [(column: String, value: StoredValue)], _ table: DiffTable) async throws -> Bool {
    try await row(key, table.key.names(in: table.before), table.before, of: merge.base) != nil
  }

  // MARK: Changes

  /// Returns the change of MINE for a change from BASE to THEIRS, or nil if MINE does not change.
  private func change(_ difference: RowDifference, _ table: MergedTable) async throws -> RowDifference? {
    if table.patch.table.key.kind == .wholeRows { return try await wholeRows(difference, table) }
    let side = merge.settlements.isEmpty ? nil : merge.settlements[id(of: difference, table)]
    if side == .mine { return nil }
    let row = try await row(difference.key, table.mine, table.schema, of: merge.mine)
    if side == .theirs { return RowDifference(table, difference.key, old: row, new: difference.new) }
    guard let theirs = difference.new else { return try removed(difference, row, table) }
    guard let base = difference.old else { return try added(theirs, row, difference, table) }
    guard let row else {
      // MINE deleted a row that THEIRS changed.
      if settled(.deleted, difference, table, base: nil, mine: "deleted", theirs: "changed") != .side(.theirs) { return nil }
      return RowDifference(table, difference.key, old: nil, new: theirs)
    }
    return RowDifference(table, difference.key, old: row, new: merged(base, row, theirs, difference, table))
  }

  // MARK: Rows

  /// Merges a row that all three have, cell by cell.
  private func merged(
    _ base: [StoredValue], _ row: [StoredValue], _ theirs: [StoredValue], _ difference: RowDifference, _ table: MergedTable
  ) -> [StoredValue] {
    let names = table.patch.table.names
    var result = row
    for index in names.indices where base[index] != theirs[index] && row[index] != theirs[index] {
      let isMissing = table.mine[index] == nil && !table.patch.isRemade
      guard row[index] != base[index] || isMissing else {
        result[index] = theirs[index]
        continue
      }
      let decision = settled(
        .cell, difference, table, column: names[index], base: base[index], mine: isMissing ? nil : row[index], theirs: theirs[index])
      switch decision {
      case .side(.theirs): result[index] = theirs[index]
      case .value(let value): result[index] = value
      case .side(.mine), .renumber, nil: break
      }
    }
    return result
  }

  /// Merges a row that THEIRS deleted.
  private func removed(_ difference: RowDifference, _ row: [StoredValue]?, _ table: MergedTable) throws -> RowDifference? {
    guard let row, let base = difference.old else {
      tally?.addGone()
      return nil
    }
    let isUnchanged = row.indices.allSatisfy { table.mine[$0] == nil || row[$0] == base[$0] }
    if !isUnchanged, settled(.deleted, difference, table, base: nil, mine: "changed", theirs: "deleted") != .side(.theirs) {
      return nil
    }
    return RowDifference(table, difference.key, old: row, new: nil)
  }

  /// Merges a row that is new in THEIRS.
  private func added(
    _ theirs: [StoredValue], _ row: [StoredValue]?, _ difference: RowDifference, _ table: MergedTable
  ) throws -> RowDifference? {
    guard let row else { return RowDifference(table, difference.key, old: nil, new: theirs) }
    let places = row.indices.filter { row[$0] != theirs[$0] && (table.mine[$0] != nil || table.patch.isRemade) }
    if !table.hasHiddenRowID { tally?.addCommon() }
    if places.isEmpty { return nil }
    if table.hasHiddenRowID {
      // Both rows are new: only their rowids are the same.
      var change = RowDifference(table, difference.key, old: nil, new: theirs)
      change?.isRenumbered = true
      return change
    }
    if merge.renumbers, let new = renumbered(theirs, table) { return RowDifference(table, difference.key, old: nil, new: new) }
    let (mine, others) = (text(of: row, places, table), text(of: theirs, places, table))
    switch settled(.key, difference, table, base: nil, mine: mine, theirs: others) {
    case .side(.theirs): return RowDifference(table, difference.key, old: row, new: theirs)
    case .renumber: return renumbered(theirs, table).flatMap { RowDifference(table, difference.key, old: nil, new: $0) }
    case .side(.mine), .value, nil: return nil
    }
  }

  /// Returns a new row of THEIRS with another key, or nil if it keeps its key.
  private func renumbered(_ row: [StoredValue], _ table: MergedTable) -> [StoredValue]? {
    guard let renumbered, let first = table.firstNumber, case .value(.integer(let key)) = row[0] else { return nil }
    guard let number = renumbered.number(of: key, in: table.name.asciiLowercased, from: first) else { return nil }
    return [.value(.integer(number))] + row.dropFirst()
  }

  /// Returns a change of THEIRS that refers to the new keys of rows.
  private func referring(_ difference: RowDifference, _ table: MergedTable) -> RowDifference {
    guard let renumbered, let new = difference.new else { return difference }
    var result = difference
    for (place, parent) in table.references where difference.old?[place] != new[place] {
      guard let key = renumbered.known(new[place], in: parent) else { continue }
      result.new?[place] = key
      if result.key.indices.contains(place) { result.key[place].value = key }
    }
    return result
  }

  private func text(of row: [StoredValue], _ places: [Int], _ table: MergedTable) -> StoredValue {
    let names = table.patch.table.names
    return .value(.text(places.map { "\(names[$0]) = \(row[$0].databaseValue.shortLiteral)" }.joined(separator: ", ")))
  }

  /// Merges the number of equal rows.
  private func wholeRows(_ difference: RowDifference, _ table: MergedTable) async throws -> RowDifference? {
    guard let values = difference.new ?? difference.old, let schema = table.schema else { return difference }
    let condition = table.patch.condition(values)
    let sql: SQLText = "SELECT count(*) FROM \(schema.entry.reference.sqlText) WHERE \(condition)"
    guard case .value(.integer(let count))? = try await merge.mine.rows(sql, width: 1).first?.first else { return nil }
    let (base, own, theirs) = (difference.counts.old, Int(count), difference.counts.new)
    let result = own == theirs || own == base ? theirs : max(0, own + theirs - base)
    guard result != own else { return nil }
    var change = difference
    change.counts = (own, result)
    change.change = result > own ? .added : .removed
    (change.old, change.new) = (own > 0 ? values : nil, result > 0 ? values : nil)
    return change
  }

  /// Reads the row of a side with a key.
  ///
  /// - Parameter names: The names of the key and of the columns, or nil for columns that the side does not have.
  private func row(
    _ key: [(column: String, value: StoredValue)], _ names: [String?], _ schema: TableSchema?, of side: any DiffSide
  ) async throws -> [StoredValue]? {
    guard let schema else { return nil }
    let values = names.map { name -> SQLText in name.map { "\(identifier: $0)" } ?? "NULL" }
    let keys = zip(names, key).map { name, part -> SQLText in
      name.map { "\(identifier: $0) IS \(part.value.sqlText)" } ?? "0"
    }
    let sql: SQLText = """
      SELECT \(values.joined(by: ", ")) FROM \(schema.entry.reference.sqlText) WHERE \(keys.joined(by: " AND ")) LIMIT 1
      """
    return try await side.rows(sql, width: values.count).first
  }

  // MARK: Conflicts

  /// Returns the decision of a conflict, or reports the conflict and returns nil.
  private func settled(
    _ kind: MergeConflict.Kind, _ difference: RowDifference, _ table: MergedTable, column: String? = nil, base: StoredValue?,
    mine: StoredValue?, theirs: StoredValue?
  ) -> MergeDecision? {
    var conflict = MergeConflict(kind, table.name, key: difference.key, column: column, base: base, mine: mine, theirs: theirs)
    if let decision = merge.decision(of: conflict) { return decision }
    conflict.canRenumber = kind == .key && table.isNumbered
    report(conflict)
    return nil
  }
}

extension RowDifference {
  /// Creates the change of a row of MINE, or returns nil if it does not change.
  fileprivate init?(_ table: MergedTable, _ key: [(column: String, value: StoredValue)], old: [StoredValue]?, new: [StoredValue]?) {
    guard old != new else { return nil }
    let names = table.patch.table.names
    let cells = names.indices.compactMap { index -> Cell? in
      old?[index] == new?[index] ? nil : Cell(column: names[index], from: old?[index], to: new?[index])
    }
    self.init(
      table: table.name, key: key, change: old == nil ? .added : new == nil ? .removed : .changed, cells: cells, old: old, new: new)
  }
}

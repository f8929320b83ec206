internal import Libc
internal import QuarryEngine

/// The change of one row by a commit: its old and new values.
package struct RecordedChange: Hashable, Sendable {
  var key: RecordedRowKey
  var content: Content

  enum Content: Hashable, Sendable {
    /// The row was inserted with these values.
    case inserted([RecordedValue])
    /// Columns of the row were updated, by their numbers.
    case updated([Cell])
    /// The row with these values was deleted.
    case deleted([RecordedValue])
  }

  /// A column with a changed value, or an unchanged column that identifies the row.
  struct Cell: Hashable, Sendable {
    var column: Int
    var old: RecordedValue
    var new: RecordedValue

    /// Whether the value has changed.
    var isChange: Bool { old != new }
  }

  /// The kind of change.
  var operation: RowChangeKind {
    switch content {
    case .inserted: .insert
    case .updated: .update
    case .deleted: .delete
    }
  }
}

extension RecordedChange {
  /// Reads the next change.
  package init(from reader: inout RecordedBytesReader) throws(RecordDamage) {
    let code = try reader.byte()
    let key = try reader.value()
    if key.isNull {
      self.key = .values(try reader.bytes(reader.count()))
    } else if case .integer(let rowID) = key.databaseValue {
      self.key = .rowID(rowID)
    } else {
      throw RecordDamage()
    }
    let count = try reader.count()
    switch code {
    case 1: content = .inserted(try reader.values(count))
    case 3: content = .deleted(try reader.values(count))
    case 2:
      var cells: [Cell] = []
      for _ in 0..<count { cells.append(Cell(column: try reader.count(), old: try reader.value(), new: try reader.value())) }
      content = .updated(cells)
    default: throw RecordDamage()
    }
  }

  /// Returns the change as shown in a list.
  func shown(in layout: RecordedLayout) -> RecordedRow {
    func name(_ index: Int) -> String { layout.columns.indices.contains(index) ? layout.columns[index].name : "?" }
    let columns: [RecordedColumn] =
      switch content {
      case .inserted(let values): values.enumerated().map { RecordedColumn(name: name($0), old: nil, new: $1.databaseValue) }
      case .deleted(let values): values.enumerated().map { RecordedColumn(name: name($0), old: $1.databaseValue, new: nil) }
      case .updated(let cells):
        cells.filter(\.isChange).map { RecordedColumn(name: name($0.column), old: $0.old.databaseValue, new: $0.new.databaseValue) }
      }
    return RecordedRow(table: layout.name, key: key.shown, operation: operation, columns: columns)
  }
}

extension RecordedBytes {
  /// Appends the change of a row, determined by comparing its old and new values, in the format of ``RecordedChange``.
  ///
  /// - Parameters:
  ///   - before: The values of the row before the commit, or nil if it did not exist.
  ///   - after: The values after the commit, or nil if it does not exist.
  ///   - identity: The columns that identify the row and are appended even if unchanged. If one of them is NULL, all columns are appended.
  /// - Returns: The kind of change. Nil if the row has not changed, and nothing is appended.
  mutating func appendChange(
    of key: RecordedRowKey, before: UnsafeRawBufferPointer?, after: UnsafeRawBufferPointer?, _ identity: Set<Int> = []
  ) throws(RecordDamage) -> RowChangeKind? {
    switch (before, after) {
    case (nil, nil): return nil
    case (nil, let after?):
      try appendRow(after, of: key, code: 1)
      return .insert
    case (let before?, nil):
      try appendRow(before, of: key, code: 3)
      return .delete
    case (let before?, let after?):
      if before.isSame(as: after) { return nil }
      appendHead(2, key)
      if identity.isEmpty { return try appendOnlyDifference(before, after) ? .update : appendDifferences(before, after) { _ in false } }
      var isWhole = false
      try Self.forEachDifference(before, after, always: { identity.contains($0) }) { column, old, _ in
        if identity.contains(column), Self.isNull(old) { isWhole = true }
      }
      return try appendDifferences(before, after) { isWhole || identity.contains($0) }
    }
  }

  /// Appends the number and the values of the only column that differs between two rows.
  ///
  /// Returns false, and appends nothing, if several columns differ.
  private mutating func appendOnlyDifference(
    _ before: UnsafeRawBufferPointer, _ after: UnsafeRawBufferPointer
  ) throws(RecordDamage) -> Bool {
    var only: (column: Int, old: UnsafeRawBufferPointer, new: UnsafeRawBufferPointer)?
    var count = 0
    try Self.forEachDifference(before, after, always: { _ in false }) { column, old, new in
      only = (column, old, new)
      count += 1
    }
    guard count == 1, let only else { return false }
    append(count: 1)
    append(only)
    return true
  }

  private mutating func appendDifferences(
    _ before: UnsafeRawBufferPointer, _ after: UnsafeRawBufferPointer, always isWanted: (Int) -> Bool
  ) throws(RecordDamage) -> RowChangeKind {
    var count = 0
    try Self.forEachDifference(before, after, always: isWanted) { _, _, _ in count += 1 }
    append(count: count)
    try Self.forEachDifference(before, after, always: isWanted) { append(($0, $1, $2)) }
    return .update
  }

  private mutating func append(_ difference: (column: Int, old: UnsafeRawBufferPointer, new: UnsafeRawBufferPointer)) {
    append(count: difference.column)
    append(difference.old)
    append(difference.new)
  }

  private mutating func appendHead(_ code: UInt8, _ key: RecordedRowKey) {
    append(byte: code)
    switch key {
    case .rowID(let rowID): append(BorrowedValue.integer(rowID))
    case .values(let key):
      append(BorrowedValue.null)
      append(count: key.count)
      append(key)
    }
  }

  private mutating func appendRow(_ row: UnsafeRawBufferPointer, of key: RecordedRowKey, code: UInt8) throws(RecordDamage) {
    appendHead(code, key)
    var (count, end) = (0, 0)
    while end < row.count {
      end = try Self.end(ofValueAt: end, in: row)
      count += 1
    }
    append(count: count)
    append(row)
  }

  /// Calls `body` with the number and the values of each column that differs between two rows, or that is always included.
  @inline(__always)
  private static func forEachDifference(
    _ before: UnsafeRawBufferPointer, _ after: UnsafeRawBufferPointer, always isWanted: (Int) -> Bool,
    _ body: (Int, UnsafeRawBufferPointer, UnsafeRawBufferPointer) -> Void
  ) throws(RecordDamage) {
    var (column, start, newStart) = (0, 0, 0)
    while start < before.count, newStart < after.count {
      let (end, newEnd) = (try end(ofValueAt: start, in: before), try end(ofValueAt: newStart, in: after))
      let (old, new) = (UnsafeRawBufferPointer(rebasing: before[start..<end]), UnsafeRawBufferPointer(rebasing: after[newStart..<newEnd]))
      if isWanted(column) || !old.isSame(as: new) { body(column, old, new) }
      (column, start, newStart) = (column + 1, end, newEnd)
    }
  }
}

extension RecordedChange {
  /// Returns whether a row is unchanged since the change.
  ///
  /// Nil means a row that does not exist.
  func isLeft(in row: UnsafeRawBufferPointer?) throws(RecordDamage) -> Bool {
    switch (content, row) {
    case (.deleted, let row): return row == nil
    case (_, nil): return false
    case (.inserted(let values), let row?): return try Self.has(row, values.lazy.enumerated().map { ($0, $1) })
    case (.updated(let cells), let row?): return try Self.has(row, cells.lazy.map { ($0.column, $0.new) })
    }
  }

  /// Returns whether a row has these values in these columns, which are in ascending order.
  private static func has(
    _ row: UnsafeRawBufferPointer, _ values: some Sequence<(Int, RecordedValue)>
  ) throws(RecordDamage) -> Bool {
    var (column, start) = (0, 0)
    for (wanted, value) in values {
      while column < wanted, start < row.count {
        start = try RecordedBytes.end(ofValueAt: start, in: row)
        column += 1
      }
      guard start < row.count else { return false }
      let end = try RecordedBytes.end(ofValueAt: start, in: row)
      let isSame = value.bytes.withUnsafeBytes { $0.isSame(as: UnsafeRawBufferPointer(rebasing: row[start..<end])) }
      guard isSame else { return false }
      (column, start) = (column + 1, end)
    }
    return true
  }
}

extension UnsafeRawBufferPointer {
  /// Returns whether the bytes are equal to other bytes.
  fileprivate func isSame(as other: UnsafeRawBufferPointer) -> Bool {
    guard count == other.count else { return false }
    guard let start = baseAddress, let otherStart = other.baseAddress else { return true }
    return memcmp(start, otherStart, count) == 0
  }
}

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
    if let rowID = reader.integer() {
      key = .rowID(rowID)
    } else if try reader.value().isNull {
      key = .values(try reader.bytes(reader.count()))
    } else {
      throw RecordDamage()
    }
    let count = try reader.count()
    switch RecordedBytes.ChangeCode(rawValue: code) {
    case .insert: content = .inserted(try reader.values(count))
    case .delete: content = .deleted(try reader.values(count))
    case .update:
      var cells: [Cell] = []
      for _ in 0..<count { cells.append(Cell(column: try reader.count(), old: try reader.value(), new: try reader.value())) }
      content = .updated(cells)
    case nil: throw RecordDamage()
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

/// A cell of an updated row in the bytes of a record: its column, and its encoded values before and after the commit.
struct RecordedCell {
  let column: Int
  let old: UnsafeRawBufferPointer
  let new: UnsafeRawBufferPointer

  /// Reads the update of a row with a rowid, and moves the index after it.
  ///
  /// - Parameter cells: Memory for the cells, which are replaced.
  /// - Returns: The rowid of the row.
  /// - Throws: ``RecordDamage`` for any other change.
  static func readUpdate(
    at index: inout Int, in bytes: UnsafeRawBufferPointer, into cells: inout [RecordedCell]
  ) throws(RecordDamage) -> Int64 {
    guard bytes.count - index >= 10, bytes[index] == RecordedBytes.ChangeCode.update.rawValue,
      bytes[index + 1] == RecordedBytes.Tag.integer.rawValue
    else { throw RecordDamage() }
    let rowID = Int64(bitPattern: UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: index + 2, as: UInt64.self)))
    index += 10
    cells.removeAll(keepingCapacity: true)
    for _ in 0..<(try RecordedBytes.number(at: &index, in: bytes)) {
      let column = try RecordedBytes.number(at: &index, in: bytes)
      let middle = try RecordedBytes.end(ofValueAt: index, in: bytes)
      let end = try RecordedBytes.end(ofValueAt: middle, in: bytes)
      let old = UnsafeRawBufferPointer(rebasing: bytes[index..<middle])
      cells.append(RecordedCell(column: column, old: old, new: UnsafeRawBufferPointer(rebasing: bytes[middle..<end])))
      index = end
    }
    return rowID
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
    of key: RecordedRowKey, before: UnsafeRawBufferPointer?, after: UnsafeBufferPointer<BorrowedValue>?, _ identity: Set<Int> = []
  ) throws(RecordDamage) -> RowChangeKind? {
    switch (before, after) {
    case (nil, nil): return nil
    case (nil, let after?):
      appendHead(.insert, key)
      append(count: after.count)
      append(after)
      return .insert
    case (let before?, nil):
      try appendDeletedRow(before, of: key)
      return .delete
    case (let before?, let after?):
      var (count, only) = (0, Difference?.none)
      try Self.forEachDifference(before, after, always: { _ in false }) { difference in
        count += 1
        only = difference
      }
      guard count > 0 else { return nil }
      appendHead(.update, key)
      if identity.isEmpty, count == 1, let only {
        append(count: 1)
        append(only)
      } else {
        try appendDifferences(before, after, count, identity)
      }
      return .update
    }
  }

  /// Appends the update of a row of which only some cells can have changed.
  ///
  /// - Parameters:
  ///   - cells: The number of the column and the value before the commit of each of these cells.
  ///   - after: The values after the commit.
  ///   - columns: The columns of the values after the commit.
  /// - Returns: Nil if the row has not changed, and nothing is appended.
  mutating func appendUpdate(
    of key: RecordedRowKey, cells: UnsafeRawBufferPointer?, after: UnsafeBufferPointer<BorrowedValue>?, in columns: [Int]
  ) throws(RecordDamage) -> RowChangeKind? {
    // The preupdate hook has refused all other changes.
    guard let cells, let after else { throw RecordDamage() }
    var (count, only) = (0, Difference?.none)
    try Self.forEachDifference(cells, after, in: columns) { difference in
      count += 1
      only = difference
    }
    guard count > 0 else { return nil }
    if count == 1, let only, case .rowID(let rowID) = key {
      appendUpdate(of: rowID, only.column, from: only.old, to: only.new)
    } else {
      appendHead(.update, key)
      append(count: count)
      try Self.forEachDifference(cells, after, in: columns) { append($0) }
    }
    return .update
  }

  /// Calls `body` with each cell that differs from the value in its column.
  @inline(__always)
  private static func forEachDifference(
    _ cells: UnsafeRawBufferPointer, _ after: UnsafeBufferPointer<BorrowedValue>, in columns: [Int], _ body: (Difference) -> Void
  ) throws(RecordDamage) {
    var start = 0
    while start < cells.count {
      let column = try number(at: &start, in: cells)
      let end = try end(ofValueAt: start, in: cells)
      guard let place = columns.firstIndex(of: column), place < after.count else { throw RecordDamage() }
      let old = UnsafeRawBufferPointer(rebasing: cells[start..<end])
      if !isValue(old, after[place]) { body((column, old, after[place])) }
      start = end
    }
  }

  /// A column with its values before and after a commit.
  private typealias Difference = (column: Int, old: UnsafeRawBufferPointer, new: BorrowedValue)

  private mutating func appendDifferences(
    _ before: UnsafeRawBufferPointer, _ after: UnsafeBufferPointer<BorrowedValue>, _ count: Int, _ identity: Set<Int>
  ) throws(RecordDamage) {
    guard !identity.isEmpty else {
      append(count: count)
      return try Self.forEachDifference(before, after, always: { _ in false }) { append($0) }
    }
    var isWhole = false
    try Self.forEachDifference(before, after, always: { identity.contains($0) }) { column, old, _ in
      if identity.contains(column), Self.isNull(old) { isWhole = true }
    }
    let isAppended = { (column: Int) in isWhole || identity.contains(column) }
    var count = 0
    try Self.forEachDifference(before, after, always: isAppended) { _ in count += 1 }
    append(count: count)
    try Self.forEachDifference(before, after, always: isAppended) { append($0) }
  }

  private mutating func append(_ difference: Difference) {
    append(count: difference.column)
    append(difference.old)
    append(difference.new)
  }

  private mutating func appendHead(_ code: ChangeCode, _ key: RecordedRowKey) {
    append(byte: code.rawValue)
    switch key {
    case .rowID(let rowID): append(BorrowedValue.integer(rowID))
    case .values(let key):
      append(BorrowedValue.null)
      append(count: key.count)
      append(key)
    }
  }

  private mutating func appendDeletedRow(_ row: UnsafeRawBufferPointer, of key: RecordedRowKey) throws(RecordDamage) {
    appendHead(.delete, key)
    var (count, end) = (0, 0)
    while end < row.count {
      end = try Self.end(ofValueAt: end, in: row)
      count += 1
    }
    append(count: count)
    append(row)
  }

  /// Calls `body` with each column that differs between two rows, or that is always included.
  @inline(__always)
  private static func forEachDifference(
    _ before: UnsafeRawBufferPointer, _ after: UnsafeBufferPointer<BorrowedValue>, always isWanted: (Int) -> Bool,
    _ body: (Difference) -> Void
  ) throws(RecordDamage) {
    var (column, start) = (0, 0)
    while start < before.count, column < after.count {
      let end = try end(ofValueAt: start, in: before)
      let old = UnsafeRawBufferPointer(rebasing: before[start..<end])
      if isWanted(column) || !isValue(old, after[column]) { body((column, old, after[column])) }
      (column, start) = (column + 1, end)
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
      let isSame = value.bytes.withUnsafeBytes { $0.hasSameBytes(as: UnsafeRawBufferPointer(rebasing: row[start..<end])) }
      guard isSame else { return false }
      (column, start) = (column + 1, end)
    }
    return true
  }
}

/// What a commit has done to one row: what was there, and what it has left.
struct RecordedChange: Hashable, Sendable {
  var key: RecordedRowKey
  var content: Content

  enum Content: Hashable, Sendable {
    /// The row is new, with these values.
    case inserted([RecordedValue])
    /// Columns of the row have other values, by their numbers.
    case updated([Cell])
    /// The row is gone that had these values.
    case deleted([RecordedValue])
  }

  /// A column whose value has changed.
  struct Cell: Hashable, Sendable {
    var column: Int
    var old: RecordedValue
    var new: RecordedValue
  }

  /// What has happened to the row.
  var operation: RowChangeKind {
    switch content {
    case .inserted: .insert
    case .updated: .update
    case .deleted: .delete
    }
  }

  /// The change that takes this one back.
  var inverse: RecordedChange {
    let content: Content =
      switch content {
      case .inserted(let values): .deleted(values)
      case .deleted(let values): .inserted(values)
      case .updated(let cells): .updated(cells.map { Cell(column: $0.column, old: $0.new, new: $0.old) })
      }
    return RecordedChange(key: key, content: content)
  }
}

extension RecordedChange {
  /// Compares a row as it was with the same as it is; nil where nothing has changed.
  init?(_ key: RecordedRowKey, before: [UInt8]?, after: [UInt8]?) throws(RecordDamage) {
    guard before != after else { return nil }
    self.key = key
    func values(_ row: [UInt8]) throws(RecordDamage) -> [RecordedValue] {
      var reader = RecordedBytesReader(row)
      return try reader.rest()
    }
    switch (before, after) {
    case (nil, let after?): content = .inserted(try values(after))
    case (let before?, nil): content = .deleted(try values(before))
    case (let before?, let after?):
      let (old, new) = (try values(before), try values(after))
      content = .updated(zip(old, new).enumerated().filter { $1.0 != $1.1 }.map { Cell(column: $0, old: $1.0, new: $1.1) })
    case (nil, nil): return nil
    }
  }

  /// Writes the change behind others.
  func write(to bytes: inout RecordedBytes) {
    switch content {
    case .inserted: bytes.append(byte: 1)
    case .updated: bytes.append(byte: 2)
    case .deleted: bytes.append(byte: 3)
    }
    switch key {
    case .rowID(let rowID): bytes.append(BorrowedValue.integer(rowID))
    case .values(let key):
      bytes.append(BorrowedValue.null)
      bytes.append(count: key.count)
      bytes.append(key)
    }
    switch content {
    case .inserted(let values), .deleted(let values):
      bytes.append(count: values.count)
      for value in values { bytes.append(value.bytes) }
    case .updated(let cells):
      bytes.append(count: cells.count)
      for cell in cells {
        bytes.append(count: cell.column)
        bytes.append(cell.old.bytes)
        bytes.append(cell.new.bytes)
      }
    }
  }

  /// Reads the next change.
  init(from reader: inout RecordedBytesReader) throws(RecordDamage) {
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

  /// Returns the change as a list shows it.
  func shown(in layout: RecordedLayout) -> RecordedRow {
    func name(_ index: Int) -> String { layout.columns.indices.contains(index) ? layout.columns[index].name : "?" }
    let columns: [RecordedColumn] =
      switch content {
      case .inserted(let values): values.enumerated().map { RecordedColumn(name: name($0), old: nil, new: $1.databaseValue) }
      case .deleted(let values): values.enumerated().map { RecordedColumn(name: name($0), old: $1.databaseValue, new: nil) }
      case .updated(let cells):
        cells.map { RecordedColumn(name: name($0.column), old: $0.old.databaseValue, new: $0.new.databaseValue) }
      }
    return RecordedRow(table: layout.name, key: key.shown, operation: operation, columns: columns)
  }
}

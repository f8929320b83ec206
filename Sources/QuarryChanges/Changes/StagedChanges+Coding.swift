internal import QuarryEngine
internal import QuarryRows

/// The encoding of staged changes, exact for every storage class, with a checksum at the end.
///
///     quarry staged changes 1 · database path · tables · rows · values · identity · what a commit is writing · FNV-1a of all before
///
/// Changes consist of their tables with rows and values, and their identity. The changes being committed are omitted while no commit is
/// running. Files of earlier versions have no identity.
package enum StagedChangesFormat {
  static let signature = Array("quarry staged changes 1\n".utf8)
  /// The size of the checksum in bytes: that of an integer with its storage class.
  private static let checksumSize = 9

  /// The content of a file.
  package struct Content {
    var database: String
    package var changes: StagedChanges
    /// The changes that a commit was writing, or nil if none was running.
    var sent: StagedChanges?

    package init(database: String, changes: StagedChanges, sent: StagedChanges? = nil) {
      self.database = database
      self.changes = changes
      self.sent = sent
    }
  }

  /// Returns encoded changes.
  package static func bytes(of content: Content) -> [UInt8] {
    var bytes = RecordedBytes(signature)
    bytes.append(text: content.database)
    bytes.append(content.changes)
    if let sent = content.sent { bytes.append(sent) }
    let checksum = checksum(of: bytes.bytes)
    bytes.append(checksum)
    return bytes.bytes
  }

  /// Decodes the content of a file, or returns nil if the bytes are damaged.
  package static func content(_ bytes: [UInt8]) -> Content? {
    guard bytes.starts(with: signature), bytes.count >= signature.count + checksumSize else { return nil }
    let content = Array(bytes.dropLast(checksumSize))
    var end = RecordedBytesReader(bytes, from: content.count)
    guard (try? end.value().databaseValue) == checksum(of: content) else { return nil }
    var reader = RecordedBytesReader(content, from: signature.count)
    return try? reader.stagedContent()
  }

  private static func checksum(of bytes: [UInt8]) -> DatabaseValue {
    .integer(Int64(bitPattern: Checksum.of(bytes)))
  }
}

extension RecordedBytes {
  /// The tags before the bytes of a row, of a change and of a value.
  fileprivate enum Row: UInt8 { case new, rowID, values, position }
  fileprivate enum Change: UInt8 { case updated, inserted, deleted }
  fileprivate enum Staged: UInt8 { case defaultValue, stored, file }

  fileprivate mutating func append(_ changes: StagedChanges) {
    append(count: changes.tables.count)
    for table in changes.tables {
      append(text: table.database)
      append(text: table.name)
      let rows = changes.rows(of: table)
      append(count: rows.count)
      for (row, change) in rows {
        append(row)
        append(change)
      }
    }
    if let identity = changes.identity { append(DatabaseValue.integer(identity)) }
  }

  fileprivate mutating func append(text: String) { append(DatabaseValue.text(text)) }

  private mutating func append(_ value: StoredValue) {
    value.withBorrowedValue { append($0) }
  }

  private mutating func append(_ value: StagedValue) {
    switch value {
    case .defaultValue: append(byte: Staged.defaultValue.rawValue)
    case .file(let file):
      append(byte: Staged.file.rawValue)
      append(text: file.path)
      append(DatabaseValue.integer(Int64(file.size)))
      append(DatabaseValue.integer(Int64(file.time)))
    case .value(let value):
      append(byte: Staged.stored.rawValue)
      append(StoredValue.value(value))
    case .rawText(let bytes):
      append(byte: Staged.stored.rawValue)
      append(StoredValue.rawText(bytes))
    }
  }

  private mutating func append(_ row: StagedRowID) {
    switch row {
    case .new(let number):
      append(byte: Row.new.rawValue)
      append(count: number)
    case .stored(.rowID(let id)):
      append(byte: Row.rowID.rawValue)
      append(DatabaseValue.integer(id))
    case .stored(.values(let values)):
      append(byte: Row.values.rawValue)
      append(count: values.count)
      for value in values { append(value) }
    case .stored(.position(let position)):
      append(byte: Row.position.rawValue)
      append(count: position)
    }
  }

  private mutating func append(_ change: StagedRow) {
    switch change {
    case .updated(let cells):
      append(byte: Change.updated.rawValue)
      append(cells) { bytes, cell in
        bytes.append(cell.was)
        bytes.append(cell.value)
      }
    case .inserted(let values):
      append(byte: Change.inserted.rawValue)
      append(values) { $0.append($1) }
    case .deleted(let was):
      append(byte: Change.deleted.rawValue)
      append(was) { $0.append($1) }
    }
  }

  private mutating func append<Value>(_ columns: [String: Value], _ body: (inout RecordedBytes, Value) -> Void) {
    append(count: columns.count)
    for (column, value) in columns {
      append(text: column)
      body(&self, value)
    }
  }
}

extension RecordedBytesReader {
  /// Decodes the content written by `StagedChangesFormat`.
  ///
  /// Throws an error if it is damaged.
  fileprivate mutating func stagedContent() throws -> StagedChangesFormat.Content {
    var content = StagedChangesFormat.Content(database: try text(), changes: try stagedChanges())
    if !isAtEnd { content.sent = try stagedChanges() }
    guard isAtEnd else { throw RecordDamage() }
    return content
  }

  private mutating func stagedChanges() throws -> StagedChanges {
    var changes = StagedChanges()
    for _ in 0..<(try count()) {
      let table = TableReference(database: try text(), name: try text())
      for _ in 0..<(try count()) { changes.adopt(try row(), of: table, try change()) }
    }
    if !isAtEnd, case .integer(let identity) = try value().databaseValue { changes.identity = identity }
    return changes
  }

  private mutating func text() throws -> String {
    guard case .text(let text) = try value().databaseValue else { throw RecordDamage() }
    return text
  }

  private mutating func integer() throws -> Int {
    guard case .integer(let number) = try value().databaseValue, let integer = Int(exactly: number) else { throw RecordDamage() }
    return integer
  }

  private mutating func stagedValue() throws -> StagedValue {
    switch RecordedBytes.Staged(rawValue: try byte()) {
    case .defaultValue: .defaultValue
    case .stored: StagedValue(try value().storedValue)
    case .file: .file(StagedFile(path: try text(), size: try integer(), time: try integer()))
    case nil: throw RecordDamage()
    }
  }

  private mutating func row() throws -> StagedRowID {
    switch RecordedBytes.Row(rawValue: try byte()) {
    case .new: return .new(try count())
    case .rowID:
      guard case .integer(let id) = try value().databaseValue else { throw RecordDamage() }
      return .stored(.rowID(id))
    case .values: return .stored(.values(try values(count()).map(\.databaseValue)))
    case .position: return .stored(.position(try count()))
    case nil: throw RecordDamage()
    }
  }

  private mutating func change() throws -> StagedRow {
    switch RecordedBytes.Change(rawValue: try byte()) {
    case .updated: .updated(try columns { StagedRow.Cell(was: try $0.value().storedValue, value: try $0.stagedValue()) })
    case .inserted: .inserted(try columns { try $0.stagedValue() })
    case .deleted: .deleted(was: try columns { try $0.value().storedValue })
    case nil: throw RecordDamage()
    }
  }

  private mutating func columns<Value>(_ body: (inout RecordedBytesReader) throws -> Value) throws -> [String: Value] {
    var columns: [String: Value] = [:]
    for _ in 0..<(try count()) { columns[try text()] = try body(&self) }
    return columns
  }
}

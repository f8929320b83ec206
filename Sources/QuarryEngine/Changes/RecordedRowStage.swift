/// The rows that a transaction has touched, each as it was before the transaction.
///
/// A part of them is in memory, what is more in a temporary file of SQLite's own, which goes with the process.
final class RecordedRowStage {
  /// How many bytes are held in memory.
  private static let memoryLimit = 16 << 20
  /// What a row takes in memory besides its values.
  private static let rowOverhead = 64

  /// Where the values of each row begin in ``values``; -1 for a row that was not there.
  private var rows: [Int: [RecordedRowKey: Int]] = [:]
  private var values: [UInt8] = []
  private var memorySize = 0
  private var file: DatabaseQueue?
  /// The bytes of all rows, those in the file too.
  private(set) var size = 0

  /// Whether no row has been touched.
  var isEmpty: Bool { rows.isEmpty && file == nil }

  /// Notes a row of a table that is touched; one that was touched before stays as it was then.
  ///
  /// - Parameters:
  ///   - table: The table, by a number of the caller's.
  ///   - before: Appends the row's values; false where the row is not there.
  func add(_ key: RecordedRowKey, of table: Int, before: (inout RecordedBytes) throws -> Bool) throws {
    if rows[table]?[key] != nil { return }
    var row = RecordedBytes()
    let isThere = try before(&row)
    rows[table, default: [:]][key] = isThere ? values.count : -1
    if isThere {
      withUnsafeBytes(of: UInt32(row.bytes.count).littleEndian) { values.append(contentsOf: $0) }
      values.append(contentsOf: row.bytes)
    }
    memorySize += row.bytes.count + Self.rowOverhead
    size += row.bytes.count + 16
    if memorySize > Self.memoryLimit { try spill() }
  }

  /// Forgets all rows.
  func removeAll() {
    (rows, memorySize, size, file) = ([:], 0, 0, nil)
    values.removeAll(keepingCapacity: true)
  }

  /// Calls `body` with each row of a table in the order of the keys: its key, and its values before, nil where it was not there.
  func forEach(of table: Int, _ body: (RecordedRowKey, [UInt8]?) throws -> Void) throws {
    guard let file else {
      let rows = rows[table] ?? [:]
      for (key, start) in rows.sorted(by: { $0.key < $1.key }) { try body(key, row(at: start)) }
      return
    }
    try spill()
    try file.withoutTransaction { db in
      try db.scan("SELECT key, before FROM row WHERE tbl = \(table) ORDER BY key") { statement in
        let key = try Self.key(in: statement)
        try body(key, try statement.isColumnNull(at: 1) ? nil : statement.withColumnBytes(at: 1) { Array($0) })
        return true
      }
    }
  }

  private static func key(in statement: Statement) throws -> RecordedRowKey {
    if try statement.columnStorageClass(at: 0) == .integer { return .rowID(try statement.columnInteger(at: 0)) }
    return .values(try statement.withColumnBytes(at: 0) { Array($0) })
  }

  private func row(at start: Int) -> [UInt8]? {
    guard start >= 0 else { return nil }
    let count = (0..<4).reduce(0) { $0 | Int(values[start + $1]) << (8 * $1) }
    return Array(values[start + 4..<start + 4 + count])
  }

  /// Moves the rows in memory to the file.
  ///
  ///     INSERT OR IGNORE INTO row VALUES (?, ?, ?)
  private func spill() throws {
    let queue = try file ?? Self.makeFile()
    file = queue
    try queue.write { db in
      let insertion = try db.cachedStatement(sql: "INSERT OR IGNORE INTO row VALUES (?, ?, ?)")
      for (table, rows) in rows {
        for (key, start) in rows {
          try insertion.reset()
          try insertion.bindInteger(Int64(table), at: 1)
          switch key {
          case .rowID(let rowID): try insertion.bindInteger(rowID, at: 2)
          case .values(let bytes): try bytes.withUnsafeBytes { try insertion.bindBlob($0, at: 2) }
          }
          if let row = row(at: start) {
            try row.withUnsafeBytes { try insertion.bindBlob($0, at: 3) }
          } else {
            try insertion.bindNull(at: 3)
          }
          try insertion.step()
        }
      }
      try insertion.reset()
    }
    rows.removeAll(keepingCapacity: true)
    values.removeAll(keepingCapacity: true)
    memorySize = 0
  }

  private static func makeFile() throws -> DatabaseQueue {
    let queue = try DatabaseQueue(path: "")
    try queue.withoutTransaction { db in
      try db.execute(sql: "PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF")
      try db.execute(sql: "CREATE TABLE row(tbl INTEGER, key, before BLOB, PRIMARY KEY (tbl, key)) WITHOUT ROWID")
    }
    return queue
  }
}

extension RecordedRowKey: Comparable {
  static func < (first: RecordedRowKey, second: RecordedRowKey) -> Bool {
    switch (first, second) {
    case (.rowID(let first), .rowID(let second)): first < second
    case (.values(let first), .values(let second)): first.lexicographicallyPrecedes(second)
    case (.rowID, .values): true
    case (.values, .rowID): false
    }
  }
}

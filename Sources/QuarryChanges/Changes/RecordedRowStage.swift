internal import QuarryEngine

/// The original values of the rows that a transaction has changed.
///
/// The rows are stored in memory up to a limit, and beyond it in a temporary SQLite file, which is deleted with the process.
final class RecordedRowStage {
  /// The maximum number of bytes in memory.
  private static let memoryLimit = 16 << 20
  /// The memory size of a row in addition to its values, in bytes.
  private static let rowOverhead = 64
  /// The number of bytes for the size of a row.
  private static let sizeCount = 4

  /// The start of each row's values of a table among all values, or -1 for a row that did not exist.
  private final class Rows {
    /// The rows that were added in ascending order of their rowids, which is the common case.
    @exclusivity(unchecked) private var ascending: [(rowID: Int64, start: Int)] = []
    /// The other rows with rowids.
    private var byRowID: [Int64: Int] = [:]
    private var byValues: [[UInt8]: Int] = [:]

    /// The index in ascending order after the row found last.
    ///
    /// Rows are mostly changed in the order in which they were added.
    @exclusivity(unchecked) private var next = 0

    /// Returns whether a row has been added.
    func contains(_ key: RecordedRowKey) -> Bool {
      switch key {
      case .rowID(let rowID): !isGreatest(rowID) && (isAscending(rowID) || byRowID[rowID] != nil)
      case .values(let bytes): byValues[bytes] != nil
      }
    }

    /// Adds a row that has not been added yet.
    func add(_ key: RecordedRowKey, at start: Int) {
      switch key {
      case .rowID(let rowID) where isGreatest(rowID): ascending.append((rowID, start))
      case .rowID(let rowID): byRowID[rowID] = start
      case .values(let bytes): byValues[bytes] = start
      }
    }

    /// Returns whether the rowid is greater than all rowids in ascending order.
    private func isGreatest(_ rowID: Int64) -> Bool {
      ascending.last.map { $0.rowID < rowID } ?? true
    }

    /// Returns whether a rowid was added in ascending order.
    private func isAscending(_ rowID: Int64) -> Bool {
      if next < ascending.count, ascending[next].rowID == rowID {
        next += 1
        return true
      }
      var (low, high) = (0, ascending.count)
      while low < high {
        let middle = low + (high - low) / 2
        if ascending[middle].rowID < rowID { low = middle + 1 } else { high = middle }
      }
      next = low + 1
      return low < ascending.count && ascending[low].rowID == rowID
    }

    /// Calls `body` with each row in the order of the keys.
    func forEach(_ body: (RecordedRowKey, Int) throws -> Void) rethrows {
      let others = byRowID.map { (rowID: $0.key, start: $0.value) }
      let rows = others.isEmpty ? ascending : (ascending + others).sorted { $0.rowID < $1.rowID }
      for (rowID, start) in rows { try body(.rowID(rowID), start) }
      for (bytes, start) in byValues.sorted(by: { $0.key.lexicographicallyPrecedes($1.key) }) { try body(.values(bytes), start) }
    }
  }

  /// The rows in memory, by the numbers of their tables.
  ///
  /// Unchecked, like the others: only one row is added at a time.
  @exclusivity(unchecked) private var rows: [Rows] = []
  /// The values of the rows in memory, each row preceded by its size.
  @exclusivity(unchecked) private var values = RecordedBytes()
  @exclusivity(unchecked) private var memorySize = 0
  private var file: DatabaseQueue?
  /// The number of bytes of all rows, including rows in the file.
  @exclusivity(unchecked) private(set) var size = 0

  /// Whether there are no rows.
  var isEmpty: Bool { size == 0 }

  /// Adds a row of a table before it changes.
  ///
  /// If the row was added before, its earlier values remain.
  ///
  /// - Parameters:
  ///   - table: The caller's number of the table.
  ///   - before: Appends the row's values to those of other rows, or returns false if the row does not exist.
  /// - Returns: Whether the row is not known to have been added before.
  @discardableResult
  func add(_ key: RecordedRowKey, of table: Int, before: (inout RecordedBytes) throws -> Bool) throws -> Bool {
    while rows.count <= table { rows.append(Rows()) }
    let rows = rows[table]
    if rows.contains(key) { return false }
    let start = values.count
    let count = try addValues(before)
    rows.add(key, at: count == nil ? -1 : start)
    let size = count ?? 0
    memorySize += size + Self.rowOverhead
    self.size += size + 16
    if memorySize > Self.memoryLimit { try spill() }
    return true
  }

  /// Adds the values of a row, preceded by their size, and returns their size, or nil if the row does not exist.
  private func addValues(_ before: (inout RecordedBytes) throws -> Bool) throws -> Int? {
    let start = values.count
    values.appendRoomForNumber()
    var isThere = false
    // The bytes of a row that does not exist or cannot be read are removed.
    defer { if !isThere { values.truncate(to: start) } }
    isThere = try before(&values)
    guard isThere else { return nil }
    let count = values.count - start - Self.sizeCount
    values.store(UInt32(count), at: start)
    return count
  }

  /// Calls `body` with each row of a table in the order of the keys: its key and its original values, or nil if it did not exist.
  func forEach(of table: Int, _ body: (RecordedRowKey, UnsafeRawBufferPointer?) throws -> Void) throws {
    guard let file else {
      guard rows.indices.contains(table) else { return }
      return try values.withUnsafeBytes { values in
        try rows[table].forEach { key, start in try body(key, Self.row(at: start, in: values)) }
      }
    }
    try spill()
    try file.withoutTransaction { db in
      try db.scan("SELECT key, before FROM row WHERE tbl = \(table) ORDER BY key") { statement in
        let key = try Self.key(in: statement)
        if try statement.isColumnNull(at: 1) {
          try body(key, nil)
        } else {
          try statement.withColumnBytes(at: 1) { try body(key, $0) }
        }
        return true
      }
    }
  }

  private static func key(in statement: Statement) throws -> RecordedRowKey {
    if try statement.columnStorageClass(at: 0) == .integer { return .rowID(try statement.columnInteger(at: 0)) }
    return .values(try statement.withColumnBytes(at: 0) { Array($0) })
  }

  private static func row(at start: Int, in values: UnsafeRawBufferPointer) -> UnsafeRawBufferPointer? {
    guard start >= 0 else { return nil }
    let count = Int(UInt32(littleEndian: values.loadUnaligned(fromByteOffset: start, as: UInt32.self)))
    return UnsafeRawBufferPointer(rebasing: values[start + sizeCount..<start + sizeCount + count])
  }

  /// Moves the rows in memory to the file.
  ///
  ///     INSERT OR IGNORE INTO row VALUES (?, ?, ?)
  private func spill() throws {
    let queue = try file ?? Self.makeFile()
    file = queue
    try queue.write { db in
      let insertion = try db.cachedStatement(sql: "INSERT OR IGNORE INTO row VALUES (?, ?, ?)")
      try values.withUnsafeBytes { values in
        for (table, rows) in rows.enumerated() {
          try rows.forEach { key, start in try Self.insert(key, of: table, Self.row(at: start, in: values), by: insertion) }
        }
      }
      try insertion.reset()
    }
    rows.removeAll()
    values.removeAll()
    memorySize = 0
  }

  private static func insert(_ key: RecordedRowKey, of table: Int, _ row: UnsafeRawBufferPointer?, by insertion: Statement) throws {
    try insertion.reset()
    try insertion.bindInteger(Int64(table), at: 1)
    switch key {
    case .rowID(let rowID): try insertion.bindInteger(rowID, at: 2)
    case .values(let bytes): try bytes.withUnsafeBytes { try insertion.bindBlob($0, at: 2) }
    }
    if let row { try insertion.bindBlob(row, at: 3) } else { try insertion.bindNull(at: 3) }
    try insertion.step()
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

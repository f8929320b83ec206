internal import QuarryEngine

/// A digest of consecutive rows: equal digests mean equal rows.
///
/// It is computed with random keys that are the same for both sides, so that nobody can prepare different rows with equal digests.
package struct RowDigest: Hashable, Sendable {
  /// The number of rows.
  let count: Int
  /// The values of the last row's key, or empty if there are fewer rows than requested.
  let lastKey: [StoredValue]
  private let hashes: [Int]

  /// Reads the rows of a statement.
  ///
  /// - Parameters:
  ///   - limit: The number of rows that the statement returns, if there are as many.
  ///   - width: The number of columns, which begin with those of the key.
  init(of sql: SQLText, width: Int, keyWidth: Int, limit: Int, in db: Database) throws {
    // Two hashes of 64 bits with different beginnings.
    var hashers = (Hasher(), Hasher())
    hashers.1.combine(UInt8(1))
    var (count, key): (Int, [StoredValue]) = (0, [])
    try db.scan(sql) { statement in
      for index in 0..<width { try Self.combine(statement, index, &hashers) }
      count += 1
      if count == limit { key = try (0..<keyWidth).map { try statement.storedValue(at: $0) } }
      return true
    }
    (self.count, lastKey, hashes) = (count, key, [hashers.0.finalize(), hashers.1.finalize()])
  }

  private static func combine(_ statement: Statement, _ index: Int, _ hashers: inout (Hasher, Hasher)) throws {
    func add(_ storageClass: UInt8, _ value: Int64) {
      hashers.0.combine(storageClass)
      hashers.0.combine(value)
      hashers.1.combine(storageClass)
      hashers.1.combine(value)
    }
    switch try statement.columnStorageClass(at: index) {
    case .null: add(0, 0)
    case .integer: add(1, try statement.columnInteger(at: index))
    case .real:
      guard case .real(let real) = try statement.columnValue(at: index) else { return }
      add(2, Int64(bitPattern: real.bitPattern))
    case let storageClass:
      try statement.withColumnBytes(at: index) { bytes in
        add(storageClass == .text ? 3 : 4, Int64(bytes.count))
        hashers.0.combine(bytes: bytes)
        hashers.1.combine(bytes: bytes)
      }
    }
  }
}

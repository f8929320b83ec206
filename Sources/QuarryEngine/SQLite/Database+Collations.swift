internal import CSQLite

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

extension Database {
  /// Lets SQL on this connection compare texts by a Swift closure.
  ///
  /// ```swift
  /// try db.create(collation: "by_length") { first, second in
  ///   first.count == second.count ? .orderedSame : first.count < second.count ? .orderedAscending : .orderedDescending
  /// }
  /// let names = try String.fetchAll(db, sql: "SELECT name FROM player ORDER BY name COLLATE by_length")
  /// ```
  ///
  /// The order must always be the same: an index keeps it. Texts that are not valid UTF-8 come last, in the order of their bytes. The
  /// closure must not use the database. It is released when the collation is dropped or replaced, or the connection closes. The
  /// corresponding C function is `sqlite3_create_collation_v2`.
  ///
  /// - Throws: `SQLITE_BUSY` where a statement is running and the collation is there already.
  public func create(collation name: String, _ compare: @escaping @Sendable (String, String) -> ComparisonResult) throws {
    try checkAccess()
    let collation = Unmanaged.passRetained(TextComparison(compare: compare))
    let code = sqlite3_create_collation_v2(
      connection, name, SQLITE_UTF8, collation.toOpaque(),
      { address, firstCount, first, secondCount, second in
        guard let address else { return 0 }
        return Unmanaged<TextComparison>.fromOpaque(address).takeUnretainedValue().result(
          UnsafeRawBufferPointer(start: first, count: Int(firstCount)), UnsafeRawBufferPointer(start: second, count: Int(secondCount)))
      }, { $0.map { Unmanaged<TextComparison>.fromOpaque($0).release() } })
    // Of a collation that is refused, as opposed to a function, SQLite does not let go.
    if code != SQLITE_OK { collation.release() }
    try check(code)
  }

  /// Takes away a collation.
  ///
  /// ```swift
  /// try db.drop(collation: "by_length")
  /// ```
  ///
  /// What uses it throws from then on. The corresponding C function is `sqlite3_create_collation_v2`.
  ///
  /// - Throws: `SQLITE_BUSY` where a statement is running.
  public func drop(collation name: String) throws {
    try checkAccess()
    try check(sqlite3_create_collation_v2(connection, name, SQLITE_UTF8, nil, nil, nil))
  }
}

/// A Swift closure that SQL compares texts by.
private final class TextComparison: Sendable {
  let compare: @Sendable (String, String) -> ComparisonResult

  init(compare: @escaping @Sendable (String, String) -> ComparisonResult) {
    self.compare = compare
  }

  /// Compares the texts where both are valid.
  ///
  /// What is not is not repaired for it, since two texts that differ would then be one.
  func result(_ first: UnsafeRawBufferPointer, _ second: UnsafeRawBufferPointer) -> Int32 {
    switch (String(validating: first, as: UTF8.self), String(validating: second, as: UTF8.self)) {
    case (let first?, let second?): Int32(compare(first, second).rawValue)
    case (nil, nil): first.elementsEqual(second) ? 0 : first.lexicographicallyPrecedes(second) ? -1 : 1
    case (_?, nil): -1
    case (nil, _?): 1
    }
  }
}

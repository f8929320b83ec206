internal import QuarryEngine

/// The ordered keys of rows without rowids, in a temporary database.
///
///     CREATE TABLE keys(k0, k1, …)   -- no types: each value keeps its storage class
final class KeySpool: Sendable {
  private let store: DatabaseQueue
  private let names: [String]

  init(width: Int) throws {
    names = (0..<width).map { "k\($0)" }
    store = try DatabaseQueue(path: "")
    try store.withoutTransaction { [names] database in
      try database.execute(sql: "PRAGMA journal_mode = MEMORY")
      try database.execute(sql: "CREATE TABLE keys(\(names.joined(separator: ", ")))")
    }
  }

  func append(_ keys: [[DatabaseValue]]) throws {
    try store.write { database in
      let insertion = try database.cachedStatement(sql: "INSERT INTO keys VALUES (\(SQLText.parameters(names.count)))")
      for key in keys {
        for (index, value) in key.enumerated() { try insertion.bind(value, at: index + 1) }
        _ = try insertion.step()
        try insertion.reset()
      }
    }
  }

  func keys(_ range: Range<Int>) throws -> [[DatabaseValue]] {
    let columns = names.map { "\(identifier: $0)" as SQLText }.joined(by: ", ")
    let sql: SQLText = "SELECT \(columns) FROM keys WHERE rowid > \(range.lowerBound) AND rowid <= \(range.upperBound) ORDER BY rowid"
    return try store.read { [names] database in
      var keys: [[DatabaseValue]] = []
      try database.scan(sql) { statement in
        try keys.append(names.indices.map { try statement.columnValue(at: $0) })
        return true
      }
      return keys
    }
  }

  /// Returns the index of a key by a linear search.
  func firstIndex(of key: [DatabaseValue]) throws -> Int? {
    let condition = zip(names, key).map { "\(identifier: $0) IS \($1)" as SQLText }.joined(by: " AND ")
    return try store.read { database in
      var index: Int?
      try database.scan("SELECT rowid FROM keys WHERE \(condition) LIMIT 1") { statement in
        index = try Int(statement.columnInteger(at: 0)) - 1
        return false
      }
      return index
    }
  }
}

/// What a search in rows looks for.
public enum Needle: Hashable, Sendable {
  /// A part of a text or of a number as it is written, as LIKE finds it: the case of ASCII letters is ignored. Blobs have no text.
  case text(String)
  /// A whole value, of the same storage class.
  case value(DatabaseValue)
}

/// Where a search found something.
public struct RowMatch: Hashable, Sendable {
  /// The row.
  public var key: RowKey
  /// The first of the searched columns that matches.
  public var column: Int
  /// Whether the search went on from the other end of the rows.
  public var wrapped: Bool

  /// Makes a match.
  public init(key: RowKey, column: Int, wrapped: Bool) {
    self.key = key
    self.column = column
    self.wrapped = wrapped
  }
}

extension KeysetRows {
  /// The next row in which one of some columns matches; nil where there is none in this direction.
  ///
  ///     SELECT TrackId, CASE WHEN Name LIKE ?1 ESCAPE '\' … THEN 1 … END FROM main.Track
  ///     WHERE CASE … END IS NOT NULL AND TrackId > ? ORDER BY TrackId LIMIT 1
  ///
  /// - Parameter place: the place to go on from, without the row in it; nil to begin at the end of the rows.
  func match(
    _ needle: Needle, columns: [Int], from place: [DatabaseValue]?, _ direction: KeysetOrder.Direction, in database: Database
  ) throws -> (key: RowKey, column: Int)? {
    let searched = columns.filter(self.columns.indices.contains)
    guard !searched.isEmpty else { return nil }
    let names = columnNames
    let hits = RowHits(self, hit: needle.sql(searched.map { ($0, names[$0]) }), argument: needle.argument)
    let ranges = place.map { order.ranges(from: $0, direction, isInclusive: false) } ?? [order.everything(direction)]
    return try hits.match(ranges, in: database)
  }
}

extension Needle {
  /// The number of the first column that matches, else NULL: a CASE, since an OR of 2,000 columns is too deep for SQLite.
  func sql(_ columns: [(index: Int, name: String)]) -> String {
    "CASE " + columns.map { "WHEN \(condition($0.name)) THEN \($0.index) " }.joined() + "END"
  }

  private func condition(_ column: String) -> String {
    switch self {
    case .text: "\(column) LIKE ?1 ESCAPE '\\' AND typeof(\(column)) <> 'blob'"
    case .value(.text), .value(.blob), .value(.null): "\(column) IS ?1 COLLATE BINARY AND typeof(\(column)) = typeof(?1)"
    case .value(.integer), .value(.real): "\(column) IS ?1 AND typeof(\(column)) = typeof(?1)"
    }
  }

  var argument: DatabaseValue {
    switch self {
    case .text(let text): .text("%" + text.flatMap { "%_\\".contains($0) ? ["\\", $0] : [$0] } + "%")
    case .value(let value): value
    }
  }
}

extension KeysetRows {
  /// The next row that matches, once around.
  func matchAround(
    _ needle: Needle, columns: [Int], from key: RowKey?, _ direction: KeysetOrder.Direction, in database: Database
  ) throws -> RowMatch? {
    if let match = try match(needle, columns: columns, from: key.map(requiredPlace), direction, in: database) {
      return RowMatch(key: match.key, column: match.column, wrapped: false)
    }
    guard key != nil else { return nil }
    return try match(needle, columns: columns, from: nil, direction, in: database).map {
      RowMatch(key: $0.key, column: $0.column, wrapped: true)
    }
  }
}

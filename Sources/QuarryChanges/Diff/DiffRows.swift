internal import QuarryEngine
internal import QuarryRows

/// The rows of one side in key order, read in steps.
struct DiffRows {
  /// A row.
  ///
  /// If whole rows are matched, it includes the number of equal rows.
  struct Entry {
    var values: [StoredValue]
    var count = 1
  }

  private let side: any DiffSide
  private let schema: TableSchema?
  private let name: String
  private let key: DiffKey
  /// The names of the columns besides the key, or nil for columns that the side does not have.
  private let columns: [String?]
  private let step: Int
  /// A copy of the rows in key order, if the table itself cannot be read in this order.
  private let copy: TableReference?
  private var entries: [Entry] = []
  private var next = 0
  private var isAtEnd: Bool
  /// The key of the last row that was read, or nil before the first.
  private(set) var last: [StoredValue]?
  /// The number of rows read.
  ///
  /// For the copy, this is also the last rowid.
  private var readCount: Int64 = 0

  /// Creates a reader.
  ///
  /// - Parameters:
  ///   - schema: The table, or nil if the side does not have it.
  ///   - columns: The columns to compare in addition to the key.
  /// - Throws: ``DiffObstacle`` if the side cannot read the rows in this order.
  init(_ side: any DiffSide, _ table: TableReference, _ schema: TableSchema?, by key: DiffKey, _ columns: [String?], step: Int) async throws
  {
    (self.side, self.schema, self.name, self.key, self.columns, self.step) = (side, schema, table.name, key, columns, step)
    isAtEnd = schema == nil
    copy = schema == nil ? nil : try await Self.copy(of: table, schema, by: key, columns, on: side)
  }

  /// The next row, or nil after the last.
  var current: Entry? { entries.indices.contains(next) ? entries[next] : nil }

  /// Whether more rows must be read to determine the next one.
  var isEmpty: Bool { current == nil && !isAtEnd }

  mutating func advance() { next += 1 }

  /// Copies the rows in key order if the database cannot list them in this order: whole rows, and texts that do not sort by their UTF-8.
  ///
  ///     SELECT +a, +b, count(*) FROM main.t GROUP BY a COLLATE BINARY, typeof(a), b COLLATE BINARY, typeof(b) ORDER BY …
  private static func copy(
    of table: TableReference, _ schema: TableSchema?, by key: DiffKey, _ columns: [String?], on side: any DiffSide
  ) async throws -> TableReference? {
    let isUTF8 = try await side.isUTF8()
    guard key.kind == .wholeRows || key.isOrderedByBytes && !isUTF8 else { return nil }
    guard key.columns.count + columns.count < KeysetRows.resultLimit else {
      throw DiffObstacle("the table has no key, and too many columns to match whole rows: --key names the columns of a key")
    }
    let order = key.order(in: schema, binary: isUTF8 ? "BINARY" : FileDiffSide.utf8Order)
    // Without + the copy's columns would have affinities, which change values.
    let values = list(key.names(in: schema) + columns, sign: "+")
    let group: SQLText = key.kind == .wholeRows ? " GROUP BY \(order)" : ""
    let count: SQLText = key.kind == .wholeRows ? ", count(*)" : ""
    return try await side.copy("SELECT \(values)\(count) FROM \(table.sqlText)\(group) ORDER BY \(order)", of: table.name)
  }

  /// Checks, once all rows are read, that the table contains no other rows.
  ///
  /// A copy needs no check, because it scans the whole table and therefore encounters all damage.
  ///
  /// - Parameter state: The state of the side before the rows were read. If the state has changed, nothing is checked.
  func checkReached(since state: DiffState) async throws {
    guard copy == nil, let entry = schema?.entry, entry.kind == .table else { return }
    try await side.checkReached(Int(readCount), of: entry.reference, since: state)
  }

  /// Drops the copy of the rows.
  func end() async throws {
    if let copy { try await side.drop(copy) }
  }

  // MARK: Equal rows

  /// Returns a digest of the next rows after the passed ones, or nil if the side computes no digest.
  func digest(of count: Int) async throws -> RowDigest? {
    guard copy == nil, !isAtEnd, key.columns.count + columns.count <= KeysetRows.resultLimit, let sql = select(columns[...], limit: count)
    else { return nil }
    return try await side.digest(sql, width: key.columns.count + columns.count, keyWidth: key.columns.count, limit: count)
  }

  /// Forgets rows that were read but not passed, so that the next rows are the ones after a key.
  mutating func forgetRows(after key: [StoredValue]?) {
    readCount -= Int64(max(0, entries.count - next))
    (entries, next, last, isAtEnd) = ([], 0, key, schema == nil)
  }

  /// Passes the rows of a digest.
  mutating func pass(_ digest: RowDigest, of count: Int) {
    (entries, next, readCount) = ([], 0, readCount + Int64(digest.count))
    if digest.count < count { isAtEnd = true } else { last = digest.lastKey }
  }

  // MARK: Reading

  /// Reads the next rows, in several parts if the key and the columns exceed the maximum number of result columns.
  func read() async throws -> [[StoredValue]] {
    if let copy { return try await read(copy) }
    let room = max(1, KeysetRows.resultLimit - key.columns.count)
    var rows = try await read(columns.prefix(room))
    for start in stride(from: room, to: columns.count, by: room) {
      let part = try await read(columns[start..<min(start + room, columns.count)])
      guard part.map({ $0.prefix(key.columns.count) }) == rows.map({ $0.prefix(key.columns.count) }) else {
        throw DataSourceError("another program wrote to \(name) in “\(side.name)” while its rows were read: compare again")
      }
      rows = zip(rows, part).map { $0 + $1.dropFirst(key.columns.count) }
    }
    return rows
  }

  /// Reads the key and some columns of the next rows.
  ///
  ///     SELECT TrackId, Name FROM main.Track WHERE (TrackId) > (?) ORDER BY TrackId LIMIT 500
  private func read(_ columns: ArraySlice<String?>) async throws -> [[StoredValue]] {
    guard let sql = select(columns, limit: step) else { return [] }
    return try await side.rows(sql, width: key.columns.count + columns.count)
  }

  private func select(_ columns: ArraySlice<String?>, limit: Int) -> SQLText? {
    guard let table = schema?.entry.reference else { return nil }
    let list = Self.list(key.names(in: schema) + columns)
    let condition: SQLText = last.map { " WHERE \(key.condition(after: $0, in: schema))" } ?? ""
    return "SELECT \(list) FROM \(table.sqlText)\(condition) ORDER BY \(key.order(in: schema)) LIMIT \(raw: String(limit))"
  }

  /// The columns of a result; NULL for columns that the side does not have.
  private static func list(_ names: [String?], sign: SQLText = "") -> SQLText {
    names.map { name -> SQLText in name.map { "\(sign)\(identifier: $0)" } ?? "NULL" }.joined(by: ", ")
  }

  /// Reads the next rows of the copy.
  ///
  /// If whole rows are matched, each ends with the number of equal rows.
  private func read(_ copy: TableReference) async throws -> [[StoredValue]] {
    let width = key.columns.count + columns.count + (key.kind == .wholeRows ? 1 : 0)
    let sql: SQLText = "SELECT * FROM \(copy.sqlText) WHERE rowid > \(readCount) ORDER BY rowid LIMIT \(raw: String(step))"
    return try await side.rows(sql, width: width)
  }

  /// Adopts rows that were read.
  ///
  /// - Throws: ``DiffObstacle`` if a key occurs twice, or the rows are not in key order.
  mutating func take(_ read: [[StoredValue]]) throws {
    let count = key.columns.count
    for row in read {
      if let last { try check(key.precedes(last[...], row.prefix(count))) }
      last = Array(row.prefix(count))
    }
    entries = read.map(entry)
    (next, isAtEnd, readCount) = (0, read.count < step, readCount + Int64(read.count))
  }

  private func entry(_ row: [StoredValue]) -> Entry {
    guard key.kind == .wholeRows, case .value(.integer(let count))? = row.last else { return Entry(values: row) }
    return Entry(values: row.dropLast(), count: Int(count))
  }

  /// Checks that a row comes after the previous one.
  private func check(_ isInOrder: Bool?) throws {
    let names = key.columns.joined(separator: ", ")
    switch isInOrder {
    case true?: break
    case nil: throw DiffObstacle("several rows in “\(side.name)” have the same \(names): --key names columns that are unique")
    case false?: throw DiffObstacle("“\(side.name)” sorts \(names) in a different order than Quarry: --key names other columns")
    }
  }
}

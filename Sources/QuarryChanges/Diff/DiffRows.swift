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
  /// The rows that were read and not passed: the current block, and perhaps the next one.
  private var blocks: [DiffBlock] = []
  /// The index of the next row in the first block.
  private var next = 0
  /// The values of the next row, if they are known.
  private var known: Entry?
  /// The key of the last row whose values were compared.
  private var compared: [StoredValue]?
  /// The key of the last row that was read, or nil before the first.
  private var last: [StoredValue]?
  /// The ranges of keys whose rows have not been read.
  private var ranges: ArraySlice<KeyRange>
  /// The number of rows read or known to be equal.
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
    ranges = schema == nil ? [] : [KeyRange()]
    copy = schema == nil ? nil : try await Self.copy(of: table, schema, by: key, columns, on: side)
  }

  private var isAtEnd: Bool { ranges.isEmpty }

  /// Whether the next row has been read.
  private var hasCurrent: Bool { blocks.first.map { next < $0.count } ?? false }

  /// Whether more rows must be read to determine the next one.
  var isEmpty: Bool { !hasCurrent && !isAtEnd }

  /// Whether all rows were passed.
  var isOver: Bool { !hasCurrent && isAtEnd }

  /// Whether another block may be read beside the current one.
  var hasRoom: Bool { !isAtEnd && blocks.count < 2 }

  /// Returns the next row, or nil after the last.
  ///
  /// - Throws: ``DiffObstacle`` if it does not follow the row that was compared before it.
  mutating func current() throws -> Entry? {
    if let known { return known }
    guard hasCurrent, let row = blocks.first?.values(at: next) else { return nil }
    let key = Array(row.prefix(key.columns.count))
    if let compared { try check(self.key.precedes(compared[...], key[...])) }
    (compared, known) = (key, entry(row))
    return known
  }

  mutating func advance(by count: Int = 1) {
    guard count > 0 else { return }
    (next, known) = (next + count, nil)
    if !hasCurrent, !blocks.isEmpty {
      blocks.removeFirst()
      next = 0
    }
  }

  /// Passes the next rows that are equal on both sides, and returns their number.
  static func passEqualRows(_ left: inout DiffRows, _ right: inout DiffRows) -> Int {
    guard let block = left.blocks.first, let other = right.blocks.first else { return 0 }
    let count = block.equalCount(from: left.next, in: other, from: right.next)
    left.advance(by: count)
    right.advance(by: count)
    return count
  }

  // MARK: Equal pages

  /// Whether the rows are read from the table itself, in one part.
  var isDirect: Bool { copy == nil && schema != nil && key.columns.count + columns.count <= KeysetRows.resultLimit }

  /// Passes rows that are known to be equal, and continues with the rows in ranges of keys.
  mutating func pass(_ count: Int, then ranges: [KeyRange]) {
    readCount += Int64(count)
    (blocks, next, known, self.ranges) = ([], 0, nil, ranges[...])
  }

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

  // MARK: Reading

  /// Reads the next rows, in several parts if the key and the columns exceed the maximum number of result columns.
  func read() async throws -> DiffBlock {
    let keyWidth = key.columns.count
    let room = max(1, KeysetRows.resultLimit - keyWidth)
    if copy != nil || columns.count <= room { return try await side.block(query(columns[...])) }
    var rows = try await read(columns.prefix(room))
    for start in stride(from: room, to: columns.count, by: room) {
      let part = try await read(columns[start..<min(start + room, columns.count)])
      guard part.map({ $0.prefix(keyWidth) }) == rows.map({ $0.prefix(keyWidth) }) else {
        throw DataSourceError("another program wrote to \(name) in “\(side.name)” while its rows were read: compare again")
      }
      rows = zip(rows, part).map { $0 + $1.dropFirst(keyWidth) }
    }
    return try DiffBlock(rows, of: query(columns[...]))
  }

  /// Reads the key and some columns of the next rows.
  private func read(_ columns: ArraySlice<String?>) async throws -> [[StoredValue]] {
    let query = query(columns)
    return try await side.rows(query.sql(ranges.first ?? KeyRange()), width: query.width)
  }

  /// Returns the query for the next rows.
  ///
  ///     SELECT TrackId, Name FROM main.Track WHERE (TrackId) > (?) ORDER BY TrackId LIMIT 500
  private func query(_ columns: ArraySlice<String?>) -> DiffQuery {
    if let copy { return query(of: copy) }
    let (keyWidth, operand, limit) = (key.columns.count, key.operand(in: schema), String(step))
    let table = (schema?.entry.reference ?? TableReference(name: name)).sqlText
    let source: SQLText = "SELECT \(Self.list(key.names(in: schema) + columns)) FROM \(table)"
    let order: SQLText = " ORDER BY \(key.order(in: schema)) LIMIT \(raw: limit)"
    return DiffQuery(
      sql: { "\(source)\(DiffKey.condition($0, on: operand))\(order)" }, ranges: ranges, width: keyWidth + columns.count,
      keyWidth: keyWidth, limit: step)
  }

  /// Returns the query for the next rows of the copy.
  ///
  /// If whole rows are matched, each ends with the number of equal rows.
  private func query(of copy: TableReference) -> DiffQuery {
    let width = key.columns.count + columns.count + (key.kind == .wholeRows ? 1 : 0)
    let sql: SQLText = "SELECT * FROM \(copy.sqlText) WHERE rowid > \(readCount) ORDER BY rowid LIMIT \(raw: String(step))"
    return DiffQuery(sql: { _ in sql }, ranges: ranges, width: width, keyWidth: 0, limit: step)
  }

  /// The columns of a result; NULL for columns that the side does not have.
  private static func list(_ names: [String?], sign: SQLText = "") -> SQLText {
    names.map { name -> SQLText in name.map { "\(sign)\(identifier: $0)" } ?? "NULL" }.joined(by: ", ")
  }

  /// Adopts rows that were read.
  ///
  /// - Throws: ``DiffObstacle`` if a key occurs twice, or the rows are not in key order.
  mutating func take(_ block: DiffBlock) throws {
    ranges = block.rest
    guard block.count > 0 else { return }
    // A primary key is unique, so that the order of the rows that differ is enough.
    for index in (key.mayRepeat ? 0 : block.count - 1)..<block.count {
      let row = block.values(at: index).prefix(key.columns.count)
      if let last { try check(key.precedes(last[...], row)) }
      last = Array(row)
    }
    blocks.append(block)
    readCount += Int64(block.count)
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

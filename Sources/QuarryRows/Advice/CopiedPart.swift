internal import QuarryEngine

/// The size of a table, as far as it is known without reading all of it.
struct TableExtent: Sendable {
  /// The range of the rowids; nil for a table without rows, or without rowids.
  var rowIDs: ClosedRange<Int64>?
  /// The number of rows: exact for small tables, and for tables without rowids.
  var rowCount: Int
  /// The mean size of the first rows in bytes.
  let rowBytes: Int

  var byteCount: Int { rowCount.multipliedReportingOverflow(by: rowBytes).overflow ? .max : rowCount * rowBytes }

  /// - Parameter limit: The number of bytes up to which the rows are counted.
  init(of copied: CopiedTable, countsRowsUpTo limit: Int, in db: Database) throws {
    let table = copied.schema
    let source = table.entry.reference.sql
    let lengths = copied.columns.map { "ifnull(length(CAST(\(copied.expression(for: $0)) AS BLOB)), 0)" }.joined(separator: " + ")
    let mean = try Double.fetchOne(db, sql: "SELECT avg(n) FROM (SELECT \(lengths) AS n FROM \(source) LIMIT 200)") ?? 0
    rowBytes = max(8, Int(min(mean, 1e9)) + 8)
    let most = limit / rowBytes + 1
    rowCount = try Int.fetchOne(db, sql: "SELECT count(*) FROM (SELECT 1 FROM \(source) LIMIT \(most))") ?? 0
    guard let rowID = table.rowIDName else {
      if rowCount == most { rowCount = try Int.fetchOne(db, sql: "SELECT count(*) FROM \(source)") ?? most }
      return
    }
    guard let ends = try Row.fetchOne(db, sql: "SELECT (SELECT min(\(rowID)) FROM \(source)), (SELECT max(\(rowID)) FROM \(source))"),
      let least = try ends[0] as Int64?, let greatest = try ends[1] as Int64?
    else { return }
    rowIDs = least...greatest
    guard rowCount == most else { return }
    // Rowids with gaps: there are not more rows than fit into the file.
    let file = try Int.fetchOne(db, sql: "SELECT page_count * page_size FROM pragma_page_count('main'), pragma_page_size('main')") ?? 0
    rowCount = max(most, Int(min(Double(greatest) - Double(least) + 1, Double(file / rowBytes))))
  }

  /// Returns for each table of how many rows one is copied: small tables are copied whole, so that joins find their rows.
  static func samplings(of extents: [TableExtent], copying limit: Int) -> [Int] {
    var (samplings, rest) = (Array(repeating: 1, count: extents.count), limit)
    let order = extents.indices.sorted { extents[$0].byteCount < extents[$1].byteCount }
    for (place, index) in order.enumerated() {
      let (bytes, share) = (extents[index].byteCount, max(1, rest / (order.count - place)))
      if bytes > share { samplings[index] = bytes / share + (bytes % share > 0 ? 1 : 0) }
      rest -= min(bytes, share)
    }
    return samplings
  }
}

extension TableSchema {
  /// A name of the rowid; nil for a table without rowids, or whose columns have all its names.
  fileprivate var rowIDName: String? {
    entry.isWithoutRowID ? nil : ["rowid", "_rowid_", "oid"].first { column(named: $0) == nil || column(named: $0)?.isRowID == true }
  }

  /// The columns of the primary key of a table without rowids, in the order of its rows; empty if the order is mixed.
  fileprivate var rowOrder: [IndexSchema.Term] {
    guard entry.isWithoutRowID, let key = indexes.first(where: { $0.origin == .primaryKey }) else { return [] }
    let terms = Array(key.terms.prefix(primaryKey.count))
    let isOneWay = Set(terms.map(\.isDescending)).count == 1 && terms.allSatisfy { $0.column != nil }
    return isOneWay ? terms : []
  }
}

/// The part of a table's rows that has been copied.
struct CopiedPart {
  /// A statement that reads the next rows.
  struct Query: Sendable {
    var sql: String
    var arguments: StatementArguments
  }

  /// The greatest number of rows, and about the greatest number of bytes, that are read at once.
  private static let (mostRows, mostBytes) = (20_000, 16 << 20)

  let names: [String]
  /// Whether rows are missing, although there was room for them.
  private(set) var isCutShort = false
  private let copied: CopiedTable
  private let extent: TableExtent
  private let sampling: Int
  private let rowID: String?
  /// The terms by which the rows of a table without rowids are read in parts.
  private let order: [IndexSchema.Term]
  /// The key of the last row that was read.
  private var last: [DatabaseValue] = []
  private var count = 0
  private var table: TableSchema { copied.schema }
  private var isComplete = false

  /// The number of rows that are read at once.
  private var step: Int { max(1, min(Self.mostRows, Self.mostBytes / extent.rowBytes)) }

  init(_ copied: CopiedTable, extent: TableExtent, sampling: Int) {
    (self.copied, self.extent, self.sampling) = (copied, extent, sampling)
    let table = copied.schema
    (rowID, order) = (table.rowIDName, table.rowOrder)
    let isColumn = table.columns.contains(where: \.isRowID)
    names = (isColumn ? [] : [rowID].compactMap(\.self)) + copied.columns
  }

  /// The part from 0 to 1; nil if it is not known.
  var done: Double? {
    guard let range = extent.rowIDs else { return extent.rowCount > 0 ? min(1, Double(count * sampling) / Double(extent.rowCount)) : nil }
    guard case .integer(let last)? = last.first else { return 0 }
    return (Double(last) - Double(range.lowerBound)) / max(1, Double(range.upperBound) - Double(range.lowerBound))
  }

  /// The statement that reads the next rows; nil if there are none.
  var nextQuery: Query? {
    if isComplete { return nil }
    let list = names.map(text).joined(separator: ", ")
    let values = names.map { copied.isShortened($0) ? "\(copied.expression(for: $0)) AS \(text($0))" : text($0) }.joined(separator: ", ")
    let source = "\(values) FROM \(table.entry.reference.sql)"
    let arguments = StatementArguments(last)
    if let rowID {
      let conditions: [String] = (last.isEmpty ? [] : ["\(rowID) > ?"]) + (sampling > 1 ? [Self.sample(rowID, sampling)] : [])
      let condition = conditions.isEmpty ? "" : " WHERE \(conditions.joined(separator: " AND "))"
      return Query(sql: "SELECT \(source)\(condition) ORDER BY \(rowID) LIMIT \(step)", arguments: arguments)
    }
    if order.isEmpty { return Query(sql: "SELECT \(source) LIMIT \(step)", arguments: []) }
    let part = "SELECT \(source)\(keyCondition) ORDER BY \(orderText) LIMIT \(step * sampling)"
    if sampling == 1 { return Query(sql: part, arguments: arguments) }
    // Every row of this many, and therefore the last one.
    let numbered = "SELECT \(list), row_number() OVER () AS quarry_number FROM (\(part))"
    return Query(sql: "SELECT \(list) FROM (\(numbered)) WHERE quarry_number % \(sampling) = 0", arguments: arguments)
  }

  private func text(_ name: String) -> String { name == rowID && table.column(named: name) == nil ? name : SQLIdentifier.quoted(name) }

  /// Returns a condition that selects one row of many, also if the rowids have regular gaps.
  private static func sample(_ rowID: String, _ sampling: Int) -> String {
    "(((\(rowID) & 2147483647) + (\(rowID) >> 31 & 2147483647)) * 1640531527 >> 16) % \(sampling) = 0"
  }

  private var orderText: String { order.map { Self.text($0) + ($0.isDescending ? " DESC" : "") }.joined(separator: ", ") }

  private var keyCondition: String {
    if last.isEmpty { return "" }
    let comparison = order[0].isDescending ? "<" : ">"
    return " WHERE (\(order.map(Self.text).joined(separator: ", "))) \(comparison) (\(SQLText.parameters(order.count)))"
  }

  private static func text(_ term: IndexSchema.Term) -> String {
    "\(SQLIdentifier.quoted(term.column ?? "")) COLLATE \(SQLIdentifier.quoted(term.collation))"
  }

  /// Continues after the rows that were read.
  mutating func advance(after rows: [Row]) {
    count += rows.count
    guard rows.count == step, let row = rows.last else { return isComplete = true }
    if let key = key(of: row) { return last = key }
    (isComplete, isCutShort) = (true, count < extent.rowCount / sampling)
  }

  /// Returns the values by which the next rows are found; nil if that is not possible.
  private func key(of row: Row) -> [DatabaseValue]? {
    if let rowID {
      let index = names.firstIndex { $0 == rowID } ?? names.firstIndex { table.column(named: $0)?.isRowID == true }
      return index.flatMap { try? [row[$0]] }
    }
    guard !order.isEmpty else { return nil }
    return try? order.map { term in try row[term.column ?? ""] }
  }
}

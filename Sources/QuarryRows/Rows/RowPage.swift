public import QuarryEngine

/// The position, limit and patience of a page to read from a row set.
public struct PageRequest: Hashable, Sendable {
  /// The position of a page.
  public enum Position: Hashable, Sendable {
    /// The first rows.
    case first
    /// The last rows.
    case last
    /// The rows after this one.
    case after(RowKey)
    /// The rows before this one, in the set's order.
    case before(RowKey)
    /// This row and the following rows.
    ///
    /// If the row no longer exists, the page starts with the row after its position.
    case from(RowKey)
    /// The row with this number, from 0, and the following rows; the last row if the number is too large.
    case number(Int)
  }

  /// The position of the page.
  public var position: Position
  /// The maximum number of rows to read, at least 1.
  public var limit: Int
  /// The maximum time to search for the rows of the page; nil for no limit.
  ///
  /// After that, the page consists of the rows found so far, at least one: see ``RowPage/isPartial``.
  public var patience: Duration?

  /// Creates a request.
  ///
  /// ```swift
  /// PageRequest(.last, limit: 50)
  /// ```
  public init(_ position: Position, limit: Int, patience: Duration? = nil) {
    self.position = position
    self.limit = limit
    self.patience = patience
  }
}

/// A run of consecutive rows of a row set.
public struct RowPage: Hashable, Sendable {
  /// The rows, in the set's order.
  public var rows: [WindowRow]
  /// The number of the first row, from 0; nil if it is unknown.
  public var firstNumber: RowNumber?
  /// Whether the first row is the set's first.
  public var reachesStart: Bool
  /// Whether the last row is the set's last.
  public var reachesEnd: Bool
  /// Whether the page contains only the rows found so far.
  ///
  /// Request the next rows by the key of the last (or first) row.
  ///
  /// Only a request with ``PageRequest/patience`` returns partial pages.
  public var isPartial: Bool

  /// Creates a page.
  public init(rows: [WindowRow], firstNumber: RowNumber?, reachesStart: Bool, reachesEnd: Bool, isPartial: Bool = false) {
    self.rows = rows
    self.firstNumber = firstNumber
    self.reachesStart = reachesStart
    self.reachesEnd = reachesEnd
    self.isPartial = isPartial
  }

  /// The page with an estimated number, for rows that were read while another connection wrote.
  var withEstimatedNumber: RowPage {
    var page = self
    page.firstNumber = firstNumber.map { .estimated($0.value) }
    return page
  }
}

/// One row of a page.
public struct WindowRow: Hashable, Sendable {
  /// The key of the row.
  public var key: RowKey
  /// The values, one for each ``RowSetColumn``.
  public var cells: [CellValue]
  /// The key of the row in a table, for rows of a query that shows rows of that table; otherwise nil.
  ///
  /// It is nil in a page: see ``Database/keys(of:in:)``.
  public var tableKey: RowKey?

  /// Creates a row.
  public init(key: RowKey, cells: [CellValue]) {
    self.key = key
    self.cells = cells
  }

  /// Returns the value of a column, from 0; nil if the row has no such column.
  public subscript(column: Int) -> CellValue? {
    cells.indices.contains(column) ? cells[column] : nil
  }
}

/// A value in a page: exact, except that a long text or blob is represented by its beginning and its size.
public enum CellValue: Hashable, Sendable {
  /// NULL.
  case null
  /// An integer.
  case integer(Int64)
  /// A real.
  case real(Double)
  /// A text's beginning in whole characters, its size in bytes, and whether its bytes are valid UTF-8.
  ///
  /// U+FFFD replaces invalid bytes.
  case text(String, byteCount: Int, isValid: Bool)
  /// A blob's first bytes and its size in bytes.
  case blob([UInt8], byteCount: Int)

  /// The maximum number of bytes of a text or blob in a page.
  public static let prefixLimit = 1024
}

/// A column of a row set, in the order of its cells.
public struct RowSetColumn: Hashable, Sendable {
  /// The column's name.
  public var name: String
  /// The table's column, if the source is a table, a view, or a query whose rows can be changed in their table.
  public var schema: ColumnSchema?

  /// The declared type of the column, or of the table's column that a query selects; empty if none is declared.
  public var declaredType: String
  /// The expression of a computed column; nil for a column of the source.
  public private(set) var computed: ColumnExpression?

  /// Creates a computed column.
  package init(_ computed: ColumnExpression) {
    (name, declaredType) = (computed.name, "")
    self.computed = computed
  }

  /// The collation of the column's texts: that of a table's column, otherwise `BINARY`.
  package var collation: TextCollation { schema.flatMap { TextCollation(named: $0.collation) } ?? .binary }

  /// The column as written in a statement.
  var sqlText: SQLText { computed?.sqlText ?? "\(identifier: name)" }

  /// The column as named in filters and orders.
  ///
  /// A computed column without a name is its expression.
  public var syntax: FilterSyntax { computed.flatMap { $0.givenName == nil ? $0.syntax : nil } ?? FilterSyntax(.column(name)) }

  /// Creates a column.
  ///
  /// The type is the declared type of the table's column unless another is given.
  public init(name: String, schema: ColumnSchema?, declaredType: String? = nil) {
    self.name = name
    self.schema = schema
    self.declaredType = declaredType ?? schema?.declaredType ?? ""
  }
}

/// The progress of work on many rows.
///
/// ```swift
/// let page = try await reader.page(PageRequest(.number(5_000_000), limit: 50)) { progress in
///   print(progress.rows, "of", progress.total ?? 0)  // 2097152 of 10000000
/// }
/// ```
public struct RowProgress: Hashable, Sendable {
  /// The number of rows processed.
  public var rows: Int
  /// The approximate number of all rows; nil if it is unknown.
  public var total: Int?
  /// The time since the work began; nil if it is unknown.
  public var elapsed: Duration?
  /// Whether another connection has written to the file since the work began, so that the rows were read in several states of the file.
  public var sawChanges = false
  /// The rows of a query that are known so far; nil in most reports.
  package var found: RowsSoFar?

  /// Creates a report.
  public init(rows: Int, total: Int? = nil, elapsed: Duration? = nil) {
    self.rows = rows
    self.total = total
    self.elapsed = elapsed
  }

  /// The estimated remaining time at the same pace; nil if it is unknown.
  public var timeLeft: Duration? {
    guard let total, let elapsed, rows > 0 else { return nil }
    return elapsed * (Double(max(0, total - rows)) / Double(rows))
  }
}

/// The position of a row in a view or query, as an additional column that makes any order total without a key.
///
///     SELECT name, amount FROM (SELECT *, row_number() OVER () AS "place of the row" FROM v) ORDER BY amount DESC, "place of the row"
package enum RowPosition {
  /// The column of the position.
  package static let column = Column<Int>("place of the row")

  /// Returns a source, as written after FROM, with the positions of its rows.
  ///
  ///     (SELECT name, amount, row_number() OVER () AS "place of the row" FROM v)
  ///
  /// - Parameters:
  ///   - source: A view or a query in parentheses.
  ///   - names: The columns, as written after SELECT.
  package static func numbering(_ source: SQLText, names: SQLText = "*") -> SQLText {
    "(SELECT \(names), row_number() OVER () AS \(identifier: column.name) FROM \(source))"
  }
}

extension Statement {
  /// Reads the first values of the statement's current row, at most `limit` bytes of each text or blob.
  package func cells(_ count: Int, limit: Int) throws -> [CellValue] {
    try (0..<count).map { try cell(at: $0, limit: limit) }
  }

  private func cell(at index: Int, limit: Int) throws -> CellValue {
    switch try columnStorageClass(at: index) {
    case .null: .null
    case .integer: .integer(try columnInteger(at: index))
    case .real: .real(try columnReal(at: index))
    case .text: try withColumnBytes(at: index) { CellValue(text: $0, limit: limit) }
    case .blob: try withColumnBytes(at: index) { .blob(Array($0.prefix(limit)), byteCount: $0.count) }
    }
  }

  /// Reads the exact value of a column.
  ///
  /// A text that is not valid UTF-8 is returned as its bytes, because a `String` cannot contain it.
  package func wholeValue(at index: Int) throws -> DatabaseValue {
    guard try columnStorageClass(at: index) == .text else { return try columnValue(at: index) }
    return try withColumnBytes(at: index) { bytes in
      String(validating: bytes, as: UTF8.self).map { .text($0) } ?? .blob(Array(bytes))
    }
  }
}

extension CellValue {
  /// Creates a cell from the beginning of a text, in whole characters.
  package init(text bytes: UnsafeRawBufferPointer, limit: Int) {
    let isValid = UTF8Validation.firstFault(in: bytes) == nil
    guard bytes.count > limit else {
      self = .text(String(decoding: bytes, as: UTF8.self), byteCount: bytes.count, isValid: isValid)
      return
    }
    // The character that the limit divides may begin well before it.
    let end = bytes[..<limit].lastIndex { $0 & 0xC0 != 0x80 } ?? limit
    let beginning = String(decoding: bytes[..<(bytes[limit] & 0xC0 == 0x80 ? end : limit)], as: UTF8.self)
    // The last character may be incomplete, so it is dropped, unless it is the only one.
    self = .text(beginning.count > 1 ? String(beginning.dropLast()) : beginning, byteCount: bytes.count, isValid: isValid)
  }
}

extension CellValue {
  /// The whole value; nil if the page has only its beginning.
  public var whole: StoredValue? {
    switch self {
    case .null: .null
    case .integer(let value): .value(.integer(value))
    case .real(let value): .value(.real(value))
    case .text(let text, let byteCount, isValid: true) where text.utf8.count == byteCount: .value(.text(text))
    case .blob(let bytes, let byteCount) where bytes.count == byteCount: .value(.blob(bytes))
    case .text, .blob: nil
    }
  }
}

public import QuarryEngine

/// What to read of a row set: from where, which way, and how much.
public struct PageRequest: Hashable, Sendable {
  /// Where a page lies.
  public enum Position: Hashable, Sendable {
    /// The first rows.
    case first
    /// The last rows.
    case last
    /// The rows that follow this one, without it.
    case after(RowKey)
    /// The rows that come before this one, without it; the page is in the set's order all the same.
    case before(RowKey)
    /// This row (or, where it is gone, the one that follows its place) and those that follow.
    case from(RowKey)
    /// The row of this number, from 0, and those that follow; the last row where there are not so many.
    case number(Int)
  }

  /// Where the page lies.
  public var position: Position
  /// The greatest number of rows to read, at least 1.
  public var limit: Int
  /// How long to look for all the rows of the page; nil is as long as it takes.
  ///
  /// After that, as soon as there is one, what has been found is the page: see ``RowPage/isPartial``.
  public var patience: Duration?

  /// Makes a request.
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

/// A run of rows that lie next to one another in a row set.
public struct RowPage: Hashable, Sendable {
  /// The rows, in the set's order.
  public var rows: [WindowRow]
  /// The number of the first row, from 0; nil where nothing is known of it.
  public var firstNumber: RowNumber?
  /// Whether the first row is the set's first.
  public var reachesStart: Bool
  /// Whether the last row is the set's last.
  public var reachesEnd: Bool
  /// Whether these are the rows found so far, and the page may have more: they are to be asked for by the key of the last (or first).
  ///
  /// Only a request with ``PageRequest/patience`` is answered so.
  public var isPartial: Bool

  /// Makes a page.
  public init(rows: [WindowRow], firstNumber: RowNumber?, reachesStart: Bool, reachesEnd: Bool, isPartial: Bool = false) {
    self.rows = rows
    self.firstNumber = firstNumber
    self.reachesStart = reachesStart
    self.reachesEnd = reachesEnd
    self.isPartial = isPartial
  }

  /// The page of rows that were read while others wrote, so that nobody knows their numbers.
  var withEstimatedNumber: RowPage {
    var page = self
    page.firstNumber = firstNumber.map { .estimated($0.value) }
    return page
  }
}

/// One row of a page.
public struct WindowRow: Hashable, Sendable {
  /// What the row is known by.
  public var key: RowKey
  /// The values, one for each ``RowSetColumn``.
  public var cells: [CellValue]
  /// What a table knows the row by, where the row is one of a query that shows rows of that table; nil elsewhere.
  ///
  /// A page has none: see ``Database/keys(of:in:)``.
  public var tableKey: RowKey?

  /// Makes a row.
  public init(key: RowKey, cells: [CellValue]) {
    self.key = key
    self.cells = cells
  }

  /// Returns the value of a column, from 0; nil where the row has no such column.
  public subscript(column: Int) -> CellValue? {
    cells.indices.contains(column) ? cells[column] : nil
  }
}

/// A value as a page holds it: exact, but for a long text or blob of which it has the beginning and the size.
public enum CellValue: Hashable, Sendable {
  /// NULL.
  case null
  /// An integer.
  case integer(Int64)
  /// A real.
  case real(Double)
  /// A text's beginning in whole characters, its size in bytes, and whether its bytes are valid UTF-8 (else U+FFFD stands for what is not).
  case text(String, byteCount: Int, isValid: Bool)
  /// A blob's first bytes and its size in bytes.
  case blob([UInt8], byteCount: Int)

  /// The greatest number of bytes of a text or blob that a page holds.
  public static let prefixLimit = 1024
}

/// A column of a row set, in the order of its cells.
public struct RowSetColumn: Hashable, Sendable {
  /// The column's name.
  public var name: String
  /// The table's column, where the set's source is a table or view, or a query whose rows can be changed in their table.
  public var schema: ColumnSchema?

  /// The type that the column is declared with, in its table or in that which a query takes it from; empty where there is none.
  public var declaredType: String
  /// What the column is, where it is computed; nil for one of the source.
  public private(set) var computed: ColumnExpression?

  /// Makes a column that is computed.
  package init(_ computed: ColumnExpression) {
    (name, declaredType) = (computed.text, "")
    self.computed = computed
  }

  /// How its texts are compared, where it is a table's: those of any other are by their bytes.
  package var collation: TextCollation { schema.flatMap { TextCollation(named: $0.collation) } ?? .binary }

  /// The column as a statement reads it.
  var sqlText: SQLText { computed?.sqlText ?? "\(identifier: name)" }

  /// The column as filters and orders name it.
  public var syntax: FilterSyntax { computed?.syntax ?? FilterSyntax(.column(name)) }

  /// Makes a column; its type is that of the table's column where no other is given.
  public init(name: String, schema: ColumnSchema?, declaredType: String? = nil) {
    self.name = name
    self.schema = schema
    self.declaredType = declaredType ?? schema?.declaredType ?? ""
  }
}

/// How far work is that passes many rows.
///
/// ```swift
/// let page = try await reader.page(PageRequest(.number(5_000_000), limit: 50)) { progress in
///   print(progress.rows, "of", progress.total ?? 0)  // 2097152 of 10000000
/// }
/// ```
public struct RowProgress: Hashable, Sendable {
  /// The number of rows that have been passed.
  public var rows: Int
  /// About how many there are; nil where that is not known.
  public var total: Int?
  /// How long that has taken; nil where that is not known.
  public var elapsed: Duration?
  /// Whether others have written to the file since the work began, so that not all rows were read in the same state of it.
  public var sawChanges = false

  /// Makes a report.
  public init(rows: Int, total: Int? = nil, elapsed: Duration? = nil) {
    self.rows = rows
    self.total = total
    self.elapsed = elapsed
  }

  /// How long the rest will take at the same pace; nil where that cannot be told.
  public var timeLeft: Duration? {
    guard let total, let elapsed, rows > 0 else { return nil }
    return elapsed * (Double(max(0, total - rows)) / Double(rows))
  }
}

/// The position of a row in a view or query, as a further column that makes any order total where no key tells rows apart.
///
///     SELECT name, amount FROM (SELECT *, row_number() OVER () AS "place of the row" FROM v) ORDER BY amount DESC, "place of the row"
package enum RowPosition {
  /// The column that has the position.
  package static let column = Column<Int>("place of the row")

  /// Returns a source, as it stands after FROM, with the positions of its rows.
  ///
  ///     (SELECT name, amount, row_number() OVER () AS "place of the row" FROM v)
  ///
  /// - Parameters:
  ///   - source: a view or a query in parentheses.
  ///   - names: the columns, as they stand after SELECT.
  package static func numbering(_ source: SQLText, names: SQLText = "*") -> SQLText {
    "(SELECT \(names), row_number() OVER () AS \(identifier: column.name) FROM \(source))"
  }
}

extension Statement {
  /// Reads the first values of the row that the statement stands on, each text or blob at most `limit` bytes of it.
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

  /// Reads the exact value of a column; a text that is not valid UTF-8, which no `String` can hold, as its bytes.
  package func wholeValue(at index: Int) throws -> DatabaseValue {
    guard try columnStorageClass(at: index) == .text else { return try columnValue(at: index) }
    return try withColumnBytes(at: index) { bytes in
      String(validating: bytes, as: UTF8.self).map { .text($0) } ?? .blob(Array(bytes))
    }
  }
}

extension CellValue {
  /// Makes a cell of the beginning of a text, in whole characters.
  package init(text bytes: UnsafeRawBufferPointer, limit: Int) {
    let isValid = UTF8Validation.firstFault(in: bytes) == nil
    guard bytes.count > limit else {
      self = .text(String(decoding: bytes, as: UTF8.self), byteCount: bytes.count, isValid: isValid)
      return
    }
    // The character that the limit cuts through may begin well before it.
    let end = bytes[..<limit].lastIndex { $0 & 0xC0 != 0x80 } ?? limit
    let beginning = String(decoding: bytes[..<(bytes[limit] & 0xC0 == 0x80 ? end : limit)], as: UTF8.self)
    // Of the last character a part may have been cut off; a text of one character stays.
    self = .text(beginning.count > 1 ? String(beginning.dropLast()) : beginning, byteCount: bytes.count, isValid: isValid)
  }
}

extension CellValue {
  /// The whole value; nil where a page has only the beginning of it.
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

internal import QuarryEngine
internal import QuarryRows

/// The rows of a table for a dump: the stored columns, and the rowid if it is not a column and there is room for it.
struct DumpTable: Sendable {
  /// The SQL before the values of each row: `INSERT INTO t(rowid,a) VALUES(`.
  let head: [UInt8]
  /// The expressions to read from each row.
  let values: [SQLText]
  /// The SQL after FROM.
  private let source: SQLText
  /// The rows by key, or nil if they are read without a key.
  private(set) var rows: KeysetRows?
  /// The rowid column and its bounds, if the table has rowids that can be read.
  let ids: (column: SQLText, bounds: RowIDBounds)?

  /// Determines how to read a table's rows.
  ///
  /// - Throws: `DatabaseError` if they cannot be read.
  init(_ name: String, in database: Database) throws {
    let schema = try database.tableSchema(TableReference(name: name))
    if let problem = schema.problem { throw DatabaseError(DatabaseError.SQLITE_ERROR, "“\(name)” cannot be read: \(problem)") }
    let stored = schema.columns.filter { $0.generation == nil }.map(\.name)
    let rows = KeysetRows(schema, in: database)
    let id = rows?.rowIDColumn
    // A result row has no more values than a table can have columns.
    let hasRoom = stored.count < database.columnLimit
    let hidden = schema.columns.contains(where: \.isRowID) || !hasRoom ? nil : id
    values = [hidden].compactMap(\.self) + stored.map { "\(identifier: $0)" }
    // A covering index would return the rows in its own order.
    source = "\(schema.entry.reference.sqlText) NOT INDEXED"
    let isPlain = hidden == nil && stored.count == schema.columns.count
    head = Self.head(name, columns: isPlain ? [] : values)
    self.rows = rows
    ids = try id.flatMap { id in try rows?.rowIDBounds(in: database).map { (id, $0) } }
  }

  /// Creates a description of one of SQLite's own tables, whose columns are known.
  ///
  /// - Parameter condition: The condition on the rows, or empty for all rows.
  init(system name: String, columns: [String], where condition: SQLText = SQLText()) {
    values = columns.map { "\(identifier: $0)" }
    source = condition.isEmpty ? "main.\(identifier: name)" : "main.\(identifier: name) WHERE \(condition)"
    head = Self.head(name, columns: [])
    ids = nil
  }

  private static func head(_ name: String, columns: [SQLText]) -> [UInt8] {
    let list = columns.isEmpty ? "" : "(\(columns.map(\.sql).joined(separator: ",")))"
    return Array("INSERT INTO \(SQLIdentifier.quoted(name))\(list) VALUES(".utf8)
  }

  /// The approximate number of rows, or nil if it is not known.
  var estimate: Int? { ids?.bounds.span }

  /// Returns the SQL after FROM for the rows of a range, or for all rows.
  func source(_ part: RowIDRanges.Part?) -> SQLText {
    guard let part, let ids else { return source }
    return "\(source) WHERE \(part.condition(on: ids.column))"
  }
}

/// Writes the rows of a table as INSERT statements.
final class DumpVisitor: RowVisitor {
  var head: [UInt8] = []
  /// Whether texts can be written as they are stored.
  private let isUTF8: Bool
  private let reals = RealLiterals()
  private let writer: OrderedWriter
  @exclusivity(unchecked) private var count = 0

  init(_ encoding: DatabaseEncoding, to writer: OrderedWriter) {
    isUTF8 = encoding == .utf8
    self.writer = writer
  }

  override func visit(_ row: BorrowedRow) throws {
    try writer.append { out in
      let start = out.count
      out.append(head)
      if isUTF8 { append(try row.values(), to: &out) } else { try append(row, to: &out) }
      out.append(");\n")
      if out.count - start > Self.statementLimit { throw Self.tooLong }
    }
    count &+= 1
  }

  /// The maximum size of an SQL statement in bytes: SQLite's default `SQLITE_MAX_SQL_LENGTH`.
  private static let statementLimit = 1_000_000_000

  private static var tooLong: DatabaseError {
    DatabaseError(
      DatabaseError.SQLITE_TOOBIG,
      "a row needs more than 1 GB of SQL, the limit of a statement: `quarry backup` copies the database")
  }

  /// Returns the number of rows written since the last call.
  func takeCount() -> Int {
    defer { count = 0 }
    return count
  }

  private func append(_ values: UnsafeBufferPointer<BorrowedValue>, to out: inout ByteBuffer) {
    for (index, value) in values.enumerated() {
      if index > 0 { out.append(UInt8(ascii: ",")) }
      reals.write(value, to: &out)
    }
  }

  /// Writes a row whose texts are not UTF-8.
  ///
  /// Each text is read before SQLite has converted it.
  private func append(_ row: BorrowedRow, to out: inout ByteBuffer) throws {
    for index in 0..<row.count {
      if index > 0 { out.append(UInt8(ascii: ",")) }
      if let stored = try row.storedText(at: index) {
        try append(stored.bytes, stored.encoding, to: &out)
      } else {
        reals.write(try row.value(at: index, isTerminated: false), to: &out)
      }
    }
  }

  /// Writes a text that is not UTF-8.
  ///
  /// Invalid bytes are cast from a blob in the encoding of the database.
  private func append(_ bytes: UnsafeRawBufferPointer, _ encoding: DatabaseEncoding, to out: inout ByteBuffer) throws {
    guard var text = encoding.text(bytes) else { return out.append(castOf: bytes) }
    text.withUTF8 { buffer in
      let utf8 = UnsafeRawBufferPointer(buffer)
      // SQLite would read U+FFFE in a literal as another character.
      if UTF16Text.hasNoncharacter(utf8) { out.append(castOf: bytes) } else { out.append(sqlText: utf8) }
    }
  }
}

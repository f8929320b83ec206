internal import QuarryEngine
internal import QuarryRows

/// The rows of a table as a dump reads them: the columns that are stored, and the rowid where no column is it and there is room for it.
struct DumpTable: Sendable {
  /// What stands before the values of each row: `INSERT INTO t(rowid,a) VALUES(`.
  let head: [UInt8]
  /// What is read of each row.
  let values: [SQLText]
  /// What stands after FROM.
  private let source: SQLText
  /// The rows by their key; nil for what is read without one.
  private(set) var rows: KeysetRows?
  /// The rowids, where the table has any and they can be read.
  let ids: (column: SQLText, bounds: RowIDBounds)?

  /// Finds out how a table's rows are read.
  ///
  /// - Throws: `DatabaseError` where they cannot be.
  init(_ name: String, in database: Database) throws {
    let schema = try database.tableSchema(TableReference(name: name))
    if let problem = schema.problem { throw DatabaseError(DatabaseError.SQLITE_ERROR, "“\(name)” cannot be read: \(problem)") }
    let stored = schema.columns.filter { $0.generation == nil }.map(\.name)
    let rows = KeysetRows(schema, in: database)
    let id = rows?.rowIDColumn
    // A row of a result has no more values than a table has columns.
    let hasRoom = stored.count < database.columnLimit
    let hidden = schema.columns.contains(where: \.isRowID) || !hasRoom ? nil : id
    values = [hidden].compactMap(\.self) + stored.map { "\(identifier: $0)" }
    // An index that holds all columns would give the rows in its own order.
    source = "\(schema.entry.reference.sqlText) NOT INDEXED"
    let isPlain = hidden == nil && stored.count == schema.columns.count
    head = Self.head(name, columns: isPlain ? [] : values)
    self.rows = rows
    ids = try id.flatMap { id in try rows?.rowIDBounds(in: database).map { (id, $0) } }
  }

  /// Reads the rows of one of SQLite's own tables, which are known by their columns.
  ///
  /// - Parameter condition: What is to be true of the rows; empty for all of them.
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

  /// About how many rows there are; nil where that is not known.
  var estimate: Int? { ids?.bounds.span }

  /// Returns what stands after FROM for the rows of a range, or for all.
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

  /// How many bytes of SQL a statement may have: SQLite's own default, `SQLITE_MAX_SQL_LENGTH`.
  private static let statementLimit = 1_000_000_000

  private static var tooLong: DatabaseError {
    DatabaseError(
      DatabaseError.SQLITE_TOOBIG,
      "a row takes more SQL than the 1 GB that SQLite reads as one statement: `quarry backup` copies the database")
  }

  /// Returns how many rows it has written since it was asked last.
  func takeCount() -> Int {
    defer { count = 0 }
    return count
  }

  private func append(_ values: UnsafeBufferPointer<BorrowedValue>, to out: inout ByteBuffer) {
    for (index, value) in values.enumerated() {
      if index > 0 { out.append(UInt8(ascii: ",")) }
      append(value, to: &out)
    }
  }

  /// Writes a row whose texts have another encoding than UTF-8: each is read before SQLite has converted it.
  private func append(_ row: BorrowedRow, to out: inout ByteBuffer) throws {
    for index in 0..<row.count {
      if index > 0 { out.append(UInt8(ascii: ",")) }
      if let stored = try row.storedText(at: index) {
        try append(stored.bytes, stored.encoding, to: &out)
      } else {
        append(try row.value(at: index, isTerminated: false), to: &out)
      }
    }
  }

  @inline(__always)
  private func append(_ value: BorrowedValue, to out: inout ByteBuffer) {
    switch value {
    case .null: out.append("NULL")
    case .integer(let value): out.append(decimal: value)
    case .real(let value): reals.write(value, to: &out)
    case .text(let bytes): out.append(sqlText: bytes)
    case .blob(let bytes): out.append(blobLiteral: bytes)
    }
  }

  /// Writes a text of another encoding than UTF-8; bytes that are no text are cast from a blob, which has the encoding of the database.
  private func append(_ bytes: UnsafeRawBufferPointer, _ encoding: DatabaseEncoding, to out: inout ByteBuffer) throws {
    guard var text = encoding.text(bytes) else { return out.append(castOf: bytes) }
    text.withUTF8 { buffer in
      let utf8 = UnsafeRawBufferPointer(buffer)
      // SQLite would read U+FFFE from a literal as another character.
      if UTF16Text.hasNoncharacter(utf8) { out.append(castOf: bytes) } else { out.append(sqlText: utf8) }
    }
  }
}

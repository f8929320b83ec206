package import QuarryEngine
internal import QuarryRows

/// How the whole values of a column are asked for, by what is known of them.
enum RemoteForm: Sendable {
  /// Nothing is known: as ``RemoteProjection/cell(_:limit:)`` asks.
  case any
  /// There are integers and NULL alone, which come as they are.
  case integer
  /// There are hardly any values but texts: these come as blobs, which no NUL cuts and which no tag has to be told from, and blobs as texts.
  ///
  ///     CASE WHEN +c3 COLLATE BINARY < X'' THEN CAST(c3 AS BLOB) WHEN c3 IS NOT NULL THEN 'x' || hex(c3) END
  ///
  /// That takes a server a third as long as a look for a NUL in each text.
  case text

  /// Returns the expression that gives a value.
  func expression(_ name: String) -> String {
    switch self {
    case .any: RemoteProjection.cell(name, limit: nil)
    case .integer: name
    case .text: "CASE WHEN +\(name) COLLATE BINARY < X'' THEN CAST(\(name) AS BLOB) WHEN \(name) IS NOT NULL THEN 'x' || hex(\(name)) END"
    }
  }

  /// Finds out what the columns of a query hold: those that are columns of ordinary tables have their affinity.
  ///
  /// A compound is said to have the columns of its first part, whatever the others have, and so is a view of one.
  static func forms(of statement: Statement, in db: Database) throws -> [RemoteForm] {
    let tokens = StatementTokens(statement.sql)
    let compounds: Set<Keyword?> = [.union, .intersect, .except, .values]
    let isCompound = (0..<tokens.count).contains { compounds.contains(tokens.keyword($0)) }
    let schemas = try statement.databaseRegion.tables.map { ($0, try? db.tableSchema($0)) }
    guard !isCompound, schemas.allSatisfy({ $1?.entry.kind == .table }) else {
      return Array(repeating: .any, count: statement.columnCount)
    }
    let known = Dictionary(schemas, uniquingKeysWith: { first, _ in first })
    return statement.columnOrigins.map { origin in
      guard let origin, let schema = known[origin.table] ?? nil else { return .any }
      guard let column = schema.columns.first(where: { $0.name == origin.column }) else { return .any }
      if column.isRowID { return .integer }
      return column.affinity == .text ? .text : .any
    }
  }
}

/// A row of whole values as a server has sent it.
package struct RemoteRow: RandomAccessCollection {
  let values: ArraySlice<RemoteValue>
  let forms: [RemoteForm]

  package var startIndex: Int { 0 }
  package var endIndex: Int { forms.count }

  package subscript(index: Int) -> RemoteCell {
    RemoteCell(value: values[values.startIndex + index], form: forms[index])
  }
}

/// A whole value as a server has sent it.
package struct RemoteCell: Sendable {
  package let value: RemoteValue
  let form: RemoteForm

  /// The value; NULL where only its beginning has come.
  package var storedValue: StoredValue {
    get throws {
      let whole: StoredValue?
      switch (form, value) {
      case (.text, .blob(let bytes)): whole = try StoredValue(.text(bytes))
      case (.text, .text(let digits)): whole = .value(.blob(try Self.bytes(ofHexadecimal: digits.dropFirst())))
      default: whole = try StoredValue(value)
      }
      return whole ?? .value(.null)
    }
  }

  /// Lends the value; NULL where only its beginning has come.
  @inline(__always)
  func lend(_ body: (BorrowedValue) -> Void) throws {
    guard case .text = form else { return try value.lend(body) }
    switch value {
    case .blob(let bytes): bytes.withUnsafeBytes { body(.text($0)) }
    case .text(let digits): try Self.bytes(ofHexadecimal: digits.dropFirst()).withUnsafeBytes { body(.blob($0)) }
    default: try value.lend(body)
    }
  }

  private static func bytes(ofHexadecimal digits: ArraySlice<UInt8>) throws -> [UInt8] {
    if let bytes = [UInt8](hexadecimal: digits) { return bytes }
    throw DataSourceError("the server has answered with a value that was not asked for")
  }
}

internal import QuarryEngine

/// The key that matches the rows of a table in both databases, and their order.
struct DiffKey: Sendable {
  /// The kinds of matching.
  enum Kind: Hashable, Sendable {
    /// By columns with unique values.
    case columns
    /// By the rowid, which may have different names on both sides.
    case rowID
    /// By all values.
    ///
    /// A table may contain several equal rows.
    case wholeRows
  }

  let kind: Kind
  /// The names of the columns.
  let columns: [String]
  /// Whether several rows may have the same values, because the user has chosen the columns.
  let mayRepeat: Bool
  /// The collation of each column, which is one of SQLite's own.
  private let collations: [String]

  /// The collations whose order is known here.
  private static let known: Set<String> = ["BINARY", "NOCASE", "RTRIM"]

  /// Creates a key.
  ///
  /// - Parameter schemas: The table in the two databases. If their collations differ or are not SQLite's own, texts are compared by their
  ///   bytes, for which the server must sort.
  init(_ columns: [String], _ kind: Kind = .columns, of schemas: [TableSchema], mayRepeat: Bool = false) {
    (self.columns, self.kind, self.mayRepeat) = (columns, kind, mayRepeat)
    collations = columns.map { name in
      guard kind == .columns else { return "BINARY" }
      let found = Set(schemas.map { ($0.column(named: name)?.collation ?? "BINARY").uppercased() })
      return found.count == 1 && Self.known.isSuperset(of: found) ? found.first ?? "BINARY" : "BINARY"
    }
  }

  /// Finds the key of a table: the given columns, or else the primary key, the rowid, or whole rows.
  ///
  /// - Throws: ``DiffObstacle`` if a given column is missing.
  static func find(of from: TableSchema?, _ to: TableSchema?, named: [String]?) throws(DiffObstacle) -> DiffKey {
    let schemas = [from, to].compactMap(\.self)
    if let named {
      let missing = named.first { name in !schemas.allSatisfy { $0.column(named: name) != nil } }
      if let missing { throw DiffObstacle("--key names “\(missing)”, and the table has no such column", isUnknownKey: true) }
      return DiffKey(named, of: schemas, mayRepeat: true)
    }
    let keys = schemas.map(\.primaryKey)
    if let first = keys.first, !first.isEmpty, keys.allSatisfy({ $0.map(\.asciiLowercased) == first.map(\.asciiLowercased) }) {
      return DiffKey(first, of: schemas)
    }
    return withoutPrimaryKey(of: schemas)
  }

  /// Returns the rowid as key, or whole rows if one of the tables has no rowid.
  static func withoutPrimaryKey(of schemas: [TableSchema]) -> DiffKey {
    let names = schemas.compactMap(\.rowIDName)
    if let name = names.first, names.count == schemas.count { return DiffKey([name], .rowID, of: schemas) }
    let columns = schemas.first?.columns.filter { column in
      column.generation == nil && !column.isHidden && schemas.allSatisfy { $0.column(named: column.name) != nil }
    }
    return DiffKey(columns?.map(\.name) ?? [], .wholeRows, of: schemas)
  }

  /// Whether a table stores its rows in key order.
  func isStorageOrder(of schema: TableSchema) -> Bool {
    guard schema.entry.isWithoutRowID else {
      return kind == .rowID || columns.count == 1 && schema.column(named: columns[0])?.isRowID == true
    }
    guard kind == .columns, let index = schema.indexes.first(where: { $0.origin == .primaryKey }) else { return false }
    return index.terms.count == columns.count
      && zip(index.terms, zip(columns, collations)).allSatisfy { term, part in
        !term.isDescending && term.column?.isSameIdentifier(as: part.0) == true && term.collation.isSameIdentifier(as: part.1)
      }
  }

  // MARK: SQL

  /// Returns the names of the columns in one of the tables.
  func names(in schema: TableSchema?) -> [String] {
    kind == .rowID ? [schema?.rowIDName ?? columns[0]] : columns
  }

  /// Whether the key is an INTEGER PRIMARY KEY in all of some tables.
  func isRowID(of schemas: [TableSchema?]) -> Bool {
    columns.count == 1
      && schemas.allSatisfy { schema in
        guard let schema, let key = schema.columns.first(where: \.isRowID)?.name else { return false }
        return key.isSameIdentifier(as: names(in: schema)[0])
      }
  }

  private func terms(in schema: TableSchema?) -> [SQLText] {
    zip(names(in: schema), collations).map { "\(identifier: $0) COLLATE \(raw: $1)" }
  }

  /// Returns the order of the rows.
  ///
  /// - Parameter binary: The collation that sorts texts by their UTF-8.
  func order(in schema: TableSchema?, binary: String = "BINARY") -> SQLText {
    zip(names(in: schema), collations).map { name, collation -> SQLText in
      let term: SQLText = "\(identifier: name) COLLATE \(raw: collation == "BINARY" ? binary : collation)"
      return kind == .wholeRows ? "\(term), typeof(\(identifier: name))" : term
    }.joined(by: ", ")
  }

  /// Whether texts of the key are compared by their bytes, which depend on the encoding of the database.
  var isOrderedByBytes: Bool { kind != .rowID && collations.contains("BINARY") }

  /// Returns what begins the comparisons of the rows with a key, the same for all keys.
  ///
  ///     (Name COLLATE NOCASE, Album COLLATE BINARY)
  func operand(in schema: TableSchema?) -> SQLText { "(\(terms(in: schema).joined(by: ", ")))" }

  /// Returns the condition that matches the rows in a range of keys, after WHERE, or an empty text for all rows.
  ///
  ///      WHERE (Name COLLATE NOCASE, Album COLLATE BINARY) > (?, ?)
  ///
  /// - Parameter operand: The result of ``operand(in:)``.
  static func condition(_ range: KeyRange, on operand: SQLText) -> SQLText {
    var sql = SQLText()
    for (key, sign) in [(range.after, " > " as StaticString), (range.through, " <= ")] {
      guard let key else { continue }
      sql.append(sql.isEmpty ? " WHERE " : " AND ")
      sql.append(operand)
      sql.append(sign)
      sql.append(row(key))
    }
    return sql
  }

  private static func row(_ key: [StoredValue]) -> SQLText {
    var sql: SQLText = "("
    for (index, value) in key.enumerated() {
      if index > 0 { sql.append(", ") }
      switch value {
      case .value(let value): sql.append(argument: value)
      case .rawText(let bytes): sql.append("CAST(\(DatabaseValue.blob(bytes)) AS TEXT)" as SQLText)
      }
    }
    sql.append(")")
    return sql
  }

  // MARK: Order

  /// Returns the values of a key in a form that is the same for equal keys: `'abc'` for `'Abc'` under NOCASE, 1 for 1.0.
  func canonical(_ values: some Sequence<StoredValue>) -> [StoredValue] {
    zip(values, collations).map { value, collation in
      switch value {
      case .value(.real(let number)): Int64(exactly: number).map { .value(.integer($0)) } ?? value
      case .value(.text(let text)) where collation == "NOCASE": .value(.text(text.asciiLowercased))
      case .value(.text(let text)) where collation == "RTRIM":
        .value(.text(String(text.reversed().drop { $0 == " " }.reversed())))
      default: value
      }
    }
  }

  /// Returns whether a row comes before another one, or nil if both have the same key.
  func precedes(_ first: ArraySlice<StoredValue>, _ second: ArraySlice<StoredValue>) -> Bool? {
    for (index, (first, second)) in zip(first, second).enumerated() {
      if let result = first.precedes(second, by: collations[index]) { return result }
      // 1 and 1.0 are equal keys, but different rows.
      if kind == .wholeRows, first.storageClass != second.storageClass { return first.storageClass == .integer }
    }
    return nil
  }
}

/// The rows after a key, up to another one.
struct KeyRange: Hashable, Sendable {
  /// The key, or nil for the first rows.
  var after: [StoredValue]?
  /// The greatest key, or nil for all rows to the end.
  var through: [StoredValue]?
}

/// The reason why the rows of a table are not compared.
package struct DiffObstacle: Error {
  var reason: String
  /// Whether the columns given as key are the reason.
  var isUnknownKey = false

  package init(_ reason: String, isUnknownKey: Bool = false) {
    (self.reason, self.isUnknownKey) = (reason, isUnknownKey)
  }
}

extension StoredValue {
  /// Returns whether the value comes before another in SQLite's order: NULL, numbers, texts, blobs.
  ///
  /// Nil if they are equal in this order.
  fileprivate func precedes(_ other: StoredValue, by collation: String) -> Bool? {
    if rank != other.rank { return rank < other.rank }
    switch (self, other) {
    case (.value(.integer(let first)), .value(.integer(let second))): return first == second ? nil : first < second
    case (.value(.real(let first)), .value(.real(let second))): return first == second ? nil : first < second
    case (.value(.integer(let first)), .value(.real(let second))): return Self.precedes(first, second)
    case (.value(.real(let first)), .value(.integer(let second))): return Self.precedes(second, first).map { !$0 }
    case (.value(.null), _): return nil
    default:
      let (first, second) = (bytes(by: collation), other.bytes(by: collation))
      if first != second { return first.lexicographicallyPrecedes(second) }
      guard collation == "NOCASE" else { return nil }
      // After a NUL, NOCASE compares only the number of bytes.
      let (length, otherLength) = (bytes.count, other.bytes.count)
      return length == otherLength ? nil : length < otherLength
    }
  }

  private var rank: Int {
    switch storageClass {
    case .null: 0
    case .integer, .real: 1
    case .text: 2
    case .blob: 3
    }
  }

  /// Returns whether an integer comes before a real.
  ///
  /// Converting great integers to reals would lose precision. Nil if they are equal.
  private static func precedes(_ integer: Int64, _ real: Double) -> Bool? {
    if real >= 0x1p63 { return true }
    if real < -0x1p63 { return false }
    let whole = Int64(real)
    if integer != whole { return integer < whole }
    let rest = real - Double(whole)
    return rest == 0 ? nil : rest > 0
  }

  /// The bytes of a text or a blob.
  private var bytes: [UInt8] {
    switch self {
    case .value(.blob(let blob)): blob
    case .value(.text(let text)): Array(text.utf8)
    case .rawText(let raw): raw
    case .value: []
    }
  }

  /// The bytes that are compared.
  private func bytes(by collation: String) -> [UInt8] {
    guard storageClass == .text else { return bytes }
    switch collation {
    case "NOCASE": return bytes.prefix { $0 != 0 }.map { (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains($0) ? $0 + 32 : $0 }
    case "RTRIM": return bytes.lastIndex { $0 != UInt8(ascii: " ") }.map { Array(bytes[...$0]) } ?? []
    default: return bytes
    }
  }
}

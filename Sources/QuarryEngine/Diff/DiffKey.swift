/// What tells the rows of a table apart in both databases, and their order by it.
struct DiffKey: Sendable {
  /// The names of the columns.
  let columns: [String]
  /// The collation of each, one of SQLite's own.
  private let collations: [String]

  /// The collations whose order is known here.
  private static let known: Set<String> = ["BINARY", "NOCASE", "RTRIM"]

  /// Makes a key.
  ///
  /// - Parameter schemas: The table in the two databases; where their collations differ, or are none of SQLite's own, texts are compared
  ///   by their bytes, for which the server has to sort.
  init(_ columns: [String], of schemas: [TableSchema]) {
    self.columns = columns
    collations = columns.map { name in
      let found = Set(schemas.map { ($0.column(named: name)?.collation ?? "BINARY").uppercased() })
      return found.count == 1 && Self.known.isSuperset(of: found) ? found.first ?? "BINARY" : "BINARY"
    }
  }

  /// Finds the key of a table: what a person has named, else the primary key, else the rowid.
  ///
  /// - Returns: nil where nothing tells the rows apart in both.
  static func find(of from: TableSchema?, _ to: TableSchema?, named: [String]?) -> DiffKey? {
    let schemas = [from, to].compactMap(\.self)
    if let named {
      let isThere = schemas.allSatisfy { schema in named.allSatisfy { schema.column(named: $0) != nil } }
      return isThere ? DiffKey(named, of: schemas) : nil
    }
    let keys = schemas.map(\.primaryKey)
    if let first = keys.first, !first.isEmpty, keys.allSatisfy({ $0.map(\.asciiLowercased) == first.map(\.asciiLowercased) }) {
      return DiffKey(first, of: schemas)
    }
    return byRowID(of: schemas)
  }

  /// Returns the rowid as a key; nil where one of the tables has none.
  static func byRowID(of schemas: [TableSchema]) -> DiffKey? {
    let names = schemas.map(\.rowIDName)
    guard let name = names.first ?? nil, names.allSatisfy({ $0 == name }) else { return nil }
    return DiffKey([name], of: schemas)
  }

  // MARK: SQL

  private func term(_ index: Int) -> SQLText { "\(identifier: columns[index]) COLLATE \(raw: collations[index])" }

  /// The order of the rows.
  var order: SQLText { columns.indices.map(term).joined(by: ", ") }

  /// Returns the condition that holds for the rows after one.
  ///
  ///     (Name COLLATE NOCASE, Album COLLATE BINARY) > (?, ?)
  func condition(after key: [StoredValue]) throws -> SQLText {
    let values = try key.map { value -> SQLText in
      guard let value = value.value else { throw DataSourceError("a key is a text that is not valid UTF-8: --key names another one") }
      return "\(value)"
    }
    return "(\(columns.indices.map(term).joined(by: ", "))) > (\(values.joined(by: ", ")))"
  }

  // MARK: Order

  /// Returns whether a row comes before another one; nil where both have the same key.
  func precedes(_ first: ArraySlice<StoredValue>, _ second: ArraySlice<StoredValue>) -> Bool? {
    for (index, (first, second)) in zip(first, second).enumerated() {
      if let result = first.precedes(second, by: collations[index]) { return result }
    }
    return nil
  }
}

extension StoredValue {
  /// Returns whether it comes before another value in SQLite's order: NULL, numbers, texts, blobs; nil where neither does.
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
      return first == second ? nil : first.lexicographicallyPrecedes(second)
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

  /// Returns whether an integer comes before a real, which no conversion to a real can tell of great ones.
  private static func precedes(_ integer: Int64, _ real: Double) -> Bool? {
    if real >= 0x1p63 { return true }
    if real < -0x1p63 { return false }
    let whole = Int64(real)
    if integer != whole { return integer < whole }
    let rest = real - Double(whole)
    return rest == 0 ? nil : rest > 0
  }

  /// The bytes that are compared.
  private func bytes(by collation: String) -> [UInt8] {
    let bytes: [UInt8]
    switch self {
    case .value(.blob(let blob)): return blob
    case .value(.text(let text)): bytes = Array(text.utf8)
    case .rawText(let raw): bytes = raw
    case .value: return []
    }
    switch collation {
    case "NOCASE": return bytes.map { (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains($0) ? $0 + 32 : $0 }
    case "RTRIM": return bytes.lastIndex { $0 != UInt8(ascii: " ") }.map { Array(bytes[...$0]) } ?? []
    default: return bytes
    }
  }
}

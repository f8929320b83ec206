extension FetchableRecord where Self: Decodable {
  /// Creates a record from a row, each property from the column with its name.
  ///
  /// ```swift
  /// struct Player: Codable, FetchableRecord {
  ///   var name: String
  ///   var score: Int?
  /// }
  /// let players = try Player.fetchAll(db, sql: "SELECT name, score FROM player")
  /// ```
  ///
  /// The type of a property must be a type that a column can be read as, an optional of one, or an enum with raw values. NULL is decoded as
  /// nil, and so is a missing column for an optional property. Arrays, dictionaries and structures within a record are rejected. If a
  /// record decodes another one through a single value container, the other one reads the same row.
  ///
  /// - Throws: ``DatabaseError`` from reading the columns, or `DecodingError`.
  public init(row: Row) throws {
    try self.init(from: RowDecoder(row: row))
  }
}

/// A decoder of a row.
private struct RowDecoder: Decoder {
  let row: Row
  let codingPath: [any CodingKey] = []
  let userInfo: [CodingUserInfoKey: Any] = [:]

  func container<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
    KeyedDecodingContainer(RowContainer(row: row))
  }

  func unkeyedContainer() throws -> any UnkeyedDecodingContainer {
    throw DecodingError.unsupported("a row cannot be read as an array", [])
  }

  func singleValueContainer() throws -> any SingleValueDecodingContainer { RowValueContainer(row: row) }
}

/// A row as one value: its first column, or a record created from all columns.
private struct RowValueContainer: SingleValueDecodingContainer {
  let row: Row
  let codingPath: [any CodingKey] = []

  /// Returns whether all values of the row are NULL; a record's first column alone may be NULL.
  func decodeNil() -> Bool {
    (0..<row.count).allSatisfy { ColumnDecoder(row: row, column: $0, codingPath: []).decodeNil() }
  }

  func decode<Value: Decodable>(_ type: Value.Type) throws -> Value {
    if type is any DatabaseValueConvertible.Type { return try ColumnDecoder(row: row, column: 0, codingPath: []).decode(type) }
    return try Value(from: RowDecoder(row: row))
  }
}

/// The columns of a row by the names of properties.
private struct RowContainer<Key: CodingKey>: KeyedDecodingContainerProtocol {
  let row: Row
  let codingPath: [any CodingKey] = []

  var allKeys: [Key] { row.columnNames.compactMap(Key.init(stringValue:)) }

  func contains(_ key: Key) -> Bool { row.index(ofColumn: key.stringValue) != nil }

  func decodeNil(forKey key: Key) throws -> Bool { try column(key).decodesNil() }

  func decode<Value: Decodable>(_ type: Value.Type, forKey key: Key) throws -> Value { try column(key).decode(type) }

  /// Returns the column of a property; throws the row's error if it does not exist.
  private func column(_ key: Key) throws -> ColumnDecoder {
    ColumnDecoder(row: row, column: try row.requireIndex(of: key.stringValue), codingPath: [key])
  }

  func nestedContainer<Nested: CodingKey>(keyedBy type: Nested.Type, forKey key: Key) throws -> KeyedDecodingContainer<Nested> {
    throw DecodingError.unsupported("a column cannot be read as a structure", [key])
  }

  func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer {
    throw DecodingError.unsupported("a column cannot be read as an array", [key])
  }

  func superDecoder() throws -> any Decoder { RowDecoder(row: row) }

  func superDecoder(forKey key: Key) throws -> any Decoder { try column(key) }
}

/// One column, for a type that decodes a single value, such as an enum with raw values.
private struct ColumnDecoder: Decoder, SingleValueDecodingContainer {
  let row: Row
  let column: Int
  let codingPath: [any CodingKey]
  let userInfo: [CodingUserInfoKey: Any] = [:]

  func decodesNil() throws -> Bool { try row.storageClass(at: column) == .null }

  func decodeNil() -> Bool { (try? decodesNil()) ?? false }

  func decode<Value: Decodable>(_ type: Value.Type) throws -> Value {
    guard let convertible = type as? any DatabaseValueConvertible.Type else { return try Value(from: self) }
    return try read(convertible, as: type)
  }

  private func read<Column: DatabaseValueConvertible, Value>(_: Column.Type, as type: Value.Type) throws -> Value {
    guard let value = try row[column] as Column as? Value else {
      throw DecodingError.unsupported("a column cannot be read as \(type)", codingPath)
    }
    return value
  }

  func singleValueContainer() throws -> any SingleValueDecodingContainer { self }

  func container<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
    throw DecodingError.unsupported("a column cannot be read as a structure", codingPath)
  }

  func unkeyedContainer() throws -> any UnkeyedDecodingContainer {
    throw DecodingError.unsupported("a column cannot be read as an array", codingPath)
  }
}

extension DecodingError {
  fileprivate static func unsupported(_ message: String, _ path: [any CodingKey]) -> DecodingError {
    .dataCorrupted(Context(codingPath: path, debugDescription: message))
  }
}

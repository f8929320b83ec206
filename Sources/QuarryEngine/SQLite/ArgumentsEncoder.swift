extension StatementArguments {
  /// Creates named arguments from the properties of a value.
  ///
  /// ```swift
  /// struct Player: Codable {
  ///   var name: String
  ///   var score: Int?
  /// }
  /// let player = Player(name: "Arthur", score: nil)
  /// try db.execute(
  ///   sql: "INSERT INTO player (name, score) VALUES (:name, :score)", arguments: StatementArguments(encoding: player))
  /// // INSERT INTO player (name, score) VALUES ('Arthur', NULL)
  /// ```
  ///
  /// The type of a property must be a type that SQLite stores, an optional of one, or an enum with raw values; nil is NULL. The statement
  /// needs a parameter for each property. If a value encodes another one in a single value container, the properties are those of the other
  /// value.
  ///
  /// - Throws: `EncodingError` for an array, a dictionary or a structure, as the value or within it.
  public init(encoding value: some Encodable) throws {
    let encoder = ArgumentsEncoder(path: [])
    try value.encode(to: encoder)
    if let refusal = encoder.refusal { throw refusal }
    self.init(encoder.arguments)
  }
}

/// An encoder that collects the encoded form of a value: its properties by name or, for a property, a single value.
private final class ArgumentsEncoder: Encoder {
  let codingPath: [any CodingKey]
  let userInfo: [CodingUserInfoKey: Any] = [:]
  var arguments: [(String, StatementArguments.Argument)] = []
  /// The value, if it is encoded as a single value; otherwise nil.
  var single: StatementArguments.Argument?
  /// The error of a value that cannot be encoded as arguments.
  ///
  /// It is stored because encoding an empty array throws nothing.
  var refusal: EncodingError?

  init(path: [any CodingKey]) {
    codingPath = path
  }

  func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
    if !codingPath.isEmpty { refuse("a structure") }
    return KeyedEncodingContainer(PropertiesContainer(encoder: self))
  }

  func unkeyedContainer() -> any UnkeyedEncodingContainer {
    refuse("an array")
    return ElementsContainer(encoder: self)
  }

  func singleValueContainer() -> any SingleValueEncodingContainer {
    ValueContainer(encoder: self)
  }

  /// Returns a value as an argument: unchanged if SQLite can store it, otherwise in its encoded form.
  func argument(_ value: some Encodable, at path: [any CodingKey]) throws -> StatementArguments.Argument {
    if let value = value as? any DatabaseValueConvertible { return value }
    let encoder = ArgumentsEncoder(path: path)
    try value.encode(to: encoder)
    if let refusal = encoder.refusal { throw refusal }
    guard let argument = encoder.single else { throw refuse("no value") }
    return argument
  }

  @discardableResult
  func refuse(_ what: String) -> EncodingError {
    let context = EncodingError.Context(codingPath: codingPath, debugDescription: "\(what) cannot be a statement's argument")
    let error = EncodingError.invalidValue(what, context)
    refusal = error
    return error
  }
}

/// The properties of a value, each as an argument with its name.
private struct PropertiesContainer<Key: CodingKey>: KeyedEncodingContainerProtocol {
  let encoder: ArgumentsEncoder
  var codingPath: [any CodingKey] { encoder.codingPath }

  func encodeNil(forKey key: Key) throws {
    encoder.arguments.append((key.stringValue, nil))
  }

  func encode<Value: Encodable>(_ value: Value, forKey key: Key) throws {
    encoder.arguments.append((key.stringValue, try encoder.argument(value, at: codingPath + [key])))
  }

  // Swift omits nil, but a statement requires every parameter. The protocol has one method for each type.
  func encodeIfPresent(_ value: Bool?, forKey key: Key) throws { try encodeOptional(value, key) }
  func encodeIfPresent(_ value: String?, forKey key: Key) throws { try encodeOptional(value, key) }
  func encodeIfPresent(_ value: Double?, forKey key: Key) throws { try encodeOptional(value, key) }
  func encodeIfPresent(_ value: Float?, forKey key: Key) throws { try encodeOptional(value, key) }
  func encodeIfPresent(_ value: Int?, forKey key: Key) throws { try encodeOptional(value, key) }
  func encodeIfPresent(_ value: Int8?, forKey key: Key) throws { try encodeOptional(value, key) }
  func encodeIfPresent(_ value: Int16?, forKey key: Key) throws { try encodeOptional(value, key) }
  func encodeIfPresent(_ value: Int32?, forKey key: Key) throws { try encodeOptional(value, key) }
  func encodeIfPresent(_ value: Int64?, forKey key: Key) throws { try encodeOptional(value, key) }
  func encodeIfPresent(_ value: UInt?, forKey key: Key) throws { try encodeOptional(value, key) }
  func encodeIfPresent(_ value: UInt8?, forKey key: Key) throws { try encodeOptional(value, key) }
  func encodeIfPresent(_ value: UInt16?, forKey key: Key) throws { try encodeOptional(value, key) }
  func encodeIfPresent(_ value: UInt32?, forKey key: Key) throws { try encodeOptional(value, key) }
  func encodeIfPresent(_ value: UInt64?, forKey key: Key) throws { try encodeOptional(value, key) }
  func encodeIfPresent<Value: Encodable>(_ value: Value?, forKey key: Key) throws { try encodeOptional(value, key) }

  private func encodeOptional(_ value: (some Encodable)?, _ key: Key) throws {
    if let value { try encode(value, forKey: key) } else { try encodeNil(forKey: key) }
  }

  func nestedContainer<Nested: CodingKey>(keyedBy type: Nested.Type, forKey key: Key) -> KeyedEncodingContainer<Nested> {
    encoder.refuse("a structure")
    return KeyedEncodingContainer(PropertiesContainer<Nested>(encoder: encoder))
  }

  func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer {
    encoder.unkeyedContainer()
  }

  func superEncoder() -> any Encoder { encoder }

  func superEncoder(forKey key: Key) -> any Encoder { encoder }
}

/// A value encoded as a single value.
private struct ValueContainer: SingleValueEncodingContainer {
  let encoder: ArgumentsEncoder
  var codingPath: [any CodingKey] { encoder.codingPath }

  func encodeNil() throws {
    encoder.single = .some(nil)
  }

  func encode<Value: Encodable>(_ value: Value) throws {
    if let value = value as? any DatabaseValueConvertible {
      encoder.single = .some(value)
    } else {
      try value.encode(to: encoder)
    }
  }
}

/// The elements of an array, which is rejected.
private struct ElementsContainer: UnkeyedEncodingContainer {
  let encoder: ArgumentsEncoder
  let count = 0
  var codingPath: [any CodingKey] { encoder.codingPath }

  func encodeNil() throws { throw encoder.refuse("an array") }

  func encode<Value: Encodable>(_ value: Value) throws { throw encoder.refuse("an array") }

  func nestedContainer<Nested: CodingKey>(keyedBy type: Nested.Type) -> KeyedEncodingContainer<Nested> {
    KeyedEncodingContainer(PropertiesContainer<Nested>(encoder: encoder))
  }

  func nestedUnkeyedContainer() -> any UnkeyedEncodingContainer { self }

  func superEncoder() -> any Encoder { encoder }
}

extension DatabaseError {
  /// Returns the message of a value that cannot be converted to `type` without loss, with the value and its row.
  ///
  ///     column 1 ("score"): TEXT "many" cannot be read as Int in the row [name:"Arthur" score:"many"]
  static func conversion(
    of value: ShownValue, to type: Any.Type, at index: Int, _ columnNames: [String], _ row: [ShownValue]
  ) -> String {
    let name = columnNames.indices.contains(index) ? " (\(columnNames[index].debugDescription))" : ""
    return "column \(index)\(name): \(value.withStorageClass) cannot be read as \(type) in the row \(shown(columnNames, row))"
  }

  /// Returns the row as in its description; a long row is shortened.
  private static func shown(_ columnNames: [String], _ row: [ShownValue]) -> String {
    var text = ""
    for (name, value) in zip(columnNames, row) {
      if text.count > 300 { return "[\(text) …]" }
      text += (text.isEmpty ? "" : " ") + "\(name):\(value.text)"
    }
    return "[\(text)]"
  }
}

/// A value in an error message; only the beginning of a long value is copied.
struct ShownValue {
  /// The value as in a row's description, such as `"Arthur"`.
  let text: String
  /// The value with its storage class, such as `TEXT "Arthur"`.
  let withStorageClass: String

  private static let (characters, bytes) = (60, 20)

  init(_ value: DatabaseValue) {
    switch value {
    case .null: self.init("NULL", "NULL")
    case .integer, .real: self.init(value.description, "\(value.storageClass) \(value)")
    case .text(let text): self.init(text: text.prefix(Self.characters), isWhole: text.utf8.count <= text.prefix(Self.characters).utf8.count)
    case .blob(let bytes): self = bytes.withUnsafeBytes { Self(blob: $0, "BLOB ") }
    }
  }

  init(_ value: BorrowedValue) {
    switch value {
    case .null: self.init(DatabaseValue.null)
    case .integer(let value): self.init(DatabaseValue.integer(value))
    case .real(let value): self.init(DatabaseValue.real(value))
    case .blob(let bytes): self.init(blob: bytes, "BLOB ")
    case .text(let bytes):
      guard String(validating: bytes, as: UTF8.self) != nil else { self.init(malformedText: bytes); return }
      let text = String(decoding: bytes.prefix(Self.characters * 4), as: UTF8.self)
      self.init(text: text.prefix(Self.characters), isWhole: bytes.count <= text.prefix(Self.characters).utf8.count)
    }
  }

  init(malformedText bytes: UnsafeRawBufferPointer) {
    self.init(blob: bytes, "text that is not valid UTF-8 ")
  }

  private init(text: Substring, isWhole: Bool) {
    let quoted = DatabaseValue.quoted(isWhole ? String(text) : text + "…")
    self.init(quoted, "TEXT \(quoted)")
  }

  private init(blob bytes: UnsafeRawBufferPointer, _ kind: String) {
    let literal = DatabaseValue.blob(Array(bytes.prefix(Self.bytes))).description
    let shown = bytes.count <= Self.bytes ? literal : literal.dropLast() + "…'"
    self.init(shown, kind + shown)
  }

  private init(_ text: String, _ withStorageClass: String) {
    self.text = text
    self.withStorageClass = withStorageClass
  }
}

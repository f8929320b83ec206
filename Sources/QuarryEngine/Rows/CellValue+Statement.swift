extension Statement {
  /// Reads the first values of the row that the statement stands on, each text or blob at most `limit` bytes of it.
  func cells(_ count: Int, limit: Int) throws -> [CellValue] {
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
  func wholeValue(at index: Int) throws -> DatabaseValue {
    guard try columnStorageClass(at: index) == .text else { return try columnValue(at: index) }
    return try withColumnBytes(at: index) { bytes in
      String(validating: bytes, as: UTF8.self).map { .text($0) } ?? .blob(Array(bytes))
    }
  }
}

extension CellValue {
  /// Makes a cell of the beginning of a text, in whole characters.
  init(text bytes: UnsafeRawBufferPointer, limit: Int) {
    let isValid = UTF8Validation.firstFault(in: bytes) == nil
    guard bytes.count > limit else {
      self = .text(String(decoding: bytes, as: UTF8.self), byteCount: bytes.count, isValid: isValid)
      return
    }
    // The character that the limit cuts through may begin well before it.
    let end = bytes[..<limit].lastIndex { $0 & 0xC0 != 0x80 } ?? limit
    let beginning = String(decoding: bytes[..<(bytes[limit] & 0xC0 == 0x80 ? end : limit)], as: UTF8.self)
    self = .text(beginning.inWholeCharacters, byteCount: bytes.count, isValid: isValid)
  }
}

extension String {
  /// The text without its last character, of which a part may have been cut off; a text of one character stays.
  fileprivate var inWholeCharacters: String {
    count > 1 ? String(dropLast()) : self
  }
}

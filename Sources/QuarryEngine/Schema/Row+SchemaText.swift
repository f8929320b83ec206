extension Row {
  /// A text of the schema for a person to read: bytes that are not UTF-8 are shown as U+FFFD, so that one bad text hides nothing else.
  ///
  /// - Throws: As ``bytes(at:)``.
  package func schemaText(at index: Int) throws -> String? {
    try bytes(at: index).map { String(decoding: $0, as: UTF8.self) }
  }
}

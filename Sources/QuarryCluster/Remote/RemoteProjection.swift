internal import QuarryEngine
internal import QuarryFiles
internal import QuarryRows

/// SQL expressions that read values with a size limit, with their exact types, and without harm to the server.
///
/// A column is never read directly. The server converts values by the declared type of a column, for example NULL to a date, and may crash.
/// Long texts, texts with a NUL (where the protocol would truncate them) and all blobs are sent as blobs that begin with their kind and
/// size:
///
///     t5120:Call me Ishmael…
///     b67108864:…
enum RemoteProjection {
  /// The maximum number of bytes of a key or sort text that are read.
  ///
  /// Longer texts are not stored locally.
  static let placeLimit = 256

  /// Returns the expression for a value or its beginning.
  ///
  ///     CASE WHEN +c0 COLLATE BINARY < '' THEN c0
  ///     WHEN +c0 COLLATE BINARY < X'' THEN CASE WHEN length(CAST(c0 AS BLOB)) <= 1024 AND instr(c0, char(0)) = 0 THEN c0 ELSE … END
  ///     WHEN c0 IS NOT NULL THEN … END
  ///
  /// Numbers sort before texts, and texts before blobs, in every comparison. This takes the server half as long as comparing `typeof`.
  ///
  /// - Parameters:
  ///   - name: A name, inserted as it is.
  ///   - limit: The maximum number of bytes of a text or blob, or nil for no limit.
  static func cell(_ name: String, limit: Int?) -> String {
    let bytes = "CAST(\(name) AS BLOB)"
    // Compared without an affinity, and without a collation that the server may not have.
    let (isNumber, isText) = ("+\(name) COLLATE BINARY < ''", "+\(name) COLLATE BINARY < X''")
    let isPlain = "instr(\(name), char(0)) = 0"
    // The last character may be truncated. The rest must still exceed the limit, to show that the value is longer.
    let textPart = limit.map { "substr(\(bytes), 1, \($0 + 8))" } ?? bytes
    // SQLite returns NULL for a part of an empty blob.
    let blobPart = limit.map { "coalesce(substr(\(name), 1, \($0)), X'')" } ?? name
    let short = limit.map { "length(\(bytes)) <= \($0) AND \(isPlain)" } ?? isPlain
    return """
      CASE WHEN \(isNumber) THEN \(name) WHEN \(isText) THEN CASE WHEN \(short) THEN \(name) \
      ELSE CAST('t' || length(\(bytes)) || ':' || \(textPart) AS BLOB) END \
      WHEN \(name) IS NOT NULL THEN CAST('b' || length(\(name)) || ':' || \(blobPart) AS BLOB) END
      """
  }

  /// The maximum number of columns of a result.
  ///
  /// The names of more columns do not fit into a server's message, which then never ends.
  private static let widthLimit = 500

  /// Checks that a server can send a number of columns.
  ///
  /// - Throws: `DataSourceError`
  static func checkWidth(_ columns: Int) throws {
    guard columns > widthLimit else { return }
    throw DataSourceError("the result has \(columns) columns, but the server can send only \(widthLimit): select fewer columns")
  }

  /// A text or blob as received.
  struct Bytes {
    var bytes: ArraySlice<UInt8>
    var byteCount: Int
    var isText: Bool

    /// Whether the value is complete.
    var isWhole: Bool { bytes.count == byteCount }
  }

  /// Parses the kind and the size before the bytes of a value.
  ///
  /// - Throws: `DataSourceError` if the prefix is malformed.
  static func bytes(of blob: ArraySlice<UInt8>) throws -> Bytes {
    guard let colon = blob.firstIndex(of: UInt8(ascii: ":")), let kind = blob.first, kind == UInt8(ascii: "t") || kind == UInt8(ascii: "b"),
      let count = Int(String(decoding: blob[(blob.startIndex + 1)..<colon], as: UTF8.self))
    else { throw DataSourceError("the server sent an unexpected value") }
    return Bytes(bytes: blob[(colon + 1)...], byteCount: count, isText: kind == UInt8(ascii: "t"))
  }
}

extension CellValue {
  /// Creates a cell from a value requested by ``RemoteProjection/cell(_:limit:)``.
  init(_ value: RemoteValue, limit: Int) throws {
    switch value {
    case .null: self = .null
    case .integer(let number): self = .integer(number)
    case .real(let number): self = .real(number)
    case .text(let bytes): self.init(textBeginning: bytes, byteCount: bytes.count, limit: limit)
    case .blob(let blob):
      let value = try RemoteProjection.bytes(of: blob)
      if value.isText {
        self.init(textBeginning: value.bytes, byteCount: value.byteCount, limit: limit)
      } else {
        self = .blob(Array(value.bytes.prefix(limit)), byteCount: value.byteCount)
      }
    }
  }

  /// Creates a cell from the beginning of a text.
  private init(textBeginning bytes: ArraySlice<UInt8>, byteCount: Int, limit: Int) {
    let isCut = bytes.count < byteCount
    self = bytes.withUnsafeBytes { bytes -> CellValue in
      // The last character may be truncated.
      let unfinished = isCut ? UTF8Validation.unfinishedLength(bytes) : 0
      return CellValue(text: UnsafeRawBufferPointer(rebasing: bytes.dropLast(unfinished)), limit: limit)
    }
    if case .text(let text, _, let isValid) = self { self = .text(text, byteCount: byteCount, isValid: isValid) }
  }
}

extension RemoteValue {
  /// The complete value, requested by ``RemoteProjection/cell(_:limit:)``, or NULL if only its beginning was received.
  var wholeValue: DatabaseValue {
    get throws { try StoredValue(self)?.databaseValue ?? .null }
  }

  /// Lends a complete value, requested by ``RemoteProjection/cell(_:limit:)``, or NULL if only its beginning was received.
  @inline(__always)
  func lend(_ body: (BorrowedValue) -> Void) throws {
    switch self {
    case .null: body(.null)
    case .integer(let number): body(.integer(number))
    case .real(let number): body(number.isNaN ? .null : .real(number))
    case .text(let bytes): bytes.withUnsafeBytes { body(.text($0)) }
    case .blob(let blob):
      let value = try RemoteProjection.bytes(of: blob)
      guard value.isWhole else { return body(.null) }
      value.bytes.withUnsafeBytes { body(value.isText ? .text($0) : .blob($0)) }
    }
  }
}

extension RowExporter {
  /// Writes a row from received bytes.
  ///
  /// - Throws: Any error thrown by the sink, or ``RemoteError`` if the server has sent an unexpected value.
  package func write(_ row: RemoteRow) throws {
    try write(row) { try $0.lend($1) }
  }
}

extension StoredValue {
  /// Creates a complete value, requested by ``RemoteProjection/cell(_:limit:)``.
  ///
  /// Nil if only its beginning was received.
  init?(_ value: RemoteValue) throws {
    switch value {
    case .null: self = .value(.null)
    case .integer(let number): self = .value(.integer(number))
    case .real(let number): self = .value(.real(number))
    case .text(let bytes): self = Self.text(bytes)
    case .blob(let blob):
      let value = try RemoteProjection.bytes(of: blob)
      guard value.isWhole else { return nil }
      self = value.isText ? Self.text(value.bytes) : .value(.blob(Array(value.bytes)))
    }
  }

  private static func text(_ bytes: ArraySlice<UInt8>) -> StoredValue {
    String(validating: bytes, as: UTF8.self).map { .value(.text($0)) } ?? .rawText(Array(bytes))
  }
}

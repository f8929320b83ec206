internal import QuarryEngine
internal import QuarryFiles
internal import QuarryRows

/// How values are asked for, so that none of them is too long, each comes as what it is, and none can harm the server.
///
/// A column is never read bare: what a server makes of the type that it is declared with (a date of NULL, or its own end) depends on that.
/// A text that is long or has a NUL, at which the wire would cut it, and every blob come as a blob that tells its kind and size:
///
///     t5120:Call me Ishmael…
///     b67108864:…
enum RemoteProjection {
  /// The greatest number of bytes of a text of a key or an order that is kept here; those of longer ones are left where they are.
  static let placeLimit = 256

  /// Returns the expression that gives a value, or the beginning of it.
  ///
  ///     CASE WHEN +c0 COLLATE BINARY < '' THEN c0
  ///     WHEN +c0 COLLATE BINARY < X'' THEN CASE WHEN length(CAST(c0 AS BLOB)) <= 1024 AND instr(c0, char(0)) = 0 THEN c0 ELSE … END
  ///     WHEN c0 IS NOT NULL THEN … END
  ///
  /// Numbers sort before texts, and these before blobs, whatever is compared: that takes the server half as long as the names of the types.
  ///
  /// - Parameters:
  ///   - name: A name that is written as it is.
  ///   - limit: How many bytes of a text or blob are wanted; nil for all.
  static func cell(_ name: String, limit: Int?) -> String {
    let bytes = "CAST(\(name) AS BLOB)"
    // Compared without an affinity, and without a collation that the server may not have.
    let (isNumber, isText) = ("+\(name) COLLATE BINARY < ''", "+\(name) COLLATE BINARY < X''")
    let isPlain = "instr(\(name), char(0)) = 0"
    // The last character may be cut, and without it there must still be more than the limit, which tells that there is more.
    let textPart = limit.map { "substr(\(bytes), 1, \($0 + 8))" } ?? bytes
    // Of an empty blob SQLite makes no part but NULL.
    let blobPart = limit.map { "coalesce(substr(\(name), 1, \($0)), X'')" } ?? name
    let short = limit.map { "length(\(bytes)) <= \($0) AND \(isPlain)" } ?? isPlain
    return """
      CASE WHEN \(isNumber) THEN \(name) WHEN \(isText) THEN CASE WHEN \(short) THEN \(name) \
      ELSE CAST('t' || length(\(bytes)) || ':' || \(textPart) AS BLOB) END \
      WHEN \(name) IS NOT NULL THEN CAST('b' || length(\(name)) || ':' || \(blobPart) AS BLOB) END
      """
  }

  /// The greatest number of columns of a result: the names of more would not fit into a server's message, which it then never ends.
  private static let widthLimit = 500

  /// Checks that a server can send so many columns.
  ///
  /// - Throws: `DataSourceError`
  static func checkWidth(_ columns: Int) throws {
    guard columns > widthLimit else { return }
    throw DataSourceError("a result of \(columns) columns is more than the server can send, which are \(widthLimit): choose some of them")
  }

  /// A text or blob as it came.
  struct Bytes {
    var bytes: ArraySlice<UInt8>
    var byteCount: Int
    var isText: Bool

    /// Whether all of it is there.
    var isWhole: Bool { bytes.count == byteCount }
  }

  /// Reads the kind and the size that stand before the bytes of a value.
  ///
  /// - Throws: `DataSourceError` for what no server answers.
  static func bytes(of blob: ArraySlice<UInt8>) throws -> Bytes {
    guard let colon = blob.firstIndex(of: UInt8(ascii: ":")), let kind = blob.first, kind == UInt8(ascii: "t") || kind == UInt8(ascii: "b"),
      let count = Int(String(decoding: blob[(blob.startIndex + 1)..<colon], as: UTF8.self))
    else { throw DataSourceError("the server has answered with a value that was not asked for") }
    return Bytes(bytes: blob[(colon + 1)...], byteCount: count, isText: kind == UInt8(ascii: "t"))
  }
}

extension CellValue {
  /// Makes a cell of a value that was asked for by ``RemoteProjection/cell(_:limit:)``.
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

  /// Makes a cell of the beginning of a text.
  private init(textBeginning bytes: ArraySlice<UInt8>, byteCount: Int, limit: Int) {
    let isCut = bytes.count < byteCount
    self = bytes.withUnsafeBytes { bytes -> CellValue in
      // The last character may be cut.
      let unfinished = isCut ? UTF8Validation.unfinishedLength(bytes) : 0
      return CellValue(text: UnsafeRawBufferPointer(rebasing: bytes.dropLast(unfinished)), limit: limit)
    }
    if case .text(let text, _, let isValid) = self { self = .text(text, byteCount: byteCount, isValid: isValid) }
  }
}

extension RemoteValue {
  /// The value that was asked for as a whole by ``RemoteProjection/cell(_:limit:)``; NULL where only its beginning has come.
  var wholeValue: DatabaseValue {
    get throws { try StoredValue(self)?.databaseValue ?? .null }
  }

  /// Lends a value that was asked for as a whole by ``RemoteProjection/cell(_:limit:)``; NULL where only its beginning has come.
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
  /// Writes a row from the bytes that came in.
  ///
  /// - Throws: What the sink throws; ``RemoteError`` where the server has sent what was not asked for.
  package func write(_ row: RemoteRow) throws {
    try write(row) { try $0.lend($1) }
  }
}

extension StoredValue {
  /// Makes a value that was asked for as a whole by ``RemoteProjection/cell(_:limit:)``; nil where only its beginning has come.
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

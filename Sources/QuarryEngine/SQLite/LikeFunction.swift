internal import CSQLite

/// The function behind `LIKE … ESCAPE`, which compares whole texts; SQLite's own function ends a text, and a pattern, at the first NUL.
///
///     SELECT name FROM artist WHERE name LIKE '%love%' ESCAPE '\'   -- like('%love%', name, '\')
///
/// Without a NUL it calls SQLite's own comparison. `LIKE` without ESCAPE remains SQLite's function, so that it can use indexes.
enum LikeFunction {
  /// Registers the function on a connection.
  ///
  /// The corresponding C function is `sqlite3_create_function_v2`.
  ///
  /// - Returns: The result code.
  static func install(on connection: OpaquePointer) -> Int32 {
    sqlite3_create_function_v2(
      connection, "like", 3, SQLITE_UTF8 | SQLITE_DETERMINISTIC | SQLITE_INNOCUOUS, nil,
      { context, _, values in
        guard let values else { return }
        LikeFunction.call(context, values[0], values[1], values[2])
      }, nil, nil, nil)
  }

  /// Whether SQLite's own function matches no blob, which is an option of its build.
  private static let matchesNoBlob = sqlite3_compileoption_used("LIKE_DOESNT_MATCH_BLOBS") != 0

  private static func call(_ context: OpaquePointer?, _ pattern: OpaquePointer?, _ text: OpaquePointer?, _ escape: OpaquePointer?) {
    guard let connection = sqlite3_context_db_handle(context) else { return }
    if matchesNoBlob, sqlite3_value_type(pattern) == SQLITE_BLOB || sqlite3_value_type(text) == SQLITE_BLOB {
      return sqlite3_result_int(context, 0)
    }
    do {
      guard let mark = try WholeText(escape, of: connection) else { return }
      guard let escape = mark.onlyScalar else {
        return sqlite3_result_error(context, "ESCAPE expression must be a single character", -1)
      }
      guard let pattern = try WholeText(pattern, of: connection), let text = try WholeText(text, of: connection) else { return }
      guard pattern.bytes.count <= sqlite3_limit(connection, SQLITE_LIMIT_LIKE_PATTERN_LENGTH, -1) else {
        return sqlite3_result_error(context, "LIKE or GLOB pattern too complex", -1)
      }
      sqlite3_result_int(context, matches(pattern, text, escape: escape) ? 1 : 0)
    } catch {
      sqlite3_result_error_nomem(context)
    }
  }

  private static func matches(_ pattern: WholeText, _ text: WholeText, escape: Unicode.Scalar) -> Bool {
    // If the escape is also a wildcard, SQLite's comparison of two texts reads it as the wildcard.
    if pattern.hasNUL || text.hasNUL || escape == "%" || escape == "_" {
      return LikePattern(pattern.scalars, escape: escape).matches(text.scalars)
    }
    return sqlite3_strlike(pattern.start, text.start, escape.value) == 0
  }

  /// A value as a NUL-terminated UTF-8 text.
  private struct WholeText {
    let bytes: UnsafeRawBufferPointer
    let start: UnsafePointer<CChar>

    /// Returns nil for NULL.
    init?(_ value: OpaquePointer?, of connection: OpaquePointer) throws {
      let value = SQLiteValue(value, of: connection)
      guard value.storageClass != .null else { return nil }
      bytes = try value.text()
      guard let first = bytes.baseAddress else { return nil }
      start = first.assumingMemoryBound(to: CChar.self)
    }

    var hasNUL: Bool { bytes.contains(0) }
    var scalars: [Unicode.Scalar] { Array(String(decoding: bytes, as: UTF8.self).unicodeScalars) }

    /// The only scalar of the text; nil if it has more, or none.
    var onlyScalar: Unicode.Scalar? {
      if bytes.count == 1, bytes[0] < 0x80 { return Unicode.Scalar(bytes[0]) }
      let scalars = scalars
      return scalars.count == 1 ? scalars.first : nil
    }
  }
}

/// A LIKE pattern: `%` is any text, `_` any character, each literal after the escape; ASCII letters match in both cases.
private struct LikePattern {
  private enum Part {
    case any
    case one
    case scalar(Unicode.Scalar)
    /// An escape without a following character, which matches nothing.
    case nothing
  }

  private var parts: [Part] = []

  init(_ pattern: [Unicode.Scalar], escape: Unicode.Scalar) {
    var isEscaped = false
    for scalar in pattern {
      switch scalar {
      case escape where !isEscaped:
        isEscaped = true
        continue
      case "%" where !isEscaped: parts.append(.any)
      case "_" where !isEscaped: parts.append(.one)
      default: parts.append(.scalar(Self.folded(scalar)))
      }
      isEscaped = false
    }
    if isEscaped { parts.append(.nothing) }
  }

  private static func folded(_ scalar: Unicode.Scalar) -> Unicode.Scalar {
    ("A"..."Z").contains(scalar) ? Unicode.Scalar(UInt8(scalar.value) | 0x20) : scalar
  }

  /// Returns whether the whole text matches.
  func matches(_ text: [Unicode.Scalar]) -> Bool {
    var (part, place) = (0, 0)
    // The position of the last `%`, and the end of the text that it matches so far.
    var retry: (part: Int, place: Int)?
    while place < text.count || part < parts.count {
      if part < parts.count, case .any = parts[part] {
        part += 1
        retry = (part, place)
      } else if part < parts.count, place < text.count, fits(parts[part], text[place]) {
        (part, place) = (part + 1, place + 1)
      } else if let last = retry, last.place < text.count {
        retry = (last.part, last.place + 1)
        (part, place) = (last.part, last.place + 1)
      } else {
        return false
      }
    }
    return true
  }

  private func fits(_ part: Part, _ scalar: Unicode.Scalar) -> Bool {
    switch part {
    case .any, .nothing: false
    case .one: true
    case .scalar(let wanted): wanted == Self.folded(scalar)
    }
  }
}

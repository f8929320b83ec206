internal import CSQLite

/// An SQL function that looks for a text in several values at once, as LIKE does in one: the case of ASCII letters is ignored, and blobs
/// have no text.
///
///     quarry_find_text(?1, 0, Name, Composer)   -- 1 where Composer is the first that has it, NULL where none has
///
/// A LIKE for each value, with what keeps blobs out of it, takes four times as long.
enum TextFinder {
  fileprivate static let function = "quarry_find_text"

  /// The number of values of one call: SQLite's functions take a hundred arguments.
  private static let width = 98

  /// Returns the SQL of the index of the first of some columns in which a text is, else NULL.
  ///
  /// - Parameters:
  ///   - needle: The text, its ASCII letters in lower case.
  ///   - seesNumbers: Whether it is looked for in numbers as they are written too, which takes time.
  static func sql(of needle: String, in columns: [SQLText], seesNumbers: Bool) -> SQLText {
    let calls = stride(from: 0, to: columns.count, by: width).map { first -> SQLText in
      let values = columns[first..<min(columns.count, first + width)].joined(by: ", ")
      let call: SQLText = "\(identifier: function)(\(needle), \(seesNumbers ? 1 : 0), \(values))"
      return first > 0 ? "\(call) + \(first)" : call
    }
    return calls.count == 1 ? calls[0] : "coalesce(\(calls.joined(by: ", ")))"
  }

  /// The function itself.
  fileprivate static func find(_ context: OpaquePointer?, _ values: UnsafeMutablePointer<OpaquePointer?>, _ count: Int) {
    guard count > 2, let needle = text(of: values[0]) else { return }
    let seesNumbers = sqlite3_value_int(values[1]) != 0
    for index in 2..<count {
      switch sqlite3_value_type(values[index]) {
      case SQLITE_TEXT: break
      case SQLITE_INTEGER where seesNumbers, SQLITE_FLOAT where seesNumbers: break
      default: continue
      }
      guard let text = text(of: values[index]) else { return sqlite3_result_error_nomem(context) }
      if contains(needle, in: text) { return sqlite3_result_int(context, Int32(index - 2)) }
    }
  }

  private static func text(of value: OpaquePointer?) -> UnsafeRawBufferPointer? {
    // In this order: the text may have to be made first.
    guard let start = sqlite3_value_text(value) else { return nil }
    return UnsafeRawBufferPointer(start: start, count: Int(sqlite3_value_bytes(value)))
  }

  private static func contains(_ needle: UnsafeRawBufferPointer, in text: UnsafeRawBufferPointer) -> Bool {
    guard let first = needle.first else { return true }
    var start = 0
    while start + needle.count <= text.count {
      if text[start].asciiLowercased == first {
        var length = 1
        while length < needle.count, text[start + length].asciiLowercased == needle[length] { length += 1 }
        if length == needle.count { return true }
      }
      start += 1
    }
    return false
  }
}

extension Database {
  /// Lets SQL call what ``TextFinder`` writes.
  ///
  /// The corresponding C function is `sqlite3_create_function_v2`.
  ///
  /// - Throws: ``DatabaseError``
  func installTextFinder() throws {
    guard !hasTextFinder else { return }
    let code = sqlite3_create_function_v2(
      connection, TextFinder.function, -1, SQLITE_UTF8 | SQLITE_DETERMINISTIC | SQLITE_DIRECTONLY, nil,
      { context, count, values in
        guard let values else { return }
        TextFinder.find(context, values, Int(count))
      }, nil, nil, nil)
    guard code == SQLITE_OK else { throw DatabaseError(ResultCode(rawValue: code)) }
    hasTextFinder = true
  }
}

internal import CSQLite

/// The function behind SQL's REGEXP, which SQLite leaves to applications; it returns whether a text matches a `RegularExpression`.
///
///     SELECT name FROM artist WHERE name REGEXP '^A.*n$'   -- regexp('^A.*n$', name)
///
/// The result is NULL for NULL. Numbers are matched in SQLite's text form, blobs by their bytes.
final class RegularExpressionFunction {
  /// The most recent expressions, the latest first; a statement uses one or a few, and calls this for each row.
  private var expressions: [(pattern: [UInt8], matcher: RegularExpressionMatcher)] = []

  private static let mostExpressions = 16

  /// Registers the function on a connection.
  ///
  /// The corresponding C function is `sqlite3_create_function_v2`.
  ///
  /// - Returns: The result code.
  static func install(on connection: OpaquePointer) -> Int32 {
    sqlite3_create_function_v2(
      connection, "regexp", 2, SQLITE_UTF8 | SQLITE_DETERMINISTIC | SQLITE_INNOCUOUS,
      Unmanaged.passRetained(RegularExpressionFunction()).toOpaque(),
      { context, _, values in
        guard let values, let address = sqlite3_user_data(context) else { return }
        Unmanaged<RegularExpressionFunction>.fromOpaque(address).takeUnretainedValue().call(context, values[0], values[1])
      }, nil, nil, { $0.map { Unmanaged<RegularExpressionFunction>.fromOpaque($0).release() } })
  }

  private func call(_ context: OpaquePointer?, _ pattern: OpaquePointer?, _ text: OpaquePointer?) {
    guard let connection = sqlite3_context_db_handle(context) else { return }
    let (pattern, text) = (SQLiteValue(pattern, of: connection), SQLiteValue(text, of: connection))
    guard pattern.storageClass != .null, text.storageClass != .null else { return }
    do {
      let matcher = try matcher(of: Self.bytes(pattern))
      sqlite3_result_int(context, matcher.matches(try Self.bytes(text)) ? 1 : 0)
    } catch {
      FunctionResult.fail(context, error)
    }
  }

  /// Returns the bytes of a value as a text, without a copy if it is a UTF-8 text.
  private static func bytes(_ value: SQLiteValue) throws -> UnsafeRawBufferPointer {
    value.storageClass == .blob ? try value.blob() : try value.text(isTerminated: false)
  }

  private func matcher(of pattern: UnsafeRawBufferPointer) throws -> RegularExpressionMatcher {
    if let first = expressions.first, first.pattern.elementsEqual(pattern) { return first.matcher }
    if let index = expressions.firstIndex(where: { $0.pattern.elementsEqual(pattern) }) {
      expressions.insert(expressions.remove(at: index), at: 0)
      return expressions[0].matcher
    }
    guard let text = String(validating: pattern, as: UTF8.self) else {
      throw DatabaseError(DatabaseError.SQLITE_ERROR, "the regular expression is not valid UTF-8")
    }
    do throws(RegularExpressionError) {
      let matcher = RegularExpressionMatcher(try RegularExpression(text))
      expressions.insert((Array(pattern), matcher), at: 0)
      if expressions.count > Self.mostExpressions { expressions.removeLast() }
      return matcher
    } catch {
      throw DatabaseError(
        DatabaseError.SQLITE_ERROR, "regular expression \(text.debugDescription), byte \(error.range.lowerBound + 1): \(error.sentence)")
    }
  }
}

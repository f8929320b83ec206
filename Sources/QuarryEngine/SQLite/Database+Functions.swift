internal import CSQLite
public import Essentials

/// Properties of a function that SQLite may rely on.
///
/// ```swift
/// try db.create(function: "initials", argumentCount: 1, options: [.deterministic, .directOnly]) { … }
/// ```
public struct FunctionOptions: OptionSet, Hashable, Sendable {
  /// The flags of `sqlite3_create_function_v2`.
  public let rawValue: Int32

  /// Creates options from the flags of `sqlite3_create_function_v2`.
  public init(rawValue: Int32) {
    self.rawValue = rawValue
  }

  /// The same arguments always give the same result, so that indexes and generated columns may use the function.
  ///
  /// The corresponding C flag is `SQLITE_DETERMINISTIC`.
  public static let deterministic = FunctionOptions(rawValue: 0x800)
  /// Only statements may call the function, not views, triggers or other parts of a schema; for functions with side effects or confidential
  /// results.
  ///
  /// The corresponding C flag is `SQLITE_DIRECTONLY`.
  public static let directOnly = FunctionOptions(rawValue: 0x8_0000)
  /// The function is harmless, so that even an untrusted schema may call it.
  ///
  /// The corresponding C flag is `SQLITE_INNOCUOUS`.
  public static let innocuous = FunctionOptions(rawValue: 0x20_0000)
}

extension Database {
  /// Creates an SQL function of this connection that calls a Swift closure.
  ///
  /// ```swift
  /// try db.create(function: "reversed", argumentCount: 1, options: .deterministic) { values in
  ///   guard case .text(let text) = values[0] else { return values[0] }
  ///   return String(text.reversed())
  /// }
  /// let name = try String.fetchOne(db, sql: "SELECT reversed('Arthur')")  // ruhtrA
  /// ```
  ///
  /// An error of the closure becomes the error of the statement: the code and message of a ``DatabaseError``, otherwise `SQLITE_ERROR` with
  /// the error's description. A text argument that is not valid UTF-8 is also an error. The closure must not use the database. It is
  /// released when the function is dropped or replaced, or when the connection closes. The corresponding C function is
  /// `sqlite3_create_function_v2`.
  ///
  /// - Parameter argumentCount: The number of arguments; nil for any number. Functions with the same name may differ in the number of
  ///   arguments.
  /// - Throws: `SQLITE_MISUSE` for an invalid name or number, `SQLITE_BUSY` if a statement is running and the function already exists.
  public func create(
    function name: String, argumentCount: Int? = nil, options: FunctionOptions = [],
    _ body: @escaping @Sendable (_ arguments: [DatabaseValue]) throws -> (any DatabaseValueConvertible)?
  ) throws {
    try checkAccess()
    let function = Unmanaged.passRetained(ScalarFunction(connection, body)).toOpaque()
    // SQLite releases the function even if it rejects it.
    let code = sqlite3_create_function_v2(
      connection, name, Self.count(argumentCount), SQLITE_UTF8 | options.rawValue, function,
      { context, count, values in
        guard let address = sqlite3_user_data(context) else { return }
        Unmanaged<ScalarFunction>.fromOpaque(address).takeUnretainedValue().call(context, values, count)
      }, nil, nil, { $0.map { Unmanaged<ScalarFunction>.fromOpaque($0).release() } })
    try checkDefinition(code, of: name)
  }

  /// Creates an SQL aggregate function of this connection that calls Swift closures.
  ///
  /// ```swift
  /// try db.create(aggregate: "product", argumentCount: 1, into: 1.0) { product, values in
  ///   product *= Double.fromDatabaseValue(values[0]) ?? 1
  /// } result: { product in
  ///   product
  /// }
  /// let product = try Double.fetchOne(db, sql: "SELECT product(factor) FROM factors")
  /// ```
  ///
  /// Each group begins with `initial`, which also determines the result of an empty group. The same rules for errors, the database and the
  /// release of closures apply as for ``create(function:argumentCount:options:_:)``. The aggregate cannot be used as a window function. The
  /// corresponding C function is `sqlite3_create_function_v2`.
  ///
  /// - Parameters:
  ///   - argumentCount: The number of arguments; nil for any number.
  ///   - initial: The state before the first row.
  ///   - step: Updates the state with the arguments of a row.
  ///   - result: Returns the result after the last row.
  /// - Throws: The same errors as ``create(function:argumentCount:options:_:)``.
  public func create<State: Sendable>(
    aggregate name: String, argumentCount: Int? = nil, options: FunctionOptions = [], into initial: State,
    _ step: @escaping @Sendable (inout State, _ arguments: [DatabaseValue]) throws -> Void,
    result: @escaping @Sendable (State) throws -> (any DatabaseValueConvertible)?
  ) throws {
    try checkAccess()
    let function = AggregateFunction(connection) {
      var state = initial
      return AggregateRun(step: { try step(&state, $0) }, result: { try result(state) })
    }
    let code = sqlite3_create_function_v2(
      connection, name, Self.count(argumentCount), SQLITE_UTF8 | options.rawValue, Unmanaged.passRetained(function).toOpaque(), nil,
      { context, count, values in AggregateFunction.of(context)?.step(context, values, count) },
      { context in AggregateFunction.of(context)?.finish(context) },
      { $0.map { Unmanaged<AggregateFunction>.fromOpaque($0).release() } })
    try checkDefinition(code, of: name)
  }

  /// Drops a function or an aggregate.
  ///
  /// ```swift
  /// try db.drop(function: "reversed", argumentCount: 1)
  /// ```
  ///
  /// After that, a call with this name and number fails, even if SQLite has a built-in function, or another function accepts any number.
  ///
  /// - Parameter argumentCount: The number of arguments with which it was created; nil for any number.
  /// - Throws: `SQLITE_BUSY` if a statement is running.
  public func drop(function name: String, argumentCount: Int? = nil) throws {
    try checkAccess()
    let code = sqlite3_create_function_v2(connection, name, Self.count(argumentCount), SQLITE_UTF8, nil, nil, nil, nil, nil)
    try checkDefinition(code, of: name)
  }

  private static func count(_ argumentCount: Int?) -> Int32 {
    argumentCount.map { Int32(clamping: max(0, $0)) } ?? -1
  }

  private func checkDefinition(_ code: Int32, of name: String) throws {
    schemaCache.removeAll()
    if code == SQLITE_MISUSE {
      throw DatabaseError.misuse("the name of the function \(name.debugDescription) is too long, or it has more than 127 arguments")
    }
    try check(code)
  }
}

extension Database {
  /// Creates a collation of this connection that compares texts with a Swift closure.
  ///
  /// ```swift
  /// try db.create(collation: "by_length") { first, second in
  ///   first.count == second.count ? .orderedSame : first.count < second.count ? .orderedAscending : .orderedDescending
  /// }
  /// let names = try String.fetchAll(db, sql: "SELECT name FROM player ORDER BY name COLLATE by_length")
  /// ```
  ///
  /// The order must never change, because indexes depend on it. Texts that are not valid UTF-8 come last, in byte order. The closure must
  /// not use the database. It is released when the collation is dropped or replaced, or when the connection closes. The corresponding C
  /// function is `sqlite3_create_collation_v2`.
  ///
  /// - Throws: `SQLITE_BUSY` if a statement is running and the collation already exists.
  public func create(collation name: String, _ compare: @escaping @Sendable (String, String) -> ComparisonResult) throws {
    try checkAccess()
    let collation = Unmanaged.passRetained(TextComparison(compare: compare))
    let code = sqlite3_create_collation_v2(
      connection, name, SQLITE_UTF8, collation.toOpaque(),
      { address, firstCount, first, secondCount, second in
        guard let address else { return 0 }
        return Unmanaged<TextComparison>.fromOpaque(address).takeUnretainedValue().result(
          UnsafeRawBufferPointer(start: first, count: Int(firstCount)), UnsafeRawBufferPointer(start: second, count: Int(secondCount)))
      }, { $0.map { Unmanaged<TextComparison>.fromOpaque($0).release() } })
    schemaCache.removeAll()
    // Unlike a function, SQLite does not release a rejected collation.
    if code != SQLITE_OK { collation.release() }
    try check(code)
  }

  /// Drops a collation.
  ///
  /// ```swift
  /// try db.drop(collation: "by_length")
  /// ```
  ///
  /// Statements that use it throw from then on. The corresponding C function is `sqlite3_create_collation_v2`.
  ///
  /// - Throws: `SQLITE_BUSY` if a statement is running.
  public func drop(collation name: String) throws {
    try checkAccess()
    schemaCache.removeAll()
    try check(sqlite3_create_collation_v2(connection, name, SQLITE_UTF8, nil, nil, nil))
  }
}

/// A Swift closure with which SQL compares texts.
private final class TextComparison: Sendable {
  let compare: @Sendable (String, String) -> ComparisonResult

  init(compare: @escaping @Sendable (String, String) -> ComparisonResult) {
    self.compare = compare
  }

  /// Compares two texts if both are valid UTF-8.
  ///
  /// Invalid texts are not repaired first, because two different texts could then become equal.
  func result(_ first: UnsafeRawBufferPointer, _ second: UnsafeRawBufferPointer) -> Int32 {
    switch (String(validating: first, as: UTF8.self), String(validating: second, as: UTF8.self)) {
    case (let first?, let second?): Int32(compare(first, second).rawValue)
    case (nil, nil): first.elementsEqual(second) ? 0 : first.lexicographicallyPrecedes(second) ? -1 : 1
    case (_?, nil): -1
    case (nil, _?): 1
    }
  }
}

/// An SQL function that searches several values for a text, as LIKE does in one: the case of ASCII letters and all blobs are ignored.
///
///     quarry_find_text(?1, 0, Name, Composer)   -- 1 if Composer is the first that contains it, NULL if none does
///
/// A LIKE for each value, with a condition that excludes blobs, takes four times as long.
package enum TextFinder {
  fileprivate static let function = "quarry_find_text"

  /// The number of values of one call; SQLite allows a hundred arguments.
  private static let width = 98

  /// Returns the SQL of the index of the first column that contains a text; NULL if none does.
  ///
  /// - Parameters:
  ///   - needle: The text, with its ASCII letters in lower case.
  ///   - seesNumbers: Whether to search numbers in their text form too, which takes longer.
  package static func sql(of needle: String, in columns: [SQLText], seesNumbers: Bool) -> SQLText {
    let calls = stride(from: 0, to: columns.count, by: width).map { first -> SQLText in
      let values = columns[first..<min(columns.count, first + width)].joined(by: ", ")
      let call: SQLText = "\(identifier: function)(\(needle), \(seesNumbers ? 1 : 0), \(values))"
      return first > 0 ? "\(call) + \(first)" : call
    }
    return calls.count == 1 ? calls[0] : "coalesce(\(calls.joined(by: ", ")))"
  }

  /// Implements the SQL function, which searches its arguments for the text.
  fileprivate static func find(_ context: OpaquePointer?, _ values: UnsafeMutablePointer<OpaquePointer?>, _ count: Int) {
    guard count > 2, let connection = sqlite3_context_db_handle(context) else { return }
    do {
      guard let needle = try SQLiteValue(values[0], of: connection).searchedText(seesNumbers: false) else { return }
      let (matcher, seesNumbers) = (TextMatcher(needle), SQLiteValue(values[1], of: connection).integer != 0)
      for index in 2..<count {
        let value = SQLiteValue(values[index], of: connection)
        guard let text = try value.searchedText(seesNumbers: seesNumbers), matcher.offset(in: text) != nil else { continue }
        return sqlite3_result_int(context, Int32(index - 2))
      }
    } catch {
      FunctionResult.fail(context, error)
    }
  }
}

extension Database {
  /// Registers the SQL function used by ``TextFinder``.
  ///
  /// The corresponding C function is `sqlite3_create_function_v2`.
  ///
  /// - Throws: ``DatabaseError``
  package func installTextFinder() throws {
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

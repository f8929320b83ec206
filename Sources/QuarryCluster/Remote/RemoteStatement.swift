public import QuarryEngine
public import QuarryRows

/// A statement that may be sent to a server, with the values of its parameters.
///
/// A ``RemoteSession`` runs nothing else, and only two kinds can be made: text that was judged by what SQLite would compile of it, and
/// statements that this program has written itself.
///
/// ```swift
/// try RemoteStatement("SELECT name FROM track WHERE id = ?", [7])
/// try RemoteStatement("EXPLAIN PRAGMA page_size = 512")   // throws: SQLite sets a PRAGMA while it compiles it
/// ```
public struct RemoteStatement: Sendable {
  /// One statement.
  public let sql: String
  /// The values of its parameters by their numbers, from 1.
  public let values: [DatabaseValue]
  /// The number of rows that it must change in a transaction, which is rolled back where it changes others; nil for any.
  public let expectedRows: Int?
  /// Whether it may be sent again though it may have been under way when its leader died or fell silent.
  ///
  /// True only for what this program has written itself and is soon done: a page of rows by key, a question about the catalog. Anything
  /// else may be what the leader died of.
  let isRepeatable: Bool

  private init(sql: String, _ values: [DatabaseValue], expectedRows: Int?, isRepeatable: Bool) {
    (self.sql, self.values, self.expectedRows, self.isRepeatable) = (sql, values, expectedRows, isRepeatable)
  }

  /// Makes a statement of any text, once it is known that compiling it does no harm.
  ///
  /// - Throws: ``DataSourceError`` with the reason why it is not sent.
  public init(_ sql: String, _ values: [DatabaseValue] = [], expectedRows: Int? = nil) throws(DataSourceError) {
    try RemoteGuard.check(sql)
    self.init(sql: sql, values, expectedRows: expectedRows, isRepeatable: false)
  }

  /// Makes a question about the catalog, or about the state of a connection, in words of this program alone.
  ///
  /// - Parameter values: The values of its parameters, such as names of tables.
  init(catalog sql: StaticString, _ values: [DatabaseValue] = []) {
    self.init(sql: sql.description, values, expectedRows: nil, isRepeatable: true)
  }

  /// Makes a statement that this program has written, of quoted names, typed expressions and bound values.
  ///
  ///     SELECT … WHERE Name > ?1 UNION ALL SELECT … WHERE Name = ?1 AND TrackId > ?2
  ///
  /// Each value is sent once, under a number. A text with a NUL, which the wire would cut, and more values than it carries become literals
  /// of the SQL.
  ///
  /// - Parameters:
  ///   - limit: The greatest number of values that the wire carries.
  ///   - isBrief: Whether it is soon done, so that it may be sent again after its answer was lost.
  init(own sql: SQLText, limit: Int, isBrief: Bool, expectedRows: Int? = nil) throws {
    try sql.checkStorable()
    let (text, values) = Self.numbered(sql, limit: limit)
    self.init(sql: text, values, expectedRows: expectedRows, isRepeatable: isBrief)
  }

  /// Makes a statement around the text of a query, once it is known that compiling it does no harm.
  init(around sql: SQLText, limit: Int) throws {
    try sql.checkStorable()
    let (text, values) = Self.numbered(sql, limit: limit)
    try self.init(text, values)
  }

  private static func numbered(_ sql: SQLText, limit: Int) -> (sql: String, values: [DatabaseValue]) {
    let numbers = numbers(of: sql.values)
    guard numbers.count <= limit else { return (sql.queryString, []) }
    let bytes = Array(sql.sql.utf8)
    var (text, end) = ("", 0)
    for placed in sql.placedValues {
      text += String(decoding: bytes[end..<placed.offset], as: UTF8.self)
      text += numbers[placed.value].map { "?\($0)" } ?? placed.value.sqlLiteral
      end = placed.offset + 1
    }
    text += String(decoding: bytes[end...], as: UTF8.self)
    return (text, numbers.sorted { $0.value < $1.value }.map(\.key))
  }

  private static func numbers(of values: [DatabaseValue]) -> [DatabaseValue: Int] {
    var numbers: [DatabaseValue: Int] = [:]
    for value in values where numbers[value] == nil && !value.hasNUL { numbers[value] = numbers.count + 1 }
    return numbers
  }
}

extension DatabaseValue {
  /// Whether it is a text with a NUL in it.
  var hasNUL: Bool {
    if case .text(let text) = self { text.utf8.contains(0) } else { false }
  }
}

extension RemoteSession {
  /// Runs a text that yields rows: see ``forEachBatch(_:_:)``.
  public func forEachBatch(_ sql: String, _ values: [DatabaseValue], _ body: @Sendable (RemoteRows) throws -> Void) async throws {
    try await forEachBatch(RemoteStatement(sql, values), body)
  }

  /// Runs a text that yields no rows: see ``execute(_:)``.
  public func execute(_ sql: String, _ values: [DatabaseValue]) async throws -> RemoteChange {
    try await execute(RemoteStatement(sql, values))
  }
}

/// SQL text with its bound values, in order.
///
/// Keywords come from source code, names are quoted, and values are always bound. Only ``raw(_:)`` inserts a text created at run time into
/// the SQL itself. A literal with interpolated Swift values creates SQL:
///
/// ```swift
/// let name = "O'Brien"
/// let sql: SQLText = "SELECT * FROM \(identifier: "Order Details") WHERE name = \(name)"
/// sql.sql          // SELECT * FROM "Order Details" WHERE name = ?
/// sql.queryString  // SELECT * FROM "Order Details" WHERE name = 'O''Brien'
/// ```
///
/// It can also be built part by part:
///
/// ```swift
/// var sql: SQLText = "SELECT * FROM "
/// sql.append(identifier: "Order Details")
/// sql.append(" WHERE name = ")
/// sql.append(value: "O'Brien")
/// ```
public struct SQLText: Hashable, Sendable {
  /// The text to run, with a `?` for each value.
  public private(set) var sql = ""
  /// The values to bind, in the order of their `?`.
  public private(set) var values: [DatabaseValue] = []
  /// The first reason against the SQL, such as a value that SQLite cannot store; creating a statement from the SQL throws this error.
  package private(set) var refusal: DatabaseError?
  /// The offset of each value's `?` in the UTF-8 of `sql`.
  private var offsets: [Int] = []
  /// The values with the positions of their `?`, in order.
  package var placedValues: [PlacedValue] { zip(offsets, values).map(PlacedValue.init) }
  /// The integers that are a whole term of ORDER BY or GROUP BY, by their index in `values`.
  private var loneNumbers: Set<Int> = []

  /// Creates empty SQL.
  public init() {}

  /// The values to bind, as the arguments of a statement.
  public var arguments: StatementArguments { StatementArguments(values) }

  /// Whether the SQL is empty.
  public var isEmpty: Bool { sql.isEmpty }

  /// Returns the list of that many `?` for a row of values.
  ///
  /// ```swift
  /// "INSERT INTO player VALUES (\(SQLText.parameters(3)))"  // INSERT INTO player VALUES (?, ?, ?)
  /// ```
  package static func parameters(_ count: Int) -> String { repeatElement("?", count: count).joined(separator: ", ") }

  /// Appends keywords, operators or punctuation from source code.
  ///
  /// ```swift
  /// var sql: SQLText = "SELECT * FROM player"
  /// sql.append(" ORDER BY name")
  /// // SELECT * FROM player ORDER BY name
  /// ```
  ///
  /// A text created at run time does not compile here.
  public mutating func append(_ keywords: StaticString) {
    keywords.withUTF8Buffer { sql += String(decoding: $0, as: UTF8.self) }
  }

  /// Appends a name, quoted if necessary.
  ///
  /// ```swift
  /// var sql: SQLText = "SELECT * FROM "
  /// sql.append(identifier: "Order Details")
  /// // SELECT * FROM "Order Details"
  /// ```
  public mutating func append(identifier: String) {
    sql += SQLIdentifier.quoted(identifier)
  }

  /// Appends a `?` and the value to bind to it, NULL for nil.
  ///
  /// ```swift
  /// var sql: SQLText = "SELECT * FROM player WHERE name = "
  /// sql.append(value: "O'Brien")
  /// // SELECT * FROM player WHERE name = ?
  /// ```
  ///
  /// A value that SQLite cannot store becomes NULL, and creating a statement throws its ``refusal``.
  public mutating func append(value: (some DatabaseValueConvertible)?) {
    do {
      append(argument: try value?.databaseValue ?? .null)
    } catch {
      refuse(error as? DatabaseError ?? DatabaseError(DatabaseError.SQLITE_MISMATCH, "\(error)"))
      append(argument: .null)
    }
  }

  /// Appends a `?` and the value to bind to it.
  ///
  /// ```swift
  /// var sql: SQLText = "SELECT * FROM player WHERE score > "
  /// sql.append(argument: .integer(100))
  /// // SELECT * FROM player WHERE score > ?
  /// ```
  public mutating func append(argument: DatabaseValue) {
    offsets.append(sql.utf8.count)
    values.append(argument)
    sql += "?"
  }

  /// Refuses the SQL: creating a statement throws the first error for which it was refused.
  mutating func refuse(_ error: DatabaseError) {
    refusal = refusal ?? error
  }

  /// Appends other SQL with its values.
  ///
  /// ```swift
  /// let condition: SQLText = "score > \(100)"
  /// var sql: SQLText = "SELECT * FROM player WHERE "
  /// sql.append(condition)
  /// // SELECT * FROM player WHERE score > ?
  /// ```
  @_disfavoredOverload
  public mutating func append(_ other: SQLText) {
    if !other.values.isEmpty { appendValues(of: other) }
    sql += other.sql
    refusal = refusal ?? other.refusal
  }

  private mutating func appendValues(of other: SQLText) {
    let offset = sql.utf8.count
    for number in other.loneNumbers { loneNumbers.insert(number + values.count) }
    for place in other.offsets { offsets.append(place + offset) }
    values += other.values
  }

  /// Appends a text as SQL, unchecked and unquoted; never use it for user input or file contents.
  ///
  /// ```swift
  /// var sql: SQLText = "SELECT * FROM player "
  /// sql.raw(isNewestFirst ? "ORDER BY id DESC" : "ORDER BY id")
  /// // SELECT * FROM player ORDER BY id DESC
  /// ```
  public mutating func raw(_ text: String) {
    sql += text
  }

  /// Returns the same SQL with other values for its last `?`, at a fraction of the cost of building it again.
  package func replacingLastValues(_ last: [DatabaseValue]) -> SQLText {
    var text = self
    text.values.replaceSubrange(max(0, values.count - last.count)..., with: last)
    return text
  }

  /// The SQL with literals as values, for display, or to run in a shell with the same result.
  ///
  /// ```swift
  /// let sql: SQLText = "SELECT * FROM player WHERE name = \("O'Brien")"
  /// sql.queryString  // SELECT * FROM player WHERE name = 'O''Brien'
  /// ```
  ///
  /// See ``DatabaseValue/sqlLiteral``.
  public var queryString: String { text(literal: \.sqlLiteral) }

  /// The SQL for display, with long texts and blobs shortened, so that it may differ from the SQL that runs.
  ///
  /// ```swift
  /// let sql: SQLText = "UPDATE page SET body = \(novel)"
  /// sql.shortQueryString  // UPDATE page SET body = 'Call me Ishmael. Some years ago—never mind how long precisel…'
  /// ```
  package var shortQueryString: String { text(literal: \.shortLiteral) }

  private func text(literal: (DatabaseValue) -> String) -> String {
    var result = ""
    var end = sql.utf8.startIndex
    for (index, offset) in offsets.enumerated() {
      let next = sql.utf8.index(sql.utf8.startIndex, offsetBy: offset)
      let literal = literal(values[index])
      result += sql[end..<next] + (loneNumbers.contains(index) ? "(\(literal) + 0)" : literal)
      end = sql.utf8.index(after: next)
    }
    return result + sql[end...]
  }
}

extension SQLText {
  /// The number of bytes of the text.
  var count: Int { sql.utf8.count }

  /// Ends a term of ORDER BY or GROUP BY that begins at a byte offset.
  ///
  /// SQLite reads an integer literal in such a term as a column number, even in parentheses or with signs and COLLATE.
  mutating func endTerm(from start: Int) {
    guard let offset = offsets.last, offset >= start, case .integer = values.last else { return }
    let term = sql.utf8.dropFirst(start)
    let signs = term.prefix { "(+-".utf8.contains($0) }
    let rest = term.dropFirst(signs.count + 1).drop { $0 == UInt8(ascii: ")") }
    guard signs.count == offset - start, rest.isEmpty || rest.starts(with: " COLLATE ".utf8) else { return }
    loneNumbers.insert(values.count - 1)
  }
}

extension SQLText {
  /// A value of the SQL, with the offset of its `?` in the UTF-8.
  package struct PlacedValue {
    package let offset: Int
    package let value: DatabaseValue
  }

  /// Checks that SQLite can store all values.
  ///
  /// - Throws: The error of the first value that SQLite cannot store.
  package func checkStorable() throws {
    if let refusal { throw refusal }
  }
}

extension Sequence<SQLText> {
  /// Returns the parts as one text, with `separator` between them.
  package func joined(by separator: StaticString) -> SQLText {
    var text = SQLText()
    for (index, part) in enumerated() {
      if index > 0 { text.append(separator) }
      text.append(part)
    }
    return text
  }
}

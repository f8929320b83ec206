/// SQL as a text and the values that stand in it, in their order.
///
/// Keywords come from the source, names are quoted, and a value is always bound: the one way for a text made at run time into the SQL
/// itself is called ``raw(_:)``. A literal makes it, in which Swift values can stand:
///
/// ```swift
/// let name = "O'Brien"
/// let sql: SQLText = "SELECT * FROM \(identifier: "Order Details") WHERE name = \(name)"
/// sql.sql          // SELECT * FROM "Order Details" WHERE name = ?
/// sql.queryString  // SELECT * FROM "Order Details" WHERE name = 'O''Brien'
/// ```
///
/// or it grows part by part:
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
  /// The first value that SQLite cannot store: making a statement of the SQL throws it.
  package private(set) var refusal: DatabaseError?
  /// Where in the UTF-8 of `sql` the `?` of each value stands.
  private var offsets: [Int] = []
  /// The values with the places of their `?`, in their order.
  package var placedValues: [PlacedValue] { zip(offsets, values).map(PlacedValue.init) }
  /// The integers that stand by themselves as a term of ORDER BY or GROUP BY, by their index in `values`.
  private var loneNumbers: Set<Int> = []

  /// Creates SQL of no text.
  public init() {}

  /// The values to bind, as the arguments of a statement.
  public var arguments: StatementArguments { StatementArguments(values) }

  /// Whether there is no SQL.
  public var isEmpty: Bool { sql.isEmpty }

  /// Appends keywords, operators or punctuation that stand in the source.
  ///
  /// ```swift
  /// var sql: SQLText = "SELECT * FROM player"
  /// sql.append(" ORDER BY name")
  /// // SELECT * FROM player ORDER BY name
  /// ```
  ///
  /// A text that is made at run time does not compile here.
  public mutating func append(_ keywords: StaticString) {
    keywords.withUTF8Buffer { sql += String(decoding: $0, as: UTF8.self) }
  }

  /// Appends a name, quoted where it must be.
  ///
  /// ```swift
  /// var sql: SQLText = "SELECT * FROM "
  /// sql.append(identifier: "Order Details")
  /// // SELECT * FROM "Order Details"
  /// ```
  public mutating func append(identifier: String) {
    sql += SQLIdentifier.quoted(identifier)
  }

  /// Appends a `?` and the value to bind to it, nil being NULL.
  ///
  /// ```swift
  /// var sql: SQLText = "SELECT * FROM player WHERE name = "
  /// sql.append(value: "O'Brien")
  /// // SELECT * FROM player WHERE name = ?
  /// ```
  ///
  /// A value that SQLite cannot store becomes NULL here, and the ``refusal`` of making a statement.
  public mutating func append(value: (some DatabaseValueConvertible)?) {
    do {
      append(argument: try value?.databaseValue ?? .null)
    } catch {
      refusal = refusal ?? error as? DatabaseError ?? DatabaseError(DatabaseError.SQLITE_MISMATCH, "\(error)")
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
    let offset = sql.utf8.count
    loneNumbers.formUnion(other.loneNumbers.map { $0 + values.count })
    offsets += other.offsets.map { $0 + offset }
    values += other.values
    sql += other.sql
    refusal = refusal ?? other.refusal
  }

  /// Appends a text as SQL, unseen and unquoted: never what a person typed or a file holds.
  ///
  /// ```swift
  /// var sql: SQLText = "SELECT * FROM player "
  /// sql.raw(isNewestFirst ? "ORDER BY id DESC" : "ORDER BY id")
  /// // SELECT * FROM player ORDER BY id DESC
  /// ```
  public mutating func raw(_ text: String) {
    sql += text
  }

  /// Returns the same SQL with other values for the last of its `?`, at a fraction of the cost of writing it anew.
  package func replacingLastValues(_ last: [DatabaseValue]) -> SQLText {
    var text = self
    text.values.replaceSubrange(max(0, values.count - last.count)..., with: last)
    return text
  }

  /// The same SQL with literals in the place of values, to be read, or run in a shell for the same rows.
  ///
  /// ```swift
  /// let sql: SQLText = "SELECT * FROM player WHERE name = \("O'Brien")"
  /// sql.queryString  // SELECT * FROM player WHERE name = 'O''Brien'
  /// ```
  ///
  /// See ``DatabaseValue/sqlLiteral``.
  public var queryString: String { text(literal: \.sqlLiteral) }

  /// The same SQL as a person reads it: of texts and blobs that are long only the beginning, so that it may not be what SQLite runs.
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

  /// Takes what was written from a byte on for a term of ORDER BY or GROUP BY, where SQLite takes a literal integer for the number of a
  /// column, and looks through parentheses, signs and COLLATE to find it.
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
  /// A value of the SQL, and where in its UTF-8 the `?` stands that it is for.
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

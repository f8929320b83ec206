/// SQL as a text and the arguments that stand in it, in their order.
///
/// Keywords come from the source, names are quoted, and a value is always an argument: the one way for a text made at run time into
/// the SQL itself is called ``raw(_:)``.
///
/// ```swift
/// var sql = SQLText("SELECT * FROM ")
/// sql.append(identifier: "Order Details")
/// sql.append(" WHERE note = ")
/// sql.append(argument: .text("it's"))
/// sql.sql          // SELECT * FROM "Order Details" WHERE note = ?
/// sql.queryString  // SELECT * FROM "Order Details" WHERE note = 'it''s'
/// ```
public struct SQLText: Hashable, Sendable {
  /// The text to run, with a `?` for each argument.
  public private(set) var sql = ""
  /// The values to bind, one for each `?` that ``append(argument:)`` wrote.
  public private(set) var arguments: [DatabaseValue] = []
  /// The first value that SQLite cannot store: running the statement throws it.
  public private(set) var refusal: DatabaseError?
  /// Where in the UTF-8 of `sql` the `?` of each argument stands.
  private var places: [Int] = []

  public init() {}

  /// Makes SQL of a text that stands in the source.
  public init(_ keywords: StaticString) {
    append(keywords)
  }

  public var isEmpty: Bool { sql.isEmpty }

  /// Appends keywords, operators or punctuation that stand in the source.
  public mutating func append(_ keywords: StaticString) {
    keywords.withUTF8Buffer { sql += String(decoding: $0, as: UTF8.self) }
  }

  /// Appends a name, quoted where it must be.
  public mutating func append(identifier: String) {
    sql += SQLIdentifier.quoted(identifier)
  }

  /// Appends a `?` and the value to bind to it, nil being NULL.
  ///
  /// A value that SQLite cannot store becomes NULL here, and the ``refusal`` of running the statement.
  public mutating func append(value: (some DatabaseValueConvertible)?) {
    do {
      append(argument: try value?.databaseValue ?? .null)
    } catch {
      refusal = refusal ?? error as? DatabaseError ?? DatabaseError(DatabaseError.SQLITE_MISMATCH, "\(error)")
      append(argument: .null)
    }
  }

  /// Appends a `?` and the value to bind to it.
  public mutating func append(argument: DatabaseValue) {
    places.append(sql.utf8.count)
    arguments.append(argument)
    sql += "?"
  }

  /// Appends other SQL with its arguments.
  public mutating func append(_ other: SQLText) {
    let offset = sql.utf8.count
    places += other.places.map { $0 + offset }
    arguments += other.arguments
    sql += other.sql
    refusal = refusal ?? other.refusal
  }

  /// Appends a text as SQL, unseen and unquoted: never what a person typed or a file holds.
  public mutating func raw(_ text: String) {
    sql += text
  }

  /// The same SQL with literals in the place of arguments, to be read, or run in a shell for the same rows.
  ///
  /// See ``DatabaseValue/sqlLiteral``.
  public var queryString: String {
    var result = ""
    var end = sql.utf8.startIndex
    for (place, argument) in zip(places, arguments) {
      let next = sql.utf8.index(sql.utf8.startIndex, offsetBy: place)
      result += sql[end..<next] + argument.sqlLiteral
      end = sql.utf8.index(after: next)
    }
    return result + sql[end...]
  }
}

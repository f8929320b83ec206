/// A column of a table, with the type of its values.
///
/// ```swift
/// let id = Column<Int>("id")
/// let priority = Column<Int?>("priority")  // may be NULL
/// id == 3   // (id = 3)
/// ```
///
/// The program asserts the type: a value that does not match it throws `SQLITE_MISMATCH` when it is fetched.
public struct Column<Output: QueryOutput>: QueryExpression {
  public typealias QueryValue = Output.QueryValue

  /// The column's name in the schema.
  public let name: String
  /// The table's name or alias in the query; nil for an unqualified column.
  private let source: VisibleSource?

  /// Creates a column with a name, whose type is explicit or inferred from its use.
  ///
  /// ```swift
  /// let title = Column<String>("title")
  /// ```
  public init(_ name: String) {
    self.init(name, in: nil)
  }

  /// Creates a column of a source, by its name in the query.
  package init(_ name: String, of source: String) {
    self.init(name, in: VisibleSource(name: source))
  }

  init(_ name: String, in source: VisibleSource?) {
    self.name = name
    self.source = source
  }

  public func write(to sql: inout SQLWriter) {
    sql.append(column: name, of: source)
  }
}

/// A value that is bound when the statement runs, NULL for nil.
///
/// ```swift
/// Reminder.select { ($0.id, Constant("note")) }
/// // SELECT id, 'note' FROM reminders
/// ```
public struct Constant<Operand: QueryOperand>: QueryExpression {
  public typealias QueryValue = Operand
  public typealias Output = Operand?

  package let value: Operand?

  /// Creates an expression with the same value for each row.
  ///
  /// ```swift
  /// Constant(3).sqlText.sql     // ?
  /// Constant(3).queryString     // 3
  /// ```
  public init(_ value: Operand?) {
    self.value = value
  }

  public func write(to sql: inout SQLWriter) {
    sql.append(value: value)
  }
}

extension Column where Output == DatabaseValue {
  /// Creates a column whose values may have any type.
  ///
  /// ```swift
  /// let note = Column("note")
  /// note != nil   // (note IS NOT NULL)
  /// ```
  public init(_ name: String) {
    self.init(name, in: nil)
  }
}

/// A parameter without a value, written as its token, for display and planning but not for running.
///
///     (score > :min)
package struct OpenParameter: QueryExpression {
  package typealias QueryValue = DatabaseValue
  package typealias Output = DatabaseValue?

  /// The parameter as written.
  package let token: String

  /// Creates a parameter from a single SQL parameter token.
  init?(_ token: String) {
    let name = token.utf8.dropFirst()
    let isNumbered = token.utf8.first == UInt8(ascii: "?")
    let isName = { (byte: UInt8) in byte >= 0x80 || byte == UInt8(ascii: "_") || byte == UInt8(ascii: "$") || (byte | 0x20) &- 0x61 < 26 }
    let isDigit = { (byte: UInt8) in byte &- 0x30 < 10 }
    guard let first = token.utf8.first, "?:@$".utf8.contains(first) else { return nil }
    guard name.allSatisfy({ isDigit($0) || !isNumbered && isName($0) }), isNumbered || !name.isEmpty else { return nil }
    self.token = token
  }

  package func write(to sql: inout SQLWriter) {
    var text = SQLText()
    text.raw(token)
    sql.append(text)
  }
}

/// A column of a table, with the type of what it yields.
///
/// ```swift
/// let id = Column<Int>("id")
/// let priority = Column<Int?>("priority")  // may be NULL
/// id == 3   // (id = 3)
/// ```
///
/// The type is a promise of the program's: a value that does not fit it throws `SQLITE_MISMATCH` when it is fetched.
public struct Column<Output: QueryOutput>: QueryExpression {
  public typealias QueryValue = Output.QueryValue

  /// The column's name, as the schema has it.
  public let name: String
  /// The table's name or alias; nil for a column by itself.
  let source: String?

  /// Makes a column of a name, whose type is told or follows from what it is used for.
  ///
  /// ```swift
  /// let title = Column<String>("title")
  /// ```
  public init(_ name: String) {
    self.init(name, of: nil)
  }

  init(_ name: String, of source: String?) {
    self.name = name
    self.source = source
  }

  public func write(to sql: inout SQLWriter) {
    sql.append(column: name, of: source)
  }
}

/// A value that is bound when the statement runs; nil is NULL.
///
/// ```swift
/// Reminder.select { ($0.id, Constant("note")) }
/// // SELECT id, 'note' FROM reminders
/// ```
public struct Constant<Operand: QueryOperand>: QueryExpression {
  public typealias QueryValue = Operand
  public typealias Output = Operand?

  let value: Operand?

  /// Makes an expression that has the same value for each row.
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
  /// Makes a column whose values may be of any type.
  ///
  /// ```swift
  /// let note = Column("note")
  /// note != nil   // (note IS NOT NULL)
  /// ```
  public init(_ name: String) {
    self.init(name, of: nil)
  }
}

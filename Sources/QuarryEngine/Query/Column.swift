/// A column of a table, with the type of what it yields.
///
/// ```swift
/// let id = Column<Int>("id")
/// let priority = Column<Int?>("priority")  // may be NULL
/// ```
public struct Column<Output: QueryOutput>: QueryExpression {
  public typealias QueryValue = Output.QueryValue

  /// The column's name, as the schema has it.
  public let name: String
  /// The table's name or alias; nil for a column by itself.
  let source: String?

  /// Makes a column of a name.
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
public struct Constant<Operand: QueryOperand>: QueryExpression {
  public typealias QueryValue = Operand
  public typealias Output = Operand?

  let value: Operand?

  /// Makes an expression that has the same value for each row.
  public init(_ value: Operand?) {
    self.value = value
  }

  public func write(to sql: inout SQLWriter) {
    sql.append(value: value)
  }
}

extension Column where Output == DatabaseValue {
  /// Makes a column whose values may be of any type.
  public init(_ name: String) {
    self.init(name, of: nil)
  }
}

/// An expression whose type is known only at run time: created from a column of a schema, or from an entered value.
///
/// ```swift
/// let priority = TypedExpression(columnNamed: "priority", type: .integer)
/// let three = TypedExpression(literal: .integer(3))
/// let isHigh = try priority.compared(.atLeast, three)
/// isHigh.expression.queryString  // (priority >= 3)
/// ```
///
/// Its operations return the same nodes as Swift's operators, or throw an ``Incompatibility`` with the reason why they cannot.
package enum TypedExpression: Sendable {
  /// An integer.
  case integer(any QueryExpression<Int>)
  /// A real.
  case real(any QueryExpression<Double>)
  /// A number of either storage class.
  case numeric(any QueryExpression<Number>)
  /// A text.
  case text(any QueryExpression<String>)
  /// A blob.
  case blob(any QueryExpression<[UInt8]>)
  /// A Boolean.
  case boolean(any QueryExpression<Bool>)
  /// A date or time, as a text.
  case date(any QueryExpression<DateText>)
  /// A value of any type, which is compatible with every other type.
  case any(any QueryExpression<DatabaseValue>)
  /// NULL itself.
  case null
}

extension TypedExpression {
  /// Creates an expression from a column with a known type.
  ///
  /// ```swift
  /// TypedExpression(columnNamed: "title", type: .text).expression.queryString  // title
  /// ```
  package init(columnNamed name: String, type: ExpressionType) {
    self =
      switch type {
      case .integer: .integer(Column<Int?>(name))
      case .real: .real(Column<Double?>(name))
      case .numeric: .numeric(Column<Number?>(name))
      case .text: .text(Column<String?>(name))
      case .blob: .blob(Column<[UInt8]?>(name))
      case .boolean: .boolean(Column<Bool?>(name))
      case .date: .date(Column<DateText?>(name))
      case .any, .null: .any(Column<DatabaseValue>(name))
      }
  }

  /// Creates a literal from a value, with the type of its storage class.
  ///
  /// ```swift
  /// TypedExpression(literal: .text("it's")).expression.queryString  // 'it''s'
  /// ```
  package init(literal value: DatabaseValue) {
    self =
      switch value {
      case .null: .null
      case .integer(let value): .integer(Constant(Int(value)))
      case .real(let value): .real(Constant(value))
      case .text(let value): .text(Constant(value))
      case .blob(let bytes): .blob(Constant(bytes))
      }
  }

  /// Creates a Boolean literal.
  ///
  /// ```swift
  /// TypedExpression(literal: true).expression.queryString  // 1
  /// ```
  package init(literal truth: Bool) {
    self = .boolean(Constant(truth))
  }

  /// Creates a literal from a date, which is bound as written.
  ///
  /// ```swift
  /// TypedExpression(literal: DateText("2026-02-01")).expression.queryString  // '2026-02-01'
  /// ```
  package init(literal date: DateText) {
    self = .date(Constant(date))
  }

  /// Creates a parameter with a value, compatible with any type.
  ///
  /// ```swift
  /// let title = TypedExpression(columnNamed: "title", type: .text)
  /// try title.equals(TypedExpression(parameter: .integer(3))).expression.queryString  // (title = 3)
  /// ```
  package init(parameter value: DatabaseValue) {
    self = value == .null ? .null : .any(Constant(value))
  }

  /// Creates a parameter without a value, for display, compatible with any type; nil if the token is not a parameter.
  ///
  /// ```swift
  /// TypedExpression(parameterNamed: ":least")?.expression.queryString  // :least
  /// TypedExpression(parameterNamed: "least")                           // nil
  /// ```
  package init?(parameterNamed token: String) {
    guard let parameter = OpenParameter(token) else { return nil }
    self = .any(parameter)
  }

  /// The type that determines the compatibility of the expression.
  package var type: ExpressionType {
    switch self {
    case .integer: .integer
    case .real: .real
    case .numeric: .numeric
    case .text: .text
    case .blob: .blob
    case .boolean: .boolean
    case .date: .date
    case .any: .any
    case .null: .null
    }
  }

  /// The expression without its type, for writing or ordering.
  ///
  /// ```swift
  /// let column = TypedExpression(columnNamed: "title", type: .text)
  /// Ordering(column.expression, .descending).sqlText.sql  // title DESC
  /// ```
  package var expression: any QueryExpression {
    switch self {
    case .integer(let expression): expression
    case .real(let expression): expression
    case .numeric(let expression): expression
    case .text(let expression): expression
    case .blob(let expression): expression
    case .boolean(let expression): expression
    case .date(let expression): expression
    case .any(let expression): expression
    case .null: Constant<DatabaseValue>(nil)
    }
  }
}

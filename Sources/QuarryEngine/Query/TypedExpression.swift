/// An expression whose type is known at run time only: made from a column of a schema, or a value that somebody typed.
///
/// Its operations either make the same nodes that Swift's operators make, or throw an ``Incompatibility`` that says why they cannot.
public enum TypedExpression: Sendable {
  case integer(any QueryExpression<Int>)
  case real(any QueryExpression<Double>)
  case numeric(any QueryExpression<Number>)
  case text(any QueryExpression<String>)
  case blob(any QueryExpression<[UInt8]>)
  case boolean(any QueryExpression<Bool>)
  case date(any QueryExpression<DateText>)
  case any(any QueryExpression<DatabaseValue>)
  case null
}

extension TypedExpression {
  /// Makes an expression of a column, with the type that its declaration says.
  public init(_ column: ColumnSchema, isStrict: Bool = false) {
    self.init(columnNamed: column.name, type: ExpressionType(column, isStrict: isStrict))
  }

  /// Makes an expression of a column whose type is known.
  public init(columnNamed name: String, type: ExpressionType) {
    self = switch type {
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

  /// Makes a literal of a value, with the type of its storage class.
  public init(literal value: DatabaseValue) {
    self = switch value {
    case .null: .null
    case .integer(let value): .integer(Constant(Int(value)))
    case .real(let value): .real(Constant(value))
    case .text(let value): .text(Constant(value))
    case .blob(let bytes): .blob(Constant(bytes))
    }
  }

  /// Makes a literal of a truth.
  public init(literal truth: Bool) {
    self = .boolean(Constant(truth))
  }

  /// Makes a literal of a date, bound as it is written.
  public init(literal date: DateText) {
    self = .date(Constant(date))
  }

  /// Makes a parameter that has been given a value: it goes with any type.
  public init(parameter value: DatabaseValue) {
    self = value == .null ? .null : .any(Constant(value))
  }

  /// Makes a parameter that has no value yet, to be read: it goes with any type; nil where the token is none.
  public init?(parameterNamed token: String) {
    guard let parameter = OpenParameter(token) else { return nil }
    self = .any(parameter)
  }

  /// The type that decides what the expression goes with.
  public var type: ExpressionType {
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

  /// The expression without its type, to be written or ordered by.
  public var expression: any QueryExpression {
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

public import QuarryEngine

/// A parameter of a statement, with the inferred properties of its value.
///
/// ```swift
/// // CREATE TABLE player (id INTEGER PRIMARY KEY, score REAL)
/// let parameters = try db.parameters(of: "SELECT * FROM player WHERE score > :min LIMIT ?")
/// parameters.map(\.token)  // [":min", "?"]
/// parameters.map(\.key)    // ["min", "2"]
/// parameters.map(\.type)   // [.real, .integer]
/// ```
public struct StatementParameter: Hashable, Sendable {
  /// The parameter as first written: `:min`, `@min`, `$min`, `?2`, `?`.
  public let token: String
  /// Its other spellings, such as `?1` if `:min` has number 1.
  public internal(set) var otherTokens: [String] = []
  /// The number assigned by SQLite, from 1.
  public let index: Int
  /// The type of its value: declared in a comment, or inferred from its operands; nil if any type is possible.
  public var type: ExpressionType?
  /// The type declared by a comment.
  public var declaredType: ParameterType?
  /// The column that it is compared with or assigned to; nil if there is no such column.
  public var column: ParameterColumn?
  /// The initial text from a comment.
  public var defaultText: String?
  /// The source of values to choose from.
  public var choices: ParameterChoices?
  /// Whether the value is stored in a unique column, so that existing values cannot be chosen.
  public internal(set) var isNew = false
  /// The type inferred from the position of the parameter, if no type is known.
  var inferredValueType: ParameterType?

  /// Creates a parameter.
  ///
  /// ```swift
  /// StatementParameter(token: ":min", index: 1, type: .integer)
  /// ```
  public init(
    token: String, index: Int, type: ExpressionType? = nil, declaredType: ParameterType? = nil, column: ParameterColumn? = nil,
    defaultText: String? = nil, choices: ParameterChoices? = nil
  ) {
    self.token = token
    self.index = index
    self.type = declaredType?.expressionType ?? type
    self.declaredType = declaredType
    self.column = column
    self.defaultText = defaultText
    self.choices = choices
  }

  /// The key under which its value is stored: the name without its prefix, shared by `:x`, `@x` and `$x`; the number of an unnamed
  /// parameter.
  public var key: String { hasName ? String(token.dropFirst()) : String(index) }

  /// A unique identifier in the statement: the whole token, or the number of an unnamed parameter.
  public var identity: String { hasName ? token : String(index) }

  /// The type as which its text is parsed: the declared type, otherwise the inferred type; nil if the text determines it.
  public var valueType: ParameterType? { declaredType ?? inferredValueType ?? type?.parameterType }

  /// The expected type, for use in a sentence: `an integer`; nil if any type is possible.
  public var expectation: String? { declaredType?.phrase ?? inferredValueType?.phrase ?? type?.phrase }

  private var hasName: Bool { !token.hasPrefix("?") }
}

/// The column that a parameter is compared with or assigned to.
public struct ParameterColumn: Hashable, Sendable {
  /// The table or view that has the column.
  public var table: TableReference
  /// The column's name.
  public var name: String

  /// Creates a reference to a column.
  ///
  /// ```swift
  /// ParameterColumn(table: TableReference(name: "Track"), name: "Milliseconds")
  /// ```
  public init(table: TableReference, name: String) {
    self.table = table
    self.name = name
  }
}

/// The source of the values to choose from for a parameter.
public enum ParameterChoices: Hashable, Sendable {
  /// The first column of a SELECT, in its order.
  case query(String)
  /// The distinct values of a column.
  case column(TableReference, String)
}

extension ParameterType {
  /// The type, for use in a sentence: `an integer`.
  ///
  /// ```swift
  /// ParameterType.date.phrase  // a date
  /// ```
  public var phrase: String {
    switch self {
    case .json: "JSON"
    default: expressionType.phrase
    }
  }

  /// The expression type of such a value.
  var expressionType: ExpressionType {
    switch self {
    case .null: .null
    case .integer: .integer
    case .real: .real
    case .text, .json: .text
    case .blob: .blob
    case .date: .date
    }
  }
}

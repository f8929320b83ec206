public import QuarryEngine

/// A parameter of a statement: what is to be asked for, and what is known of its value.
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
  /// The other ways it is written: `?1` where that is the number of `:min`.
  public internal(set) var otherTokens: [String] = []
  /// The number that SQLite gives it, from 1.
  public let index: Int
  /// The type of its value: declared in a comment, else that of what it stands beside; nil where anything will do.
  public var type: ExpressionType?
  /// The type that a comment declares.
  public var declaredType: ParameterType?
  /// The column that it is compared with or assigned to, if it is to one.
  public var column: ParameterColumn?
  /// The text that a comment gives it from the start.
  public var defaultText: String?
  /// Where values to choose from come from.
  public var choices: ParameterChoices?
  /// Whether it is stored where no two rows have the same value, so that those that are there are none to choose from.
  public internal(set) var isNew = false
  /// What a text is read as by the place where it stands, where no type says that.
  var inferredValueType: ParameterType?

  /// Makes a parameter.
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

  /// What its value goes by: the name without its prefix, so that `:x`, `@x` and `$x` go by one; the number of one without a name.
  public var key: String { hasName ? String(token.dropFirst()) : String(index) }

  /// What tells it from all others of the statement: the whole token, or the number of one without a name.
  public var identity: String { hasName ? token : String(index) }

  /// What a text for it is read as: the declared type, else the inferred one; nil where what is written decides.
  public var valueType: ParameterType? { declaredType ?? inferredValueType ?? type?.parameterType }

  /// What is expected of its value, in a sentence: `an integer`; nil where anything will do.
  public var expectation: String? { declaredType?.phrase ?? inferredValueType?.phrase ?? type?.phrase }

  private var hasName: Bool { !token.hasPrefix("?") }
}

/// The column that a parameter is compared with or assigned to.
public struct ParameterColumn: Hashable, Sendable {
  /// The table or view that has the column.
  public var table: TableReference
  /// The column's name.
  public var name: String

  /// Names a column.
  ///
  /// ```swift
  /// ParameterColumn(table: TableReference(name: "Track"), name: "Milliseconds")
  /// ```
  public init(table: TableReference, name: String) {
    self.table = table
    self.name = name
  }
}

/// Where values for a parameter come from, to be chosen among.
public enum ParameterChoices: Hashable, Sendable {
  /// The first column of one SELECT, in its order.
  case query(String)
  /// The different values of a column.
  case column(TableReference, String)
}

extension ParameterType {
  /// The type in a sentence: `an integer`.
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

  /// The type of an expression that has such a value.
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

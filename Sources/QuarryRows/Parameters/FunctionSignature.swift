internal import QuarryEngine

/// The parameter and result types of an SQLite function, as far as they help infer the type of a parameter.
struct FunctionSignature {
  enum Operand: Hashable {
    case type(ExpressionType)
    /// JSON text.
    case json
    /// The type of the other arguments.
    case likeOthers
    /// Any type.
    case any

    var evidence: ParameterEvidence? {
      switch self {
      case .type(let type): ParameterEvidence(type)
      case .json: ParameterEvidence(.text, valueType: .json)
      case .likeOthers, .any: nil
      }
    }
  }

  /// The arguments; the last one also describes all that follow.
  private var arguments: [Operand]
  var result: Operand

  private init(_ arguments: [Operand], _ result: Operand) {
    (self.arguments, self.result) = (arguments, result)
  }

  /// Returns the type of the argument at a position, from 0.
  func argument(_ position: Int) -> Operand {
    arguments.indices.contains(position) ? arguments[position] : arguments.last ?? .any
  }

  /// Returns the function with this name, in upper case; nil if it is unknown.
  static func named(_ name: String) -> FunctionSignature? { all[name] }

  private static let all: [String: FunctionSignature] = {
    let integer = Operand.type(.integer)
    let real = Operand.type(.real)
    let number = Operand.type(.numeric)
    let text = Operand.type(.text)
    let date = Operand.type(.date)
    var all: [String: FunctionSignature] = [:]
    func add(_ names: String, _ arguments: [Operand], _ result: Operand) {
      for name in names.split(separator: " ") { all[String(name)] = FunctionSignature(arguments, result) }
    }
    add("LOWER UPPER TRIM LTRIM RTRIM REPLACE SOUNDEX UNHEX", [text], text)
    add("SUBSTR SUBSTRING", [text, integer], text)
    add("INSTR", [text], integer)
    add("LENGTH OCTET_LENGTH COUNT", [.any], integer)
    add("UNICODE", [text], integer)
    add("CHAR", [integer], text)
    add("HEX QUOTE TYPEOF", [.any], text)
    add("PRINTF FORMAT GROUP_CONCAT STRING_AGG", [.any, .any], text)
    add("LIKE GLOB REGEXP", [text], .type(.boolean))
    add("ABS SIGN SUM", [number], number)
    add("ROUND", [number, integer], real)
    add("AVG TOTAL SQRT EXP LN LOG LOG2 LOG10 POW POWER SIN COS TAN ASIN ACOS ATAN RADIANS DEGREES", [number], real)
    add("CEIL CEILING FLOOR TRUNC MOD", [number], number)
    add("DATE TIME DATETIME", [date, text], date)
    add("JULIANDAY", [date, text], real)
    add("UNIXEPOCH", [date, text], integer)
    add("STRFTIME", [text, date, text], text)
    add("TIMEDIFF", [date], text)
    add("COALESCE IFNULL NULLIF MIN MAX", [.likeOthers], .likeOthers)
    add("RANDOM CHANGES TOTAL_CHANGES LAST_INSERT_ROWID ROW_NUMBER RANK DENSE_RANK", [.any], integer)
    add("NTILE", [integer], integer)
    add("LAG LEAD NTH_VALUE", [.any, integer, .any], .any)
    add("ZEROBLOB RANDOMBLOB", [integer], .type(.blob))
    add("JSON JSONB JSON_EACH JSON_TREE JSONB_EACH JSONB_TREE JSON_VALID JSON_PRETTY", [.json, text], .any)
    add("JSON_EXTRACT JSON_TYPE JSON_REMOVE JSON_SET JSON_INSERT JSON_REPLACE", [.json, .any], .any)
    add("JSON_ARRAY_LENGTH", [.json, text], integer)
    add("JSON_PATCH", [.json], .any)
    return all
  }()
}

public import QuarryEngine

/// A parameter of a filter, entered in the same form as a statement's.
public struct FilterParameter: Hashable, Sendable {
  /// The parameter as first written: `:name`, `?3`, `?`.
  public let token: String
  /// The key of its value: `name`, or the number assigned by SQLite.
  public let key: String
  /// The type of its operand; nil if any type is possible.
  public internal(set) var type: ExpressionType?
  /// The column that it is compared with; nil if it is not compared with a column.
  public internal(set) var column: String?
  /// Whether a value has been given for it.
  public let isGiven: Bool

  /// A unique identifier in the filter: `:name`, or the number assigned by SQLite.
  public var identity: String { token.hasPrefix("?") ? key : token }
}

/// The parameters of a filter, in the order of their occurrence.
struct FilterParameters {
  private(set) var all: [FilterParameter] = []
  private var indexByKey: [String: Int] = [:]
  private var indexByPosition: [Int: Int] = [:]
  private var greatestNumber = 0
  private let values: [String: DatabaseValue]

  init(values: [String: DatabaseValue]) {
    self.values = values
  }

  /// Records a parameter at a position, and returns its value, if any.
  mutating func meet(_ token: String, at position: Int) -> DatabaseValue? {
    let key = key(of: token)
    let value = values[token] ?? values[key.dropsPrefix ? String(token.dropFirst()) : key.text]
    if let index = indexByKey[key.text] {
      indexByPosition[position] = index
    } else {
      if !token.hasPrefix("?") { greatestNumber += 1 }
      indexByKey[key.text] = all.count
      indexByPosition[position] = all.count
      let name = key.dropsPrefix ? String(token.dropFirst()) : key.text
      all.append(FilterParameter(token: token, key: name, type: nil, column: nil, isGiven: value != nil))
    }
    return value
  }

  /// Returns the value of the recorded parameter at a position.
  func value(of token: String, at position: Int) -> DatabaseValue? {
    guard let index = indexByPosition[position] else { return nil }
    return values[token] ?? values[all[index].key]
  }

  private mutating func key(of token: String) -> (text: String, dropsPrefix: Bool) {
    guard token.hasPrefix("?") else { return (token, true) }
    let number = token.utf8.count > 1 ? Int(token.dropFirst()) ?? 0 : greatestNumber + 1
    if number <= FilterChecker.greatestParameter { greatestNumber = max(greatestNumber, number) }
    return (String(number), false)
  }

  /// Records the type and column of the operand of the parameter at a position; the first ones take precedence.
  mutating func infer(at position: Int, type: ExpressionType?, column: String?) {
    guard let index = indexByPosition[position] else { return }
    if all[index].type == nil, let type, type != .any, type != .null { all[index].type = type }
    if all[index].column == nil { all[index].column = column }
  }
}

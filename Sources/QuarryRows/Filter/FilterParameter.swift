public import QuarryEngine

/// A parameter of a filter: asked for in the same form as a statement's.
public struct FilterParameter: Hashable, Sendable {
  /// The parameter as first written: `:name`, `?3`, `?`.
  public let token: String
  /// What its value goes by: `name`, or the number that SQLite gives it.
  public let key: String
  /// The type of what it stands beside; nil where anything will do.
  public internal(set) var type: ExpressionType?
  /// The column that it is compared with, if it is with one.
  public internal(set) var column: String?
  /// Whether a value has been given for it.
  public let isGiven: Bool

  /// What tells it from all others of the filter: `:name`, or the number that SQLite gives it.
  public var identity: String { token.hasPrefix("?") ? key : token }
}

/// The parameters of a filter as they are met.
struct FilterParameters {
  private(set) var all: [FilterParameter] = []
  private var indexByKey: [String: Int] = [:]
  private var indexByPosition: [Int: Int] = [:]
  private var greatestNumber = 0
  private let values: [String: DatabaseValue]

  init(values: [String: DatabaseValue]) {
    self.values = values
  }

  /// Notes a parameter that stands in a place, and returns its value if it has one.
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

  /// Returns the value of the parameter that has been met in a place.
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

  /// Notes what the parameter in a place stands beside; what was noted first stays.
  mutating func infer(at position: Int, type: ExpressionType?, column: String?) {
    guard let index = indexByPosition[position] else { return }
    if all[index].type == nil, let type, type != .any, type != .null { all[index].type = type }
    if all[index].column == nil { all[index].column = column }
  }
}

/// The path of a value in a JSON text: the object keys and array indices that lead to it.
///
/// ```swift
/// let path = JSONPath([.key("user"), .key("e.mail"), .element(0)])
/// path.text         // $.user."e.mail"[0]
/// path.description  // user."e.mail"[0], as written in a filter after the column and a period
/// ```
public struct JSONPath: Hashable, Sendable {
  /// A step from a value to a contained value.
  public enum Step: Hashable, Sendable {
    /// The value of a key of an object.
    case key(String)
    /// An element of an array, from 0.
    case element(Int)
    /// An element of an array by its distance from the end: 1 is the last.
    case fromEnd(Int)
    /// Every element of an array, used in lists of paths; SQLite's operators accept only single values.
    case each
  }

  /// The steps; empty for the whole text.
  public var steps: [Step]

  /// Creates a path from its steps.
  public init(_ steps: [Step] = []) {
    self.steps = steps
  }

  /// The path as SQLite's functions accept it: `$.user.name[0]`.
  ///
  /// A key that contains a quote is written without enclosing quotes, because SQLite would end it at its own quote. Before 3.45, SQLite
  /// compares keys with the bytes between the quotes of the JSON text, so the key is escaped as in JSON.
  public var text: String {
    steps.reduce(into: "$") { text, step in
      switch step {
      case .key(let key): text += "." + Self.sqlText(key)
      case .element(let index): text += "[\(index)]"
      case .fromEnd(let distance): text += "[#-\(distance)]"
      case .each: text += "[*]"
      }
    }
  }

  /// The path for JSON texts in which all non-ASCII characters of keys are escaped, as Python writes them: `$."caf\u00e9"`.
  ///
  /// Nil if it is the same path, or if SQLite compares unescaped keys.
  package var escapedText: String? {
    guard !Self.comparesText else { return nil }
    let path = text
    let escaped = path.utf16.reduce(into: "") { text, unit in
      if unit < 0x80 { text.unicodeScalars.append(Unicode.Scalar(UInt8(unit))) } else { text += JSONText.escape(unit) }
    }
    return escaped == path ? nil : escaped
  }

  private static func sqlText(_ key: String) -> String {
    if isPlain(key) { return key }
    if key.contains("\""), comparesText { return key }
    let escaped = JSONText.escaped(key)
    return key.contains("\"") ? escaped : "\"\(escaped)\""
  }

  /// Whether SQLite compares unescaped keys, as it does since 3.45.
  private static let comparesText = {
    let version = Database.sqliteVersion.split(separator: ".").compactMap { Int($0) }
    return !version.lexicographicallyPrecedes([3, 45])
  }()

  /// Whether SQLite can extract the value: the path has a single target, and no key with a quote contains a period or a bracket.
  package var isReachable: Bool {
    steps.allSatisfy { step in
      switch step {
      case .key(let key): !key.contains("\"") || !key.contains { ".[".contains($0) }
      case .element, .fromEnd: true
      case .each: false
      }
    }
  }

  /// Returns whether a key needs no quotes in a filter and in SQLite's paths.
  static func isPlain(_ key: String) -> Bool {
    guard let first = key.utf8.first, first.isNameStart else { return false }
    return key.utf8.allSatisfy { $0.isNamePart && $0 != UInt8(ascii: "$") }
  }
}

extension JSONPath: CustomStringConvertible {
  /// The path as written in a filter after a column and a period: `user."e.mail"[0]`.
  public var description: String {
    let text = filterSuffix
    return text.hasPrefix(".") ? String(text.dropFirst()) : text
  }

  /// The path as written after the name of a column: `.user.name[0]`.
  package var filterSuffix: String {
    steps.reduce(into: "") { text, step in
      switch step {
      case .key(let key): text += "." + (Self.isPlain(key) ? key : SQLIdentifier.delimited(key, by: "\""))
      case .element(let index): text += "[\(index)]"
      case .fromEnd(let distance): text += "[#-\(distance)]"
      case .each: text += "[*]"
      }
    }
  }
}

// MARK: - Parsing

/// The error of a text that is not a path.
package struct JSONPathFault: Error {
  /// The place of the error, in bytes of the text.
  package var range: Range<Int>
  package var sentence: String
}

extension JSONPath {
  /// Parses the operand after `->`: a path that begins with `$`, otherwise a key.
  package init(operand text: String) throws(JSONPathFault) {
    if text.hasPrefix("$") {
      var reader = JSONPathReader(bytes: Array(text.utf8))
      self.init(try reader.steps())
    } else {
      self.init([.key(text)])
    }
    if !isReachable { throw JSONPathFault(range: 0..<text.utf8.count, sentence: "SQLite's JSON paths cannot express this key.") }
  }
}

private struct JSONPathReader {
  let bytes: [UInt8]
  private var position = 1

  init(bytes: [UInt8]) { self.bytes = bytes }

  mutating func steps() throws(JSONPathFault) -> [JSONPath.Step] {
    var steps: [JSONPath.Step] = []
    while position < bytes.count {
      switch bytes[position] {
      case UInt8(ascii: "."): steps.append(.key(try key()))
      case UInt8(ascii: "["): steps.append(try element())
      default: throw fault("After $, write a period and a key, or an index in brackets: $.a.b[0].", from: position)
      }
    }
    return steps
  }

  private mutating func key() throws(JSONPathFault) -> String {
    let point = position
    position += 1
    if position < bytes.count, bytes[position] == UInt8(ascii: "\"") {
      guard let end = bytes[(position + 1)...].firstIndex(of: UInt8(ascii: "\"")) else {
        throw fault("This key has no end: a closing \" is missing.", from: position)
      }
      defer { position = end + 1 }
      return JSONText.unescaped(bytes[position + 1..<end])
    }
    let end = bytes[position...].firstIndex { $0 == UInt8(ascii: ".") || $0 == UInt8(ascii: "[") } ?? bytes.count
    guard end > position else { throw fault("A key is missing after this period.", from: point, to: position) }
    defer { position = end }
    return JSONText.unescaped(bytes[position..<end])
  }

  private mutating func element() throws(JSONPathFault) -> JSONPath.Step {
    let start = position
    let end = bytes[position...].firstIndex(of: UInt8(ascii: "]")) ?? bytes.count
    position = min(end + 1, bytes.count)
    let inner = String(decoding: bytes[start + 1..<end], as: UTF8.self)
    guard end < bytes.count, let step = JSONPath.Step(place: inner) else {
      throw fault("Write an array index as [0], or as [#-1] for the last element.", from: start, to: position)
    }
    return step
  }

  private func fault(_ sentence: String, from start: Int, to end: Int? = nil) -> JSONPathFault {
    JSONPathFault(range: start..<(end ?? bytes.count), sentence: sentence)
  }
}

extension JSONPath.Step {
  /// Parses an array index in brackets: `0`, `#-1`; nil if it is not an index.
  package init?(place: String) {
    let isFromEnd = place.hasPrefix("#-")
    let digits = place.dropFirst(isFromEnd ? 2 : 0)
    guard digits.utf8.count <= 9, !digits.isEmpty, digits.utf8.allSatisfy(\.isASCIIDigit), let number = Int(digits) else { return nil }
    if isFromEnd, number == 0 { return nil }
    self = isFromEnd ? .fromEnd(number) : .element(number)
  }
}

import QuarryEngine
internal import TOMLKit

/// A TOML text as entries in the order of their lines.
///
/// A line that is not valid TOML is skipped with a warning, and all other lines are used.
package struct ConfigurationDocument {
  package struct Entry: Hashable {
    package var key: String
    var value: Value
    /// The line, from 1.
    package var line: Int?

    package init(key: String, value: Value, line: Int? = nil) {
      self.key = key
      self.value = value
      self.line = line
    }
  }

  package indirect enum Value: Hashable {
    case text(String)
    case flag(Bool)
    case number(Int)
    case list([Value])
    case table([Entry])
    /// A type of value that no configuration file uses, by its name.
    case other(String)
  }

  let file: String
  package private(set) var entries: [Entry] = []
  package private(set) var warnings: [ConfigurationWarning] = []

  package init(text: String, file: String) {
    self.file = file
    if text.utf8.contains(0) {
      warnings.append(
        ConfigurationWarning(file: file, line: nil, message: "the file contains a NUL byte, so it is not text; it is ignored"))
      return
    }
    var lines = ConfigurationLines(text)
    for line in lines.tooDeep {
      warn(line, "a key has more than \(ConfigurationLines.mostParts) parts; the line is ignored")
      lines.blank(at: line)
    }
    for line in lines.nameless {
      warn(line, "no name of a table follows the bracket, as in [rows]; the line is ignored")
      lines.blank(at: line)
    }
    if let table = parse(&lines) {
      entries = Self.entries(of: table, path: [], lines: lines)
    }
  }

  /// The number of faults after which all later faults share one report.
  private static let mostFaults = 10

  /// Parses the lines, blanking invalid ones; returns nil if no valid line remains.
  private mutating func parse(_ lines: inout ConfigurationLines) -> TOMLTable? {
    var firstFault: Int?
    for attempt in 0...Self.mostFaults {
      switch Result(catching: { try TOMLTable(string: lines.text) }) {
      case .success(let table):
        return table
      case .failure(let error):
        let line = (error as? TOMLParseError)?.source.begin.line ?? 1
        firstFault = min(firstFault ?? line, line)
        let isLast = attempt == Self.mostFaults
        warn(line, isLast ? "too many errors; everything from line \(firstFault ?? line) on is ignored" : Self.message(of: error))
        lines.blank(at: line)
      }
    }
    lines.blank(from: firstFault ?? 1)
    return try? TOMLTable(string: lines.text)
  }

  private mutating func warn(_ line: Int, _ message: String) {
    warnings.append(ConfigurationWarning(file: file, line: line, message: message))
  }

  private static func message(of error: any Error) -> String {
    guard let error = error as? TOMLParseError else { return "this is not valid TOML; the line is ignored" }
    return "\(error.description.trimmingPrefix("Error while parsing ")); the line is ignored"
  }

  private static func entries(of table: TOMLTable, path: [String], lines: ConfigurationLines) -> [Entry] {
    guard path.count < ConfigurationLines.mostDepth else { return [] }
    let entries = table.keys.compactMap { key -> Entry? in
      guard let value = table[key] else { return nil }
      let path = path + [key]
      return Entry(key: key, value: self.value(of: value, path: path, lines: lines), line: lines.line(of: path))
    }
    return entries.sorted { ($0.line ?? 0) < ($1.line ?? 0) }
  }

  private static func value(of value: any TOMLValueConvertible, path: [String], lines: ConfigurationLines) -> Value {
    switch value.type {
    case .string: value.string.map(Value.text) ?? .other("text")
    case .bool: value.bool.map(Value.flag) ?? .other("boolean")
    case .int: value.int.map(Value.number) ?? .other("integer")
    case .array where path.count >= ConfigurationLines.mostDepth: .other("list")
    case .array: .list(value.array?.map { self.value(of: $0, path: path, lines: lines) } ?? [])
    case .table: .table(value.table.map { entries(of: $0, path: path, lines: lines) } ?? [])
    case .double, .date, .time, .dateTime: .other(value.type.description)
    }
  }
}

extension ConfigurationDocument.Value {
  /// The type of the value, for a message about what was expected.
  var kind: String {
    switch self {
    case .text: "a string"
    case .flag: "true or false"
    case .number: "a whole number"
    case .list: "a list"
    case .table: "a table"
    case .other(let name): "a \(name)"
    }
  }
}

/// The notation of texts in TOML.
enum TOMLText {
  /// Returns `text` as a basic string.
  static func quoted(_ text: String) -> String {
    "\"\(text.unicodeScalars.map(escaped).joined())\""
  }

  private static func escaped(_ scalar: Unicode.Scalar) -> String {
    switch scalar {
    case "\"": "\\\""
    case "\\": "\\\\"
    case "\n": "\\n"
    case "\t": "\\t"
    case _ where scalar.value < 0x20 || scalar.value == 0x7f: "\\u" + scalar.value.zeroPadded(to: 4, radix: 16)
    default: String(scalar)
    }
  }
}

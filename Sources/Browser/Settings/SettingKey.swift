internal import QuarryEngine

/// An entry of `config.toml` that the form of the settings changes.
package enum SettingKey: Hashable, Sendable {
  case setting(SettingName)
  /// The label columns of a table: `labels.Customer`.
  case label(table: String)

  /// The key with the table before it, as in a line outside of all tables: `changes.limit`, `labels."Order Details"`.
  package var title: String {
    switch self {
    case .setting(let name): name.rawValue
    case .label(let table): "\(Self.labels).\(TOMLText.key(table))"
    }
  }

  /// The table of the file that contains the label columns.
  static let labels = "labels"

  /// The path of the table of the file that contains the key; empty for none.
  var section: [String] {
    switch self {
    case .setting(let name): name.path.dropLast()
    case .label: [Self.labels]
    }
  }

  /// The key within its table.
  var name: String {
    switch self {
    case .setting(let name): name.path.last ?? name.rawValue
    case .label(let table): TOMLText.key(table)
    }
  }

  /// Returns whether an assignment at a path assigns the key: in its table, or with the table in a quoted name.
  ///
  /// The name of a database's table matches in any case, and also with its escapes.
  func isAssigned(at path: [String]) -> Bool {
    switch self {
    case .setting(let name): return path == name.path || path == [name.rawValue]
    case .label(let table):
      let names = [table, String(TOMLText.quoted(table).dropFirst().dropLast())].map { $0.lowercased() }
      switch path.count {
      case 1: return names.contains { path[0].lowercased() == "\(Self.labels).\($0)" }
      case 2: return path[0] == Self.labels && names.contains(path[1].lowercased())
      default: return false
      }
    }
  }
}

extension SettingName {
  /// The names of the setting's table and its own.
  fileprivate var path: [String] { rawValue.split(separator: ".").map(String.init) }
}

extension TOMLText {
  /// Returns `text` as a key: bare if possible, otherwise quoted.
  static func key(_ text: String) -> String {
    let isBare = text.utf8.allSatisfy { byte in
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "0")...UInt8(ascii: "9"),
        UInt8(ascii: "_"), UInt8(ascii: "-"):
        true
      default: false
      }
    }
    return isBare && !text.isEmpty ? text : quoted(text)
  }
}

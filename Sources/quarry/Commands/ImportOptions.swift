internal import ArgumentParser
internal import QuarryFiles

/// Columns of a file with those of a table that have other names, between commas: `Titel=Name`; one with a comma stands between double
/// quotes.
struct ColumnMap: ExpressibleByArgument {
  let names: [String: String]

  init?(argument: String) {
    guard let list = ColumnList(argument: argument) else { return nil }
    var names: [String: String] = [:]
    for entry in list.names {
      guard let equals = entry.firstIndex(of: "="), equals > entry.startIndex else { return nil }
      let target = String(entry[entry.index(after: equals)...])
      guard !target.isEmpty, names.updateValue(target, forKey: String(entry[..<equals])) == nil else { return nil }
    }
    self.names = names
  }
}

/// What is done about a row whose key another row has.
enum ImportConflictChoice: String, CaseIterable, ExpressibleByArgument {
  case abort, ignore, replace, update

  var rule: ImportPlan.ConflictRule {
    switch self {
    case .abort: .abort
    case .ignore: .ignore
    case .replace: .replace
    case .update: .update
    }
  }
}

extension CaseIterable where Self: RawRepresentable<String> {
  /// The choices as a help text lists them.
  static var names: String { allCases.map(\.rawValue).joined(separator: ", ") }
}

internal import ArgumentParser
internal import QuarryFiles

/// Comma-separated assignments of file columns to table columns with other names: `Titel=Name`.
///
/// A name with a comma is enclosed in double quotes.
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

/// The handling of a row whose key already exists.
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
  /// The choices as listed in help.
  static var names: String { allCases.map(\.rawValue).joined(separator: ", ") }
}

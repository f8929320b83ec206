internal import QuarryEngine

/// A statement with changes that are not recorded, so that they cannot be undone.
///
/// ```swift
/// IrreversibleStatement(sql: "PRAGMA user_version = 7")?.sentence   // "PRAGMA user_version = … is not reversible"
/// ```
package struct IrreversibleStatement: Hashable, Sendable {
  /// The statement in brief: `VACUUM`, `PRAGMA user_version = …`.
  private let name: String

  /// Examines a statement; nil if it can be undone, or if it loses nothing.
  package init?(sql: String) {
    let kind = StatementKind(of: sql)
    guard !kind.isExplanation else { return nil }
    let tokens = StatementTokens(sql)
    if kind.isVacuum {
      // VACUUM INTO writes another file.
      guard !(0..<tokens.count).contains(where: { tokens.keyword($0) == .into }) else { return nil }
      name = "VACUUM"
      return
    }
    if kind.changesRows {
      guard let table = Self.changedTable(tokens), table.asciiLowercased.hasPrefix("sqlite_") else { return nil }
      name = "a change of \(table)"
      return
    }
    guard kind.isPragma, let start = (0..<tokens.count).first(where: { tokens.keyword($0) == .pragma }),
      let setting = tokens.qualifiedName(start + 1)
    else { return nil }
    let end = start + (setting.database == nil ? 2 : 4)
    guard tokens.isSymbol(end, "=") || tokens.isSymbol(end, "("), Self.headerFields.contains(setting.name.asciiLowercased) else {
      return nil
    }
    name = "PRAGMA \(setting.name) = …"
  }

  /// Returns the name of the table whose rows a statement changes.
  private static func changedTable(_ tokens: StatementTokens) -> String? {
    for index in 0..<tokens.count where !tokens.isSymbol(index + 1, "(") {
      switch tokens.keyword(index) {
      case .update: return tokens.qualifiedName(tokens.keyword(index + 1) == .or ? index + 3 : index + 1)?.name
      case .into: return tokens.qualifiedName(index + 1)?.name
      case .delete: return tokens.qualifiedName(index + 2)?.name
      default: continue
      }
    }
    return nil
  }

  /// The settings in the file header that have a meaning for programs.
  private static let headerFields: Set<String> = ["user_version", "application_id", "schema_version", "encoding", "auto_vacuum"]

  /// A sentence that it cannot be undone.
  package var sentence: String { "\(name) is not reversible: it is not recorded, so `quarry undo` cannot undo it" }

  /// A warning before it runs, which begins with a verb.
  package var warning: String { "runs \(name), which is not reversible" }
}

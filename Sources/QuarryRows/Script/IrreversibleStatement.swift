internal import QuarryEngine

/// A statement that changes a database in a way that no record keeps, so that an undo cannot take it back.
///
/// ```swift
/// IrreversibleStatement(sql: "PRAGMA user_version = 7")?.sentence   // "PRAGMA user_version = … is not reversible"
/// ```
package struct IrreversibleStatement: Hashable, Sendable {
  /// What it does, as SQL: `VACUUM`, `PRAGMA user_version = …`.
  private let name: String

  /// Reads what a statement does; nil where an undo takes it back, or where nothing is lost by it.
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
    guard kind.isPragma, let start = (0..<tokens.count).first(where: { tokens.keyword($0) == .pragma }),
      let setting = tokens.qualifiedName(start + 1)
    else { return nil }
    let end = start + (setting.database == nil ? 2 : 4)
    guard tokens.isSymbol(end, "=") || tokens.isSymbol(end, "("), Self.headerFields.contains(setting.name.asciiLowercased) else {
      return nil
    }
    name = "PRAGMA \(setting.name) = …"
  }

  /// The settings that lie in the head of the file and mean something to programs.
  private static let headerFields: Set<String> = ["user_version", "application_id", "schema_version", "encoding", "auto_vacuum"]

  /// That it cannot be taken back, as a sentence.
  package var sentence: String { "\(name) is not reversible: no record is kept of it, so that `quarry undo` cannot take it back" }

  /// What is asked before it runs, with a verb first.
  package var warning: String { "runs \(name), which is not reversible" }
}

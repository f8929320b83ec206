internal import QuarryEngine

/// A statement that is kept under a name, with what its comments say of it.
///
/// ```sql
/// -- title: Long tracks
/// -- description: Tracks that last longer than some minutes,
/// -- description: by composer.
/// -- :minutes integer = 5
/// SELECT * FROM Track WHERE Milliseconds > 60000 * :minutes ORDER BY Composer
/// ```
///
/// `-- title` and `-- description` stand before the statement; a colon may follow them.
public struct SavedStatement: Hashable, Sendable {
  /// What it is kept under.
  public var name: String
  /// What its comments call it; empty where they do not.
  public var title: String
  /// What its comments say that it does; empty where they do not.
  public var summary: String
  /// The whole text, comments and all.
  public var sql: String
  /// What its comments declare of its parameters, and what is wrong with that.
  public var declarations: ParameterDeclarations

  /// Reads the comments of a text.
  ///
  /// ```swift
  /// SavedStatement(name: "all", sql: "-- title: All tracks\nSELECT * FROM Track").title  // All tracks
  /// ```
  public init(name: String, sql: String) {
    self.name = name
    self.sql = sql
    declarations = ParameterDeclarations(sql)
    let comments = StatementComment.all(in: sql).filter(\.isLeading)
    title = comments.lazy.compactMap { Self.text(after: "title", in: $0) }.first ?? ""
    summary = comments.compactMap { Self.text(after: "description", in: $0) }.joined(separator: " ")
  }

  private static func text(after word: String, in comment: StatementComment) -> String? {
    guard comment.text.lowercased().hasPrefix(word) else { return nil }
    let rest = comment.text.dropFirst(word.count)
    guard let next = rest.first, next == ":" || next.isWhitespace else { return nil }
    let text = (next == ":" ? rest.dropFirst() : rest).trimmingBlanks
    return text.isEmpty ? nil : text
  }
}

/// Why a saved statement cannot be had or kept.
public enum StatementLibraryError: Error, Hashable, Sendable, CustomStringConvertible {
  /// There is none of this name; some have names like it.
  case noSuchStatement(name: String, nearest: [String], folder: String)
  /// No file can have this name.
  case unusableName(name: String, reason: String)
  /// The name is taken, and what it stands for was not to be replaced.
  case nameIsTaken(name: String)
  /// The file is not UTF-8.
  case notUTF8(path: String)
  /// A file or folder refuses.
  case failed(path: String, reason: String)

  /// What went wrong, and the way out where there is one.
  public var description: String {
    switch self {
    case .noSuchStatement(let name, let nearest, let folder):
      "there is no statement “\(name)” in \(folder)" + (nearest.isEmpty ? "" : "; did you mean \(nearest.joined(separator: " or "))?")
    case .unusableName(let name, let reason): "“\(name)” cannot be the name of a statement: \(reason)"
    case .nameIsTaken(let name): "there is a statement “\(name)” already"
    case .notUTF8(let path): "“\(path)” is not UTF-8"
    case .failed(let path, let reason): "“\(path)”: \(reason)"
    }
  }
}

internal import QuarryEngine

/// A statement saved under a name, with the metadata in its comments.
///
/// ```sql
/// -- title: Long tracks
/// -- description: Tracks that last longer than some minutes,
/// -- description: by composer.
/// -- :minutes integer = 5
/// SELECT * FROM Track WHERE Milliseconds > 60000 * :minutes ORDER BY Composer
/// ```
///
/// `-- title` and `-- description` precede the statement; the colon after them is optional.
public struct SavedStatement: Hashable, Sendable {
  /// The name of the statement.
  public var name: String
  /// The title in its comments; empty if they contain no title.
  public var title: String
  /// The description in its comments; empty if they contain no description.
  public var summary: String
  /// The whole text, including comments.
  public var sql: String
  /// The declarations of parameters in its comments, and the errors in them.
  public var declarations: ParameterDeclarations

  /// Creates a saved statement from a text with its comments.
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

/// The error of reading or saving a statement.
public enum StatementLibraryError: Error, Hashable, Sendable, CustomStringConvertible {
  /// No statement has this name; some have similar names.
  case noSuchStatement(name: String, nearest: [String], folder: String)
  /// The name cannot be a file name.
  case unusableName(name: String, reason: String)
  /// The name is taken, and replacing its statement was not allowed.
  case nameIsTaken(name: String)
  /// The file is not UTF-8.
  case notUTF8(path: String)
  /// A file or folder cannot be accessed.
  case failed(path: String, reason: String)

  /// The error, with a remedy if there is one.
  public var description: String {
    switch self {
    case .noSuchStatement(let name, let nearest, let folder):
      "there is no statement “\(name)” in \(folder)" + (nearest.isEmpty ? "" : "; did you mean \(nearest.joined(separator: " or "))?")
    case .unusableName(let name, let reason): "“\(name)” is not a valid name for a statement: \(reason)"
    case .nameIsTaken(let name): "there is already a statement “\(name)”"
    case .notUTF8(let path): "“\(path)” is not UTF-8"
    case .failed(let path, let reason): "“\(path)”: \(reason)"
    }
  }
}

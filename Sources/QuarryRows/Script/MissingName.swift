internal import QuarryEngine

/// A name in a statement that SQLite did not find, with possible corrections.
///
/// ```swift
/// let missing = MissingName(message: "no such column: Nmae", in: "SELECT Nmae FROM Track", at: 7, schema: schema)
/// missing?.nearest   // "Name"
/// missing?.range     // 7..<11
/// ```
public struct MissingName: Hashable, Sendable {
  /// Its range, in bytes of the statement; nil if it is unknown.
  public var range: Range<Int>?
  /// The most similar existing name, quoted for SQL; nil if none is similar.
  public var nearest: String?
  /// The tables that have a column with this name and are not used in the statement.
  public var owners: [String]

  /// Parses SQLite's message about a statement that does not compile; nil if it is not about a name, or if there are no corrections.
  ///
  /// - Parameters:
  ///   - message: SQLite's message: `no such column: t.Nmae`.
  ///   - offset: The position of the error, in bytes of the statement; nil if SQLite does not provide it.
  public init?(message: String, in sql: String, at offset: Int?, schema: SQLCompletionSchema) {
    guard let (kind, path) = Self.read(message) else { return nil }
    let parts = path.split(separator: ".").map { String($0.filter { $0 != "\"" }) }
    guard let name = parts.last else { return nil }
    let scopes = StatementScopes(StatementSyntax(sql), schema: schema)
    let tokens = scopes.syntax.tokens
    let start = offset ?? 0
    let index = (0..<tokens.count).first { index in
      (tokens[index]?.range.lowerBound ?? 0) >= start && tokens.name(index)?.isSameIdentifier(as: name) == true
    }
    range = index.flatMap { tokens[$0]?.range }
    owners = []
    let candidates: [String]
    switch kind {
    case .table: candidates = schema.tables.map(\.reference.name) + scopes.commonTables.map(\.name)
    case .function: candidates = schema.functions
    case .column:
      var seen = Array((index.map { scopes.levels(at: $0 + 1) } ?? []).joined())
      if parts.count > 1 { seen = seen.filter { $0.name.isSameIdentifier(as: parts[parts.count - 2]) } }
      candidates = seen.flatMap { $0.columns.map(\.name) }
      owners = schema.tables.filter { $0.columns.contains { $0.name.isSameIdentifier(as: name) } }.map {
        $0.reference.database.isSameIdentifier(as: "main") ? SQLIdentifier.quoted($0.reference.name) : $0.reference.sql
      }
    }
    nearest = NearestNames.to(name, among: Set(candidates), limit: 1).first.map { kind == .function ? $0 : SQLIdentifier.quoted($0) }
    if nearest == nil, owners.isEmpty { return nil }
  }

  /// Returns whether SQLite's message may be about a name.
  public static func isMeant(by message: String) -> Bool { message.hasPrefix("no such ") }

  /// Returns the name of the missing column in SQLite's message; nil if the message is about something else.
  static func column(in message: String) -> String? {
    guard case (.column, let path)? = read(message) else { return nil }
    return path.first == "\"" && path.last == "\"" && path.count > 1 ? String(path.dropFirst().dropLast()) : path
  }

  /// The correction as a sentence without a period.
  public var advice: String {
    if let nearest { return "did you mean \(nearest)?" }
    let names = owners.prefix(3).joined(separator: ", ")
    return owners.count > 3 ? "\(names) and more have it" : "\(names) \(owners.count == 1 ? "has" : "have") it"
  }

  private enum Kind { case table, column, function }

  private static func read(_ message: String) -> (Kind, String)? {
    for (beginning, kind) in [("no such column: ", Kind.column), ("no such table: ", .table), ("no such function: ", .function)]
    where message.hasPrefix(beginning) {
      // Newer versions of SQLite append a question about quotes.
      let rest = message.dropFirst(beginning.count)
      return (kind, String(rest.firstRange(of: " - ").map { rest[..<$0.lowerBound] } ?? rest))
    }
    return nil
  }
}

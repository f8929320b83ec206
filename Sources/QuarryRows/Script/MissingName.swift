internal import QuarryEngine

/// A name in a statement that SQLite has not found, and what may be meant by it.
///
/// ```swift
/// let missing = MissingName(message: "no such column: Nmae", in: "SELECT Nmae FROM Track", at: 7, schema: schema)
/// missing?.nearest   // "Name"
/// missing?.range     // 7..<11
/// ```
public struct MissingName: Hashable, Sendable {
  /// Where it stands, in bytes of the statement; nil where that is not known.
  public var range: Range<Int>?
  /// The nearest name that there is, as SQL spells it; nil where none is near.
  public var nearest: String?
  /// The tables that have a column of this name and are not named in the statement.
  public var owners: [String]

  /// Reads what SQLite says of a statement that does not compile; nil where it is not about a name, or nothing can be said of that.
  ///
  /// - Parameters:
  ///   - message: SQLite's own words: `no such column: t.Nmae`.
  ///   - offset: where SQLite finds the fault, in bytes of the statement; nil where it does not tell.
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

  /// Returns whether SQLite's words may be about a name.
  public static func isMeant(by message: String) -> Bool { message.hasPrefix("no such ") }

  /// Returns the name of the column that SQLite says is missing; nil where it says something else.
  static func column(in message: String) -> String? {
    guard case (.column, let path)? = read(message) else { return nil }
    return path.first == "\"" && path.last == "\"" && path.count > 1 ? String(path.dropFirst().dropLast()) : path
  }

  /// What would do, as a sentence without its full stop.
  public var advice: String {
    if let nearest { return "is \(nearest) meant?" }
    let names = owners.prefix(3).joined(separator: ", ")
    return owners.count > 3 ? "\(names) and others have it" : "\(names) \(owners.count == 1 ? "has" : "have") it"
  }

  private enum Kind { case table, column, function }

  private static func read(_ message: String) -> (Kind, String)? {
    for (beginning, kind) in [("no such column: ", Kind.column), ("no such table: ", .table), ("no such function: ", .function)]
    where message.hasPrefix(beginning) {
      // Newer versions of SQLite go on with a question about quotes.
      let rest = message.dropFirst(beginning.count)
      return (kind, String(rest.firstRange(of: " - ").map { rest[..<$0.lowerBound] } ?? rest))
    }
    return nil
  }
}

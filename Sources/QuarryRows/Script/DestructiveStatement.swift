internal import QuarryEngine

/// A statement that destroys data or objects, and requires a confirmation.
///
/// ```swift
/// DestructiveStatement(sql: "DELETE FROM Track")   // .deletesAll(table: "Track")
/// ```
public enum DestructiveStatement: Hashable, Sendable {
  /// It drops a `table`, `view`, `index` or `trigger`, with its name quoted for SQL.
  case drops(kind: String, name: String)
  /// It drops a column of a table, with both names quoted for SQL.
  case dropsColumn(table: String, name: String)
  /// It deletes every row of a table, with its name quoted for SQL.
  case deletesAll(table: String)
  /// It changes every row of a table, with its name quoted for SQL.
  case updatesAll(table: String)
}

extension DestructiveStatement {
  /// Examines a statement; nil if it destroys nothing.
  ///
  /// ```swift
  /// DestructiveStatement(sql: "drop table if exists 'Order Details'")         // .drops(kind: "table", name: "\"Order Details\"")
  /// DestructiveStatement(sql: "UPDATE Track SET Name = ''")                   // .updatesAll(table: "Track")
  /// DestructiveStatement(sql: "UPDATE Track SET Name = '' WHERE TrackId = 1") // nil
  /// ```
  ///
  /// Only a WHERE or LIMIT clause of the statement itself, outside all parentheses, is considered. EXPLAIN destroys nothing.
  ///
  /// - Parameter sql: One statement; any text after its `;` is ignored.
  public init?(sql: String) {
    let kind = StatementKind(of: sql)
    guard let verb = kind.verb, !kind.isExplanation, [.drop, .alter, .delete, .update].contains(verb) else { return nil }
    self.init(StatementSyntax(sql), verb: verb)
  }

  private init?(_ syntax: StatementSyntax, verb: Keyword) {
    let query = syntax.mainQuery
    let isLimited = query.clause(.where) != nil || query.clause(.limit) != nil
    switch verb {
    case .drop: self.init(dropping: syntax.object)
    case .alter: self.init(altering: syntax.object, syntax.tokens)
    case .delete where !isLimited && query.clause(.from) != nil, .update where !isLimited && query.clause(.set) != nil:
      guard let table = query.sources.first?.name?.sql else { return nil }
      self = verb == .delete ? .deletesAll(table: table) : .updatesAll(table: table)
    default: return nil
    }
  }

  private init?(dropping object: ObjectSyntax?) {
    guard let object else { return nil }
    self = .drops(kind: object.kind.rawValue, name: object.name.sql)
  }

  private init?(altering table: ObjectSyntax?, _ tokens: StatementTokens) {
    guard let table, table.kind == .table, tokens.keyword(table.name.indices.upperBound) == .drop else { return nil }
    let index = table.name.indices.upperBound + 1
    guard let column = tokens.name(tokens.keyword(index) == .column ? index + 1 : index) else { return nil }
    self = .dropsColumn(table: table.name.sql, name: SQLIdentifier.quoted(column))
  }
}

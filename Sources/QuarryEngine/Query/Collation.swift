/// A way to compare texts; see <https://www.sqlite.org/datatype3.html#collation>.
public struct Collation: Hashable, Sendable, RawRepresentable {
  /// The collation's name.
  public let rawValue: String

  public init(rawValue: String) {
    self.rawValue = rawValue
  }

  /// By bytes.
  public static let binary = Collation(rawValue: "BINARY")
  /// Without regard to the case of ASCII letters.
  public static let nocase = Collation(rawValue: "NOCASE")
  /// Without regard to spaces at the end.
  public static let rtrim = Collation(rawValue: "RTRIM")
}

/// An expression that is compared by a collation: `COLLATE`.
public struct Collated<Output: QueryOutput>: QueryExpression {
  public typealias QueryValue = Output.QueryValue

  let operand: any QueryExpression<Output.QueryValue>
  let collation: Collation

  public func write(to sql: inout SQLWriter) {
    sql.append(operand: operand)
    sql.append(" COLLATE ")
    sql.append(identifier: collation.rawValue)
  }
}

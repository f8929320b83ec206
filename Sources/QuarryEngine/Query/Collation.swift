/// A way to compare texts; see <https://www.sqlite.org/datatype3.html#collation>.
///
/// ```swift
/// Reminder.order { $0.title.collate(.nocase) }
/// // SELECT * FROM reminders ORDER BY title COLLATE NOCASE
/// ```
///
/// One that an extension adds has its own name: `Collation(rawValue: "german")`.
public struct Collation: Hashable, Sendable, RawRepresentable {
  /// The collation's name.
  public let rawValue: String

  /// Names a collation, which the connection must know when the SQL is compiled.
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
///
/// ```swift
/// Column<String>("title").collate(.rtrim) == "Call"
/// // (title COLLATE RTRIM = 'Call')
/// ```
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

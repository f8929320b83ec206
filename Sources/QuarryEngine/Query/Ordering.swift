/// What rows can be ordered by: an expression, or one with a direction.
///
/// ```swift
/// Reminder.order { ($0.priority.desc(), $0.title) }
/// // SELECT * FROM reminders ORDER BY priority DESC, title
/// ```
public protocol OrderingTerm: Sendable {
  /// The term as a key of ORDER BY.
  var ordering: Ordering { get }
}

/// One key of an order: an expression, its direction, and where NULL goes.
///
/// ```swift
/// Ordering(Column<Int?>("priority"), .descending, nulls: .last).sqlText.sql
/// // priority DESC NULLS LAST
/// ```
public struct Ordering: OrderingTerm {
  /// From the least to the greatest, `ASC`, or from the greatest to the least, `DESC`.
  public enum Direction: Hashable, Sendable { case ascending, descending }

  /// Where rows lie whose key is NULL: `NULLS FIRST` or `NULLS LAST`.
  public enum NullsPlace: Hashable, Sendable { case first, last }

  /// What rows are ordered by.
  public let expression: any QueryExpression
  /// Nil is SQLite's own, ascending, and nothing is written.
  public let direction: Direction?
  /// Nil is SQLite's own: NULL is less than any value.
  public let nulls: NullsPlace?

  /// Makes a key; without a direction and a place for NULL, SQLite's own.
  ///
  /// ```swift
  /// Ordering(Column<String>("title").collate(.nocase)).sqlText.sql
  /// // title COLLATE NOCASE
  /// ```
  public init(_ expression: any QueryExpression, _ direction: Direction? = nil, nulls: NullsPlace? = nil) {
    self.expression = expression
    self.direction = direction
    self.nulls = nulls
  }

  /// The key itself.
  public var ordering: Ordering { self }

  /// The key by itself, as it stands in ORDER BY.
  public var sqlText: SQLText { SQLWriter.text(write) }

  /// Writes the key as it stands in ORDER BY.
  public func write(to sql: inout SQLWriter) {
    sql.append(term: expression)
    switch direction {
    case .ascending: sql.append(" ASC")
    case .descending: sql.append(" DESC")
    case nil: break
    }
    switch nulls {
    case .first: sql.append(" NULLS FIRST")
    case .last: sql.append(" NULLS LAST")
    case nil: break
    }
  }
}

extension QueryExpression {
  /// The expression as a key, in SQLite's own direction.
  public var ordering: Ordering { Ordering(self) }

  /// Returns the expression as a key in ascending order.
  ///
  /// ```swift
  /// Reminder.order { $0.priority.asc(nulls: .last) }
  /// // SELECT * FROM reminders ORDER BY priority ASC NULLS LAST
  /// ```
  public func asc(nulls: Ordering.NullsPlace? = nil) -> Ordering {
    Ordering(self, .ascending, nulls: nulls)
  }

  /// Returns the expression as a key in descending order.
  ///
  /// ```swift
  /// Reminder.order { $0.priority.desc(nulls: .first) }
  /// // SELECT * FROM reminders ORDER BY priority DESC NULLS FIRST
  /// ```
  public func desc(nulls: Ordering.NullsPlace? = nil) -> Ordering {
    Ordering(self, .descending, nulls: nulls)
  }
}

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

  package let operand: any QueryExpression<Output.QueryValue>
  package let collation: Collation

  public func write(to sql: inout SQLWriter) {
    sql.append(operand: operand)
    sql.append(" COLLATE ")
    sql.append(identifier: collation.rawValue)
  }
}

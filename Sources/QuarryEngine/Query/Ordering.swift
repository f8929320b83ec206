/// A term by which rows can be ordered: an expression, optionally with a direction.
///
/// ```swift
/// Reminder.order { ($0.priority.desc(), $0.title) }
/// // SELECT * FROM reminders ORDER BY priority DESC, title
/// ```
public protocol OrderingTerm: Sendable {
  /// The term as an ORDER BY key.
  var ordering: Ordering { get }
}

/// One key of an order: an expression, its direction, and the position of NULL.
///
/// ```swift
/// Ordering(Column<Int?>("priority"), .descending, nulls: .last).sqlText.sql
/// // priority DESC NULLS LAST
/// ```
public struct Ordering: OrderingTerm {
  /// Ascending, `ASC`, or descending, `DESC`.
  public enum Direction: Hashable, Sendable { case ascending, descending }

  /// The position of rows whose key is NULL: `NULLS FIRST` or `NULLS LAST`.
  public enum NullsPlace: Hashable, Sendable { case first, last }

  /// The expression of the key.
  public let expression: any QueryExpression
  /// The direction; nil for SQLite's default, ascending, without writing it.
  public let direction: Direction?
  /// The position of NULL; nil for SQLite's default, in which NULL is less than any value.
  public let nulls: NullsPlace?

  /// Creates a key, with SQLite's defaults for the direction and the position of NULL.
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

  /// The SQL of the key, as written in ORDER BY.
  public var sqlText: SQLText { SQLWriter.text(write) }

  /// Writes the key for ORDER BY.
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
  /// The expression as a key, in SQLite's default direction.
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

/// A collation, which compares texts; see <https://www.sqlite.org/datatype3.html#collation>.
///
/// ```swift
/// Reminder.order { $0.title.collate(.nocase) }
/// // SELECT * FROM reminders ORDER BY title COLLATE NOCASE
/// ```
///
/// A collation of an extension is used by its name: `Collation(rawValue: "german")`.
public struct Collation: Hashable, Sendable, RawRepresentable {
  /// The collation's name.
  public let rawValue: String

  /// Creates a reference to a collation, which must be defined when the SQL is compiled.
  public init(rawValue: String) {
    self.rawValue = rawValue
  }

  /// Compares bytes.
  public static let binary = Collation(rawValue: "BINARY")
  /// Ignores the case of ASCII letters.
  public static let nocase = Collation(rawValue: "NOCASE")
  /// Ignores trailing spaces.
  public static let rtrim = Collation(rawValue: "RTRIM")
}

/// An expression with a collation: `COLLATE`.
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

/// Ways to read the rows of a statement faster, each of which has been tried on a private copy of the tables.
///
///     SELECT * FROM events WHERE kind = 'view' ORDER BY ts
///     -- CREATE INDEX events_kind_ts ON events(kind, ts)
public struct IndexAdvice: Hashable, Sendable {
  /// A statement that would change the plan.
  public struct Way: Hashable, Sendable {
    /// The statement: CREATE INDEX, or ANALYZE.
    public var sql: String
    /// The statement without the name of the index: `CREATE INDEX ON events(kind, ts)`.
    public var summary: String
    /// SQLite's plan afterwards, in its words.
    public var plan: [String]
    /// The time in which the rows are read afterwards, estimated from a sample if only that was copied.
    public var time: Duration
    /// The size of the index in bytes, estimated from a sample if only that was copied; nil for ANALYZE.
    public var byteCount: Int?
  }

  /// What is being done.
  public enum Stage: Hashable, Sendable {
    /// Rows are copied: the name of their table, and the part of all rows from 0 to 1, if it is known.
    case copying(String, part: Double?)
    /// A way is tried; nil for the tables as they are.
    case trying(String?)
    /// Everything has been tried.
    case done
  }

  /// SQLite's plan as the tables are, in its words.
  public var plan: [String]
  /// The time in which the rows are read as the tables are; nil until it is known.
  public var time: Duration?
  /// Whether reading the rows of the file took too long, so that ``time`` is that of the copy, or is estimated from it.
  public var isTimeEstimated = false
  /// The ways that have been tried, the fastest one first; at most three.
  public var ways: [Way] = []
  /// The copy contains one row of this many of the largest table, and the times of ways are estimates; 1 if it contains all rows.
  public var sampling = 1
  /// The tables of which only the first rows were copied, because rows without rowids have no order in which to continue.
  public var cutTables: [String] = []
  /// The number of copied rows.
  public var rowCount = 0
  /// What is being done.
  public var stage: Stage
}

extension IndexAdvice {
  /// The longest time that is measured: one above it is longer, but not known.
  public static let longestTime = Duration.seconds(10)

  /// Whether SQLite scans a table or sorts rows by a plan, in its words, so that an index may help.
  package static func isNeeded(for plan: [String]) -> Bool { PlanCost([]) < PlanCost(plan) }
}

/// A statement for which to find indexes.
public struct AdviceRequest: Hashable, Sendable {
  /// The statement, without parameters.
  public var sql: String
  /// The number of rows whose time is measured; nil for all.
  public var rows: Int?
  /// The greatest number of bytes of rows to copy; of larger tables, a sample is copied.
  package var copiedBytes = 128 << 20
  /// The greatest size of the temporary file in bytes.
  package var temporaryBytes = 1 << 30

  /// Creates a request.
  public init(sql: String, rows: Int? = nil) {
    (self.sql, self.rows) = (sql, rows)
  }
}

/// The reason why no way can be tried, as a sentence.
public struct AdviceObstacle: Error, Hashable, CustomStringConvertible {
  /// The sentence.
  public var description: String

  init(_ description: String) { self.description = description }
}

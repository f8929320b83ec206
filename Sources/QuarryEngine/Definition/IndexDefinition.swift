/// The definition of an index.
///
/// ```swift
/// let definition = IndexDefinition("player_on_email", on: "player", columns: ["email"], options: .unique, condition: "email IS NOT NULL")
/// definition.sql
/// // CREATE UNIQUE INDEX player_on_email ON player (email) WHERE email IS NOT NULL
/// ```
public struct IndexDefinition: Hashable, Sendable {
  /// Options of an index.
  public struct Options: OptionSet, Hashable, Sendable {
    /// The options as bits.
    public let rawValue: Int

    /// Creates options from bits.
    public init(rawValue: Int) {
      self.rawValue = rawValue
    }

    /// Entries of the index must be unique.
    public static let unique = Options(rawValue: 1 << 0)
    /// Creating the index does nothing if it already exists.
    public static let ifNotExists = Options(rawValue: 1 << 1)
  }

  /// A sort term of an index.
  ///
  /// ```swift
  /// IndexDefinition.Term(.expression(sql: "lower(name)"), collation: .rtrim, direction: .descending)
  /// // lower(name) COLLATE RTRIM DESC
  /// ```
  public struct Term: Hashable, Sendable {
    /// A column or an expression.
    public enum Subject: Hashable, Sendable {
      /// A column, by its name.
      case column(String)
      /// An SQL expression.
      case expression(sql: String)
    }

    /// The sorted column or expression.
    public var subject: Subject
    /// The collation of texts; nil for the column's own.
    public var collation: Collation?
    /// `ASC` or `DESC`; nil if neither is written.
    public var direction: Ordering.Direction?

    /// Creates a term, with SQLite's defaults.
    public init(_ subject: Subject, collation: Collation? = nil, direction: Ordering.Direction? = nil) {
      self.subject = subject
      self.collation = collation
      self.direction = direction
    }
  }

  /// The index's name.
  public var name: String
  /// The name of the indexed table.
  public var table: String
  /// The options of the index.
  public var options: Options
  /// The sort terms, the primary one first.
  public var terms: [Term]
  /// The SQL expression of a partial index; nil to index all rows.
  public var condition: String?

  /// Creates an index on columns or expressions.
  ///
  /// ```swift
  /// IndexDefinition("player_on_lower", on: "player", terms: [.init(.expression(sql: "lower(name)"))]).sql
  /// // CREATE INDEX player_on_lower ON player (lower(name))
  /// ```
  public init(_ name: String, on table: String, terms: [Term], options: Options = [], condition: String? = nil) {
    self.name = name
    self.table = table
    self.options = options
    self.terms = terms
    self.condition = condition
  }

  /// Creates an index on columns.
  ///
  /// ```swift
  /// IndexDefinition("player_on_name", on: "player", columns: ["name", "score"]).sql
  /// // CREATE INDEX player_on_name ON player (name, score)
  /// ```
  public init(_ name: String, on table: String, columns: [String], options: Options = [], condition: String? = nil) {
    self.init(name, on: table, terms: columns.map { Term(.column($0)) }, options: options, condition: condition)
  }
}

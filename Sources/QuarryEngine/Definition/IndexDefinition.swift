/// An index, as an inert value.
///
/// ```swift
/// let definition = IndexDefinition("player_on_email", on: "player", columns: ["email"], options: .unique, condition: "email IS NOT NULL")
/// definition.sql
/// // CREATE UNIQUE INDEX player_on_email ON player (email) WHERE email IS NOT NULL
/// ```
public struct IndexDefinition: Hashable, Sendable {
  /// What an index is besides its columns.
  public struct Options: OptionSet, Hashable, Sendable {
    /// The options as bits.
    public let rawValue: Int

    /// Creates options of bits.
    public init(rawValue: Int) {
      self.rawValue = rawValue
    }

    /// No two rows may be the same in the index.
    public static let unique = Options(rawValue: 1 << 0)
    /// Making the index does nothing where there is one of its name.
    public static let ifNotExists = Options(rawValue: 1 << 1)
  }

  /// What an index is sorted by.
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
      /// An expression of SQL.
      case expression(sql: String)
    }

    /// What is sorted.
    public var subject: Subject
    /// How texts are compared; nil is the column's own way.
    public var collation: Collation?
    /// `ASC` or `DESC`; nil where none is written.
    public var direction: Ordering.Direction?

    /// Makes a term, in SQLite's own way where nothing is told.
    public init(_ subject: Subject, collation: Collation? = nil, direction: Ordering.Direction? = nil) {
      self.subject = subject
      self.collation = collation
      self.direction = direction
    }
  }

  /// The index's name.
  public var name: String
  /// The name of the table that it is of.
  public var table: String
  /// What it is besides its columns.
  public var options: Options
  /// What it is sorted by, the first deciding first.
  public var terms: [Term]
  /// An SQL expression: only rows for which it holds are in the index; nil is all of them.
  public var condition: String?

  /// Makes an index of columns or expressions.
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

  /// Makes an index of columns.
  ///
  /// ```swift
  /// IndexDefinition("player_on_name", on: "player", columns: ["name", "score"]).sql
  /// // CREATE INDEX player_on_name ON player (name, score)
  /// ```
  public init(_ name: String, on table: String, columns: [String], options: Options = [], condition: String? = nil) {
    self.init(name, on: table, terms: columns.map { Term(.column($0)) }, options: options, condition: condition)
  }
}

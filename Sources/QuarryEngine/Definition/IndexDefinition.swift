/// An index, as an inert value.
public struct IndexDefinition: Hashable, Sendable {
  public struct Options: OptionSet, Hashable, Sendable {
    public let rawValue: Int

    public init(rawValue: Int) {
      self.rawValue = rawValue
    }

    public static let unique = Options(rawValue: 1 << 0)
    public static let ifNotExists = Options(rawValue: 1 << 1)
  }

  /// What an index is sorted by.
  public struct Term: Hashable, Sendable {
    public enum Subject: Hashable, Sendable {
      case column(String)
      /// An expression of SQL.
      case expression(sql: String)
    }

    public var subject: Subject
    public var collation: Collation?
    public var direction: Ordering.Direction?

    public init(_ subject: Subject, collation: Collation? = nil, direction: Ordering.Direction? = nil) {
      self.subject = subject
      self.collation = collation
      self.direction = direction
    }
  }

  public var name: String
  public var table: String
  public var options: Options
  public var terms: [Term]
  /// An SQL expression: only rows for which it holds are in the index. Nil is all of them.
  public var condition: String?

  public init(_ name: String, on table: String, terms: [Term], options: Options = [], condition: String? = nil) {
    self.name = name
    self.table = table
    self.options = options
    self.terms = terms
    self.condition = condition
  }

  /// Makes an index of columns.
  public init(_ name: String, on table: String, columns: [String], options: Options = [], condition: String? = nil) {
    self.init(name, on: table, terms: columns.map { Term(.column($0)) }, options: options, condition: condition)
  }
}

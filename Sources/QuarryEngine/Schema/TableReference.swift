/// A table, view or virtual table by the name of its database (`main`, `temp` or an attached one) and its own.
public struct TableReference: Hashable, Sendable {
  public var database: String
  public var name: String

  public init(database: String = "main", name: String) {
    self.database = database
    self.name = name
  }
}

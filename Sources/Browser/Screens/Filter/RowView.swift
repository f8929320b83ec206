public import QuarryEngine

/// What narrows and orders the rows of a grid, as the texts that a person wrote.
public struct RowView: Hashable, Sendable {
  var filter = ""
  var sort = ""
  /// What was filled in for the parameters of the filter, by their identities: `:min`, `2`.
  public var arguments: [String: DatabaseValue] = [:]

  public init(filter: String = "", sort: String = "", arguments: [String: DatabaseValue] = [:]) {
    self.filter = filter
    self.sort = sort
    self.arguments = arguments
  }

  /// Whether it shows all rows in their natural order.
  var isPlain: Bool { filter.isBlank && sort.isBlank }

  subscript(text: Text) -> String {
    get { text == .filter ? filter : sort }
    set { if text == .filter { filter = newValue } else { sort = newValue } }
  }

  /// The two texts of a view.
  public enum Text: Hashable, Sendable { case filter, sort }
}

extension String {
  /// Whether it has nothing but white space.
  var isBlank: Bool { allSatisfy(\.isWhitespace) }
}

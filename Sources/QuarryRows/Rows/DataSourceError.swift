/// An error of a data source, as a sentence for people.
public struct DataSourceError: Error, Hashable, CustomStringConvertible {
  /// The sentence.
  public var description: String
  /// Whether the source cannot be opened at all, because its server cannot be reached.
  public var isOfOpening: Bool
  /// Whether the connection to a server was lost while it answered, so that the request may be repeated on the machine that replaces it.
  package var isOfLostAnswer = false

  /// Creates an error from a sentence.
  public init(_ description: String, isOfOpening: Bool = false) {
    (self.description, self.isOfOpening) = (description, isOfOpening)
  }
}

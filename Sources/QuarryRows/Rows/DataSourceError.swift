/// An error of a data source, as a sentence for a person: what it cannot do, or could not find.
public struct DataSourceError: Error, Hashable, CustomStringConvertible {
  /// The sentence.
  public var description: String
  /// Whether the source cannot be opened at all: there is no way to what serves it.
  public var isOfOpening: Bool
  /// Whether the way to a server was lost while it answered, so that the same may be asked of the machine that takes its place.
  package var isOfLostAnswer = false

  /// Makes an error of a sentence.
  public init(_ description: String, isOfOpening: Bool = false) {
    (self.description, self.isOfOpening) = (description, isOfOpening)
  }
}

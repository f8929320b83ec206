/// A question to ask before a statement that may take long is sent to a server, because the server cannot cancel it.
public struct LongRead: Error, Hashable, CustomStringConvertible {
  /// The operation of the server, which cannot be cancelled: `reads more than 500,000 rows of Track without an index`.
  public var act: String
  public var description: String { "The server \(act)" }

  /// Creates a question about an operation.
  public init(_ act: String) {
    self.act = act
  }
}

/// What has to be asked before a server is given a statement that may take long, since nothing ends it there.
public struct LongRead: Error, Hashable, CustomStringConvertible {
  /// What the server would do, which cannot be stopped meanwhile: `reads more than 500,000 rows of Track without an index`.
  public var act: String
  public var description: String { "The server \(act)" }

  /// Makes a question of what the server would do.
  public init(_ act: String) {
    self.act = act
  }
}

/// A sequence of elements that are made one after the other, any of which can fail.
///
/// ```swift
/// let names = try String.fetchCursor(db, sql: "SELECT name FROM player")
/// while let name = try names.next() {
///   print(name)
/// }
/// ```
public protocol Cursor<Element>: AnyObject {
  associatedtype Element

  /// The next element; nil when there is none left.
  ///
  /// - Throws: What making the element throws.
  func next() throws -> Element?
}

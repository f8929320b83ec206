/// A sequence of elements that are read one after the other and may throw errors.
///
/// ```swift
/// let names = try String.fetchCursor(db, sql: "SELECT name FROM player")
/// while let name = try names.next() {
///   print(name)
/// }
/// ```
public protocol Cursor<Element>: AnyObject {
  /// The type of the elements.
  associatedtype Element

  /// Returns the next element; nil at the end.
  ///
  /// - Throws: Any error of reading the element.
  func next() throws -> Element?

  /// Returns the next element in a form that can be stored.
  ///
  /// The elements of ``next()`` may be valid only for a while, such as the rows of a cursor.
  func nextToKeep() throws -> Element?
}

extension Cursor {
  /// Returns the next element; those of ``next()`` can be stored by default.
  public func nextToKeep() throws -> Element? { try next() }

  /// Calls `body` with each remaining element.
  ///
  /// ```swift
  /// try db.allStatements(sql: script).forEach { try $0.execute() }
  /// ```
  ///
  /// - Throws: Any error of reading an element or of `body`.
  public func forEach(_ body: (Element) throws -> Void) throws {
    while let element = try next() { try body(element) }
  }

  /// Returns a cursor of the results of `transform` for each element.
  ///
  /// ```swift
  /// let lengths = try String.fetchCursor(db, sql: "SELECT name FROM player").map(\.count)
  /// ```
  ///
  /// Elements are read and transformed only when they are requested.
  public func map<Result>(_ transform: @escaping (Element) throws -> Result) -> GeneratedCursor<Result> {
    GeneratedCursor { [self] keeps in try next(keeps).map(transform) }
  }

  /// Returns a cursor of the elements for which `isIncluded` returns true.
  ///
  /// ```swift
  /// let long = try String.fetchCursor(db, sql: "SELECT name FROM player").filter { $0.count > 10 }
  /// ```
  ///
  /// Elements are read only when they are requested. If the condition can be written in SQL, WHERE reads less.
  public func filter(_ isIncluded: @escaping (Element) throws -> Bool) -> GeneratedCursor<Element> {
    compactMap { try isIncluded($0) ? $0 : nil }
  }

  /// Returns a cursor of the elements of the cursors returned by `transform`, one after the other.
  ///
  /// ```swift
  /// let players = try db.allStatements(sql: "SELECT * FROM player; SELECT * FROM reserve").flatMap { try Player.fetchCursor($0) }
  /// ```
  public func flatMap<Inner: Cursor>(_ transform: @escaping (Element) throws -> Inner) -> GeneratedCursor<Inner.Element> {
    var inner: Inner?
    return GeneratedCursor { [self] keeps in
      while true {
        if let element = try inner?.next(keeps) { return element }
        inner = try next().map(transform)
        if inner == nil { return nil }
      }
    }
  }
}

extension Array {
  /// Creates an array of the remaining elements; rows of a cursor are copied.
  ///
  /// ```swift
  /// let names = try Array(String.fetchCursor(db, sql: "SELECT name FROM player"))
  /// ```
  ///
  /// - Throws: Any error of reading an element.
  public init<Elements: Cursor>(_ cursor: Elements) throws where Elements.Element == Element {
    self.init()
    while let element = try cursor.nextToKeep() { append(element) }
  }
}

extension Set {
  /// Creates a set of the remaining elements; rows of a cursor are copied.
  ///
  /// ```swift
  /// let names = try Set(String.fetchCursor(db, sql: "SELECT name FROM player"))
  /// ```
  ///
  /// - Throws: Any error of reading an element.
  public init<Elements: Cursor>(_ cursor: Elements) throws where Elements.Element == Element {
    self.init()
    while let element = try cursor.nextToKeep() { insert(element) }
  }
}

/// A sequence of elements that are made one after the other, any of which can fail.
///
/// ```swift
/// let names = try String.fetchCursor(db, sql: "SELECT name FROM player")
/// while let name = try names.next() {
///   print(name)
/// }
/// ```
public protocol Cursor<Element>: AnyObject {
  /// What the cursor yields.
  associatedtype Element

  /// Returns the next element; nil when there is none left.
  ///
  /// - Throws: What making the element throws.
  func next() throws -> Element?

  /// Returns the next element in a form that can be kept, where ``next()`` returns one that is good for a while only, as cursors of rows
  /// do.
  func nextToKeep() throws -> Element?
}

extension Cursor {
  /// Returns the next element, which ``next()`` returns in a form that can be kept.
  public func nextToKeep() throws -> Element? { try next() }

  /// Calls `body` with each element that is left.
  ///
  /// ```swift
  /// try db.allStatements(sql: script).forEach { try $0.execute() }
  /// ```
  ///
  /// - Throws: What making an element throws, or `body`.
  public func forEach(_ body: (Element) throws -> Void) throws {
    while let element = try next() { try body(element) }
  }

  /// Returns a cursor of what `transform` makes of each element.
  ///
  /// ```swift
  /// let lengths = try String.fetchCursor(db, sql: "SELECT name FROM player").map(\.count)
  /// ```
  ///
  /// Nothing is read or transformed before it is asked for.
  public func map<Result>(_ transform: @escaping (Element) throws -> Result) -> GeneratedCursor<Result> {
    GeneratedCursor { [self] keeps in try next(keeps).map(transform) }
  }

  /// Returns a cursor of the elements that `isIncluded` accepts.
  ///
  /// ```swift
  /// let long = try String.fetchCursor(db, sql: "SELECT name FROM player").filter { $0.count > 10 }
  /// ```
  ///
  /// Nothing is read before it is asked for; where SQL can say the condition, WHERE reads less.
  public func filter(_ isIncluded: @escaping (Element) throws -> Bool) -> GeneratedCursor<Element> {
    compactMap { try isIncluded($0) ? $0 : nil }
  }

  /// Returns a cursor of the elements of the cursors that `transform` makes, one after the other.
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
  /// Creates an array of the elements that are left; rows of a cursor are copied.
  ///
  /// ```swift
  /// let names = try Array(String.fetchCursor(db, sql: "SELECT name FROM player"))
  /// ```
  ///
  /// - Throws: What making an element throws.
  public init<Elements: Cursor>(_ cursor: Elements) throws where Elements.Element == Element {
    self.init()
    while let element = try cursor.nextToKeep() { append(element) }
  }
}

extension Set {
  /// Creates a set of the elements that are left; rows of a cursor are copied.
  ///
  /// ```swift
  /// let names = try Set(String.fetchCursor(db, sql: "SELECT name FROM player"))
  /// ```
  ///
  /// - Throws: What making an element throws.
  public init<Elements: Cursor>(_ cursor: Elements) throws where Elements.Element == Element {
    self.init()
    while let element = try cursor.nextToKeep() { insert(element) }
  }
}

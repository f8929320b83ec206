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
  public func map<Result>(_ transform: @escaping (Element) throws -> Result) -> MapCursor<Self, Result> {
    MapCursor(self, transform)
  }

  /// Returns a cursor of the elements that `isIncluded` accepts.
  ///
  /// ```swift
  /// let long = try String.fetchCursor(db, sql: "SELECT name FROM player").filter { $0.count > 10 }
  /// ```
  ///
  /// Nothing is read before it is asked for; where SQL can say the condition, WHERE reads less.
  public func filter(_ isIncluded: @escaping (Element) throws -> Bool) -> FilterCursor<Self> {
    FilterCursor(self, isIncluded)
  }

  /// Returns a cursor of the elements of the cursors that `transform` makes, one after the other.
  ///
  /// ```swift
  /// let players = try db.allStatements(sql: "SELECT * FROM player; SELECT * FROM reserve").flatMap { try Player.fetchCursor($0) }
  /// ```
  public func flatMap<Inner: Cursor>(_ transform: @escaping (Element) throws -> Inner) -> FlatMapCursor<Self, Inner> {
    FlatMapCursor(self, transform)
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

/// The elements of another cursor, transformed.
public final class MapCursor<Base: Cursor, Element>: Cursor {
  private let base: Base
  private let transform: (Base.Element) throws -> Element

  init(_ base: Base, _ transform: @escaping (Base.Element) throws -> Element) {
    self.base = base
    self.transform = transform
  }

  /// Returns the next element, transformed.
  public func next() throws -> Element? {
    try base.next().map(transform)
  }

  /// Returns the next element, made of one that can be kept, since it may hold that.
  public func nextToKeep() throws -> Element? {
    try base.nextToKeep().map(transform)
  }
}

/// Those elements of another cursor that fulfil a condition.
public final class FilterCursor<Base: Cursor>: Cursor {
  private let base: Base
  private let isIncluded: (Base.Element) throws -> Bool

  init(_ base: Base, _ isIncluded: @escaping (Base.Element) throws -> Bool) {
    self.base = base
    self.isIncluded = isIncluded
  }

  /// Returns the next element that fulfils the condition.
  public func next() throws -> Base.Element? {
    while let element = try base.next() {
      if try isIncluded(element) { return element }
    }
    return nil
  }

  /// Returns the next element that fulfils the condition, in a form that can be kept.
  public func nextToKeep() throws -> Base.Element? {
    while let element = try base.nextToKeep() {
      if try isIncluded(element) { return element }
    }
    return nil
  }
}

/// The elements of several cursors, which are made of the elements of another.
public final class FlatMapCursor<Base: Cursor, Inner: Cursor>: Cursor {
  private let base: Base
  private let transform: (Base.Element) throws -> Inner
  private var inner: Inner?

  init(_ base: Base, _ transform: @escaping (Base.Element) throws -> Inner) {
    self.base = base
    self.transform = transform
  }

  /// Returns the next element of the cursor that is under way, or of the one after it.
  public func next() throws -> Inner.Element? {
    try next { try $0.next() }
  }

  /// Returns the next element, in a form that can be kept.
  public func nextToKeep() throws -> Inner.Element? {
    try next { try $0.nextToKeep() }
  }

  private func next(_ advance: (Inner) throws -> Inner.Element?) throws -> Inner.Element? {
    while true {
      if let inner, let element = try advance(inner) { return element }
      inner = try base.next().map(transform)
      if inner == nil { return nil }
    }
  }
}

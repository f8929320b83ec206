extension Cursor {
  /// Returns a cursor of the non-nil results of `transform` for each element.
  ///
  /// ```swift
  /// let pages = try String.fetchCursor(db, sql: "SELECT page FROM player").compactMap { URL(string: $0) }
  /// ```
  public func compactMap<Result>(_ transform: @escaping (Element) throws -> Result?) -> GeneratedCursor<Result> {
    GeneratedCursor { [self] keeps in
      while let element = try next(keeps) {
        if let result = try transform(element) { return result }
      }
      return nil
    }
  }

  /// Returns a cursor of at most `count` elements; the remaining elements are not read.
  ///
  /// ```swift
  /// let best = try Player.fetchCursor(db, sql: "SELECT * FROM player ORDER BY score DESC").prefix(3)
  /// ```
  public func prefix(_ count: Int) -> GeneratedCursor<Element> {
    var left = count
    return GeneratedCursor { [self] keeps in
      guard left > 0 else { return nil }
      left -= 1
      return try next(keeps)
    }
  }

  /// Returns a cursor of the elements before the first that does not match a condition.
  ///
  /// ```swift
  /// let above = try Int.fetchCursor(db, sql: "SELECT score FROM player ORDER BY score DESC").prefix { $0 > 100 }
  /// ```
  public func prefix(while condition: @escaping (Element) throws -> Bool) -> GeneratedCursor<Element> {
    var isOver = false
    return GeneratedCursor { [self] keeps in
      guard !isOver, let element = try next(keeps), try condition(element) else {
        isOver = true
        return nil
      }
      return element
    }
  }

  /// Returns a cursor without the first elements.
  ///
  /// ```swift
  /// let others = try Player.fetchCursor(db, sql: "SELECT * FROM player ORDER BY score DESC").dropFirst(3)
  /// ```
  ///
  /// If the query can be changed, OFFSET in SQL reads less.
  public func dropFirst(_ count: Int = 1) -> GeneratedCursor<Element> {
    var left = count
    return GeneratedCursor { [self] keeps in
      while left > 0 {
        left -= 1
        if try next() == nil { left = 0 }
      }
      return try next(keeps)
    }
  }

  /// Returns a cursor of the elements from the first that does not match a condition.
  ///
  /// ```swift
  /// let below = try Int.fetchCursor(db, sql: "SELECT score FROM player ORDER BY score DESC").drop { $0 > 100 }
  /// ```
  public func drop(while condition: @escaping (Element) throws -> Bool) -> GeneratedCursor<Element> {
    var isDropping = true
    return GeneratedCursor { [self] keeps in
      while let element = try next(keeps) {
        if isDropping, try condition(element) { continue }
        isDropping = false
        return element
      }
      return nil
    }
  }

  /// Returns a cursor of the elements with their numbers, from 0.
  ///
  /// ```swift
  /// try String.fetchCursor(db, sql: "SELECT name FROM player ORDER BY score DESC").enumerated().forEach { place, name in
  ///   print(place + 1, name)
  /// }
  /// ```
  public func enumerated() -> GeneratedCursor<(Int, Element)> {
    var number = -1
    return GeneratedCursor { [self] keeps in
      number += 1
      return try next(keeps).map { (number, $0) }
    }
  }
}

// MARK: - Consuming elements

extension Cursor {
  /// Combines the remaining elements.
  ///
  /// ```swift
  /// let total = try Int.fetchCursor(db, sql: "SELECT score FROM player").reduce(0, +)
  /// ```
  ///
  /// - Throws: Any error of reading an element or of `combine`.
  public func reduce<Result>(_ initial: Result, _ combine: (Result, Element) throws -> Result) throws -> Result {
    try reduce(into: initial) { $0 = try combine($0, $1) }
  }

  /// Combines the remaining elements in place.
  ///
  /// ```swift
  /// let names = try Row.fetchCursor(db, sql: "SELECT team, name FROM player").reduce(into: [String: [String]]()) { names, row in
  ///   names[try row[0], default: []].append(try row[1])
  /// }
  /// ```
  ///
  /// - Throws: Any error of reading an element or of `combine`.
  public func reduce<Result>(into initial: Result, _ combine: (inout Result, Element) throws -> Void) throws -> Result {
    var result = initial
    while let element = try next() { try combine(&result, element) }
    return result
  }

  /// Returns the next element that matches a condition, in a form that can be stored; nil if none does.
  ///
  /// ```swift
  /// let winner = try Player.fetchCursor(db, sql: "SELECT * FROM player").first { $0.isWinner }
  /// ```
  ///
  /// - Throws: Any error of reading an element or of `condition`.
  public func first(where condition: (Element) throws -> Bool) throws -> Element? {
    while let element = try nextToKeep() {
      if try condition(element) { return element }
    }
    return nil
  }

  /// Returns whether a remaining element matches a condition; the elements after it are not read.
  ///
  /// ```swift
  /// let isAnyoneNew = try Player.fetchCursor(db, sql: "SELECT * FROM player").contains { $0.score == nil }
  /// ```
  ///
  /// - Throws: Any error of reading an element or of `condition`.
  public func contains(where condition: (Element) throws -> Bool) throws -> Bool {
    while let element = try next() {
      if try condition(element) { return true }
    }
    return false
  }

  /// Returns whether all remaining elements match a condition; the elements after the first that does not are not read.
  ///
  /// ```swift
  /// let isSorted = try Int.fetchCursor(db, sql: "SELECT score FROM player").allSatisfy { $0 >= 0 }
  /// ```
  ///
  /// - Throws: Any error of reading an element or of `condition`.
  public func allSatisfy(_ condition: (Element) throws -> Bool) throws -> Bool {
    try !contains { try !condition($0) }
  }

  /// Returns the maximum of the remaining elements, in a form that can be stored; nil if there are none.
  ///
  /// - Throws: Any error of reading an element or of `isLess`.
  public func max(by isLess: (Element, Element) throws -> Bool) throws -> Element? {
    guard var greatest = try nextToKeep() else { return nil }
    while let element = try nextToKeep() {
      if try isLess(greatest, element) { greatest = element }
    }
    return greatest
  }

  /// Returns the minimum of the remaining elements, in a form that can be stored; nil if there are none.
  ///
  /// - Throws: Any error of reading an element or of `isLess`.
  public func min(by isLess: (Element, Element) throws -> Bool) throws -> Element? {
    try max { try isLess($1, $0) }
  }

  /// Returns whether no element is left; otherwise the next element is skipped.
  ///
  /// - Throws: Any error of reading an element.
  public func isEmpty() throws -> Bool {
    try next() == nil
  }

  func next(_ keeps: Bool) throws -> Element? {
    keeps ? try nextToKeep() : try next()
  }
}

extension Cursor where Element: Equatable {
  /// Returns whether a remaining element equals `element`; the elements after it are not read.
  ///
  /// ```swift
  /// let isThere = try String.fetchCursor(db, sql: "SELECT name FROM player").contains("Arthur")
  /// ```
  ///
  /// - Throws: Any error of reading an element.
  public func contains(_ element: Element) throws -> Bool {
    try contains { $0 == element }
  }
}

/// The elements of a typed query, or of an operator such as `map` on another cursor.
public final class GeneratedCursor<Element>: Cursor {
  private let make: (_ keeps: Bool) throws -> Element?

  init(_ make: @escaping (_ keeps: Bool) throws -> Element?) {
    self.make = make
  }

  /// Returns the next element.
  public func next() throws -> Element? {
    try make(false)
  }

  /// Returns the next element, in a form that can be stored.
  public func nextToKeep() throws -> Element? {
    try make(true)
  }
}

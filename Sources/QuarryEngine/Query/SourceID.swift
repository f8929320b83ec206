internal import Synchronization

/// The identity of a source of a query, which distinguishes a column of an enclosing query from one with the same name in a subquery.
struct SourceID: Hashable, Sendable {
  private static let count = Atomic<Int>(0)

  private let number: Int

  init() {
    number = Self.count.wrappingAdd(1, ordering: .relaxed).newValue
  }
}

/// A source that a part of a statement can read, by its name there.
struct VisibleSource: Hashable, Sendable {
  var name: String
  var id: SourceID?
}

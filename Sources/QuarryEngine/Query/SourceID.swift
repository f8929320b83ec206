internal import Synchronization

/// The identity of a source of a query, by which a column of an enclosing query is told from one of the same name within a subquery.
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

public import QuarryEngine

/// How often values of each type lie at a path.
public struct JSONTypeCounts: Hashable, Sendable {
  /// A number for each type, of which there are eight.
  private var counts = SIMD8<Int>()

  /// Makes counts of nothing.
  public init() {}

  /// The number of values of a type.
  public subscript(type: JSONType) -> Int {
    get { counts[type.rawValue] }
    set { counts[type.rawValue] = newValue }
  }

  /// The types that occur, the most frequent first.
  public var types: [JSONType] {
    JSONType.allCases.filter { self[$0] > 0 }.sorted { self[$0] > self[$1] }
  }
}

/// A path at which JSON texts of a column have values.
public struct JSONPathCounts: Hashable, Sendable {
  /// Where the values lie; all elements of an array are one step.
  public var path: JSONPath
  /// The number of rows that have a value there.
  public var rows: Int
  /// The values by their types: more than rows where the path leads through arrays, or an object has the key twice.
  public var counts: JSONTypeCounts
}

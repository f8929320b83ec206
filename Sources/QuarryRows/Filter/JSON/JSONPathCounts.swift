public import QuarryEngine

/// The number of values of each type at a path.
public struct JSONTypeCounts: Hashable, Sendable {
  /// A count for each of the eight types.
  private var counts = SIMD8<Int>()

  /// Creates empty counts.
  public init() {}

  /// Accesses the number of values of a type.
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
  /// The path of the values; all elements of an array are one step.
  public var path: JSONPath
  /// The number of rows with a value at the path.
  public var rows: Int
  /// The numbers of values by type, which may exceed the rows if the path leads through arrays, or if an object repeats a key.
  public var counts: JSONTypeCounts
}

public import QuarryEngine

/// The JSON found in a few values of a column.
public struct JSONSample: Hashable, Sendable {
  /// The paths of values in the sample, the shortest first; the elements of an array are represented by the first.
  public var paths: [JSONPath] = []
  /// Whether one of the values is an object or an array; nil if there are no texts.
  public var isJSON: Bool?

  /// Creates a sample without values.
  public init() {}

  /// Whether the column may contain JSON, unless the sample contradicts it.
  var mayHoldJSON: Bool { isJSON ?? true }

  /// Creates a sample from some values of a column.
  ///
  /// ```swift
  /// JSONSample([.text("{\"a\": [{\"b\": 1}]}")]).paths.map(\.description)  // ["a", "a[0]", "a[0].b"]
  /// ```
  public init(_ values: some Sequence<DatabaseValue>) {
    var tree = JSONPathTree(mostPaths: Self.mostPaths)
    for case .text(var text) in values where !text.isEmpty {
      let isContainer = text.utf8.first { !$0.isSQLBlank }.map { "{[".utf8.contains($0) } ?? false
      let isRead = isContainer && text.withUTF8 { tree.add(UnsafeRawBufferPointer($0)) }
      isJSON = isJSON == true || isRead || isContainer && text.utf8.count >= Self.longestText
    }
    let found = tree.paths.map(\.path.withFirstElements).filter { !$0.steps.isEmpty }
    paths = found.sorted { $0.steps.count < $1.steps.count }
  }

  private static let mostPaths = 500
  /// The maximum number of characters of a text; longer texts provide no paths.
  private static let longestText = 8192
  private static let mostRows = 10

  /// Reads samples of columns, by their names.
  ///
  ///     SELECT iif(typeof(data) = 'text', substr(data, 1, 8192), NULL) FROM main.event LIMIT 10
  static func read(_ columns: [String], in table: TableSchema, _ database: Database) -> [String: JSONSample] {
    guard !columns.isEmpty else { return [:] }
    let values = columns.map { column -> SQLText in
      "iif(typeof(\(identifier: column)) = 'text', substr(\(identifier: column), 1, \(longestText)), NULL)"
    }
    let rows = FilterColumns.rows(values, in: table, limit: mostRows, database)
    let samples = columns.indices.map { index in (columns[index], JSONSample(rows.map { $0[index] })) }
    return Dictionary(samples, uniquingKeysWith: { first, _ in first })
  }
}

extension JSONPath {
  /// The path with the first element instead of each element, which leads to a single value.
  public var withFirstElements: JSONPath { JSONPath(steps.map { $0 == .each ? .element(0) : $0 }) }
}

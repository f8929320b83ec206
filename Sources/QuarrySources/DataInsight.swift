public import QuarryEngine
public import QuarryRows

/// Counts, summarizes and searches the data of a source.
public protocol DataInsight: Sendable {
  /// Counts how often each value of a column occurs.
  ///
  /// - Parameter progress: Called several times a second with the counts so far. Also called before an error is thrown in the middle of the
  ///   rows.
  func counts(_ request: CountRequest, progress: @escaping @Sendable (ValueCounts) -> Void) async throws -> ValueCounts
  /// Summarizes the values of columns.
  ///
  /// Calls `progress` as ``counts(_:progress:)`` does.
  func profile(_ request: ProfileRequest, progress: @escaping @Sendable (TableProfile) -> Void) async throws -> TableProfile
  /// Counts rows by the values of several columns, each under the conditions on the other columns.
  ///
  /// Calls `progress` as ``counts(_:progress:)`` does.
  ///
  /// - Returns: A facet for each column, in the order of the request.
  func facets(_ request: FacetRequest, progress: @escaping @Sendable ([Facet]) -> Void) async throws -> [Facet]
  /// Finds the paths to values in a JSON column.
  ///
  /// - Parameter progress: Called several times a second with the paths found so far.
  func jsonPaths(of column: String, in set: RowSet, progress: @escaping @Sendable (JSONPaths) -> Void) async throws -> JSONPaths
  /// Compiles groups of rows, and reads the values that become the columns of a pivot.
  ///
  /// - Throws: `GroupError` if a text of the shape has errors.
  func groups(_ shape: GroupShape, of rows: RowSet, columns: FilterColumns) async throws -> CompiledGroups
  /// Calls `body` on any thread when the state of the local copy for these operations changes.
  ///
  /// Nil if there is no copy.
  func onCopy(_ body: @escaping @Sendable (SourceCopy?) -> Void)
  /// Returns the column whose value caused the error of a read, or nil if it is not known.
  ///
  /// - Parameter rows: The number of rows of the set read before the error, in no particular order.
  func failingColumn(of set: RowSet, after rows: Int, _ error: DatabaseError) async throws -> String?
  /// Searches the tables for a text.
  ///
  /// See ``EverywhereSearch``.
  ///
  /// - Parameter report: Called on any thread, first with the tables and then with matches as they are found.
  /// - Returns: The matches in each table.
  func search(_ search: EverywhereSearch, report: @escaping @Sendable (SearchReport) -> Void) async throws -> [SearchedTable]
  /// Looks up the rows to which foreign keys refer, with their labels.
  ///
  /// - Returns: The referenced rows of each lookup, in the order of its values. Empty if they are not known.
  func referredRows(_ lookups: [ReferenceLookup]) async throws -> [[ReferredRow]]
}

extension DataInsight {
  /// Does nothing, for a source that reads the original rows.
  public func onCopy(_ body: @escaping @Sendable (SourceCopy?) -> Void) {}
  /// Returns nil, because the column is not known.
  public func failingColumn(of set: RowSet, after rows: Int, _ error: DatabaseError) async throws -> String? { nil }
}

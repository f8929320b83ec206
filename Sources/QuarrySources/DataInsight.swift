public import QuarryEngine
public import QuarryRows

/// Finds out what the data of a source is like.
public protocol DataInsight: Sendable {
  /// Counts how often each value of a column occurs.
  ///
  /// - Parameter progress: Is called with what has been counted so far, more and more of it, several times a second; also before an error
  ///   is thrown in the midst of the rows.
  func counts(_ request: CountRequest, progress: @escaping @Sendable (ValueCounts) -> Void) async throws -> ValueCounts
  /// Looks at what the values of columns are like; `progress` is called as by ``counts(_:progress:)``.
  func profile(_ request: ProfileRequest, progress: @escaping @Sendable (TableProfile) -> Void) async throws -> TableProfile
  /// Counts how rows are distributed over the values of several columns, each under the conditions on the other columns; `progress` is
  /// called as by ``counts(_:progress:)``.
  ///
  /// - Returns: A facet for each column, in the order of the request.
  func facets(_ request: FacetRequest, progress: @escaping @Sendable ([Facet]) -> Void) async throws -> [Facet]
  /// Looks for the paths that lead to values in a column of JSON.
  ///
  /// - Parameter progress: Is called with what has been found so far, several times a second.
  func jsonPaths(of column: String, in set: RowSet, progress: @escaping @Sendable (JSONPaths) -> Void) async throws -> JSONPaths
  /// Calls `body` each time that there is news of the copy in which all this is found out, on any thread; nil where there is none.
  func onCopy(_ body: @escaping @Sendable (SourceCopy?) -> Void)
  /// Returns the column whose value could not be had, after the reading of rows has ended with an error; nil where that cannot be told.
  ///
  /// - Parameter rows: How many rows of the set were read before, in no particular order.
  func failingColumn(of set: RowSet, after rows: Int, _ error: DatabaseError) async throws -> String?
  /// Looks for a text in the tables; see ``EverywhereSearch``.
  ///
  /// - Parameter report: Is told the tables, and then what is found in them as soon as it is, on any thread.
  /// - Returns: What was found in each table.
  func search(_ search: EverywhereSearch, report: @escaping @Sendable (SearchReport) -> Void) async throws -> [SearchedTable]
  /// Looks up the rows that foreign keys refer to, with what a person knows them by.
  ///
  /// - Returns: For each lookup what its values refer to, in their order; nothing where that is not known.
  func referredRows(_ lookups: [ReferenceLookup]) async throws -> [[ReferredRow]]
}

extension DataInsight {
  /// Does nothing: for a source that looks at the rows themselves.
  public func onCopy(_ body: @escaping @Sendable (SourceCopy?) -> Void) {}
  /// Returns nil: it cannot be told.
  public func failingColumn(of set: RowSet, after rows: Int, _ error: DatabaseError) async throws -> String? { nil }
}

package import QuarryEngine
public import QuarryRows
public import QuarrySources

extension RemoteDataSource {
  /// Counts how often each value of a column occurs, in a local copy of the rows.
  public func counts(_ request: CountRequest, progress: @escaping @Sendable (ValueCounts) -> Void) async throws -> ValueCounts {
    var request = request
    let copied = try await copy.connections(for: request.set.source, reading: [request.column.expression, request.set.condition])
    request.set.source = copied.source
    return try await copied.connections.counts(request, progress: progress)
  }

  /// Summarizes the values of columns, in a local copy of the rows.
  public func profile(_ request: ProfileRequest, progress: @escaping @Sendable (TableProfile) -> Void) async throws -> TableProfile {
    var request = request
    let copied = try await copy.connections(for: request.set.source, and: [request.set.condition], withReferences: true)
    request.set.source = copied.source
    return try await copied.connections.profile(request, progress: progress)
  }

  /// Counts rows by the values of several columns, in a local copy of the rows.
  public func facets(_ request: FacetRequest, progress: @escaping @Sendable ([Facet]) -> Void) async throws -> [Facet] {
    var request = request
    let read = request.columns.map(\.expression) + request.conditions.map(\.filter.sqlText) + [request.set.condition]
    let copied = try await copy.connections(for: request.set.source, reading: read)
    request.set.source = copied.source
    return try await copied.connections.facets(request, progress: progress)
  }

  /// Finds the paths to values in a JSON column, in a local copy of the rows.
  public func jsonPaths(
    of column: String, in set: RowSet, progress: @escaping @Sendable (JSONPaths) -> Void
  ) async throws -> JSONPaths {
    var set = set
    let copied = try await copy.connections(for: set.source, reading: ["\(identifier: column)", set.condition])
    set.source = copied.source
    return try await copied.connections.jsonPaths(of: column, in: set, progress: progress)
  }

  /// Compiles groups of rows; the values that become the columns of a pivot are read from a local copy of the rows.
  public func groups(_ shape: GroupShape, of rows: RowSet, columns: FilterColumns) async throws -> CompiledGroups {
    guard let across = shape.across else { return try await shape.compiled(of: rows, columns: columns).storingReturned() }
    try shape.check(columns: columns)
    let value = try ColumnExpression.compile(across, columns: columns).sqlText
    let copied = try await copy.connections(for: rows.source, reading: [value, rows.condition])
    var set = rows
    set.source = copied.source
    let values = try await copied.connections.pivotValues(of: shape, in: set, columns: columns)
    return try await shape.compiled(of: rows, columns: columns, pivot: values).storingReturned()
  }

  /// Calls `body` when the state of the local copy changes, which is used for operations that need all rows.
  public func onCopy(_ body: @escaping @Sendable (SourceCopy?) -> Void) { copy.progress.onChange(body) }

  /// Searches local copies of all tables for a text.
  public func search(_ search: EverywhereSearch, report: @escaping @Sendable (SearchReport) -> Void) async throws -> [SearchedTable] {
    try await copy.connectionsForAll().search(search, report)
  }

  /// Looks up the rows to which foreign keys refer, in one round trip per lookup.
  public func referredRows(_ lookups: [ReferenceLookup]) async throws -> [[ReferredRow]] {
    var found: [[ReferredRow]] = []
    for lookup in lookups { found.append(try await referredRows(lookup)) }
    return found
  }

  private func referredRows(_ lookup: ReferenceLookup) async throws -> [ReferredRow] {
    let key = lookup.key
    guard !lookup.values.isEmpty, !key.referencedColumns.isEmpty, key.referencedColumns.count == key.columns.count else { return [] }
    var rows = [ReferredRow](repeating: .missing, count: lookup.values.count)
    guard let schema = try? await schema(of: key.table) else { return rows.map { _ in .noTable } }
    if schema.problem != nil { return [] }
    let labels = lookup.labelColumns(in: schema)
    let statement = try RemoteStatement(own: lookup.sql(labels), limit: link.database.capabilities.parameterLimit, isBrief: true)
    for row in try await link.rows(statement, on: link.reading(.rows)).rows {
      guard let place = row.first?.integer.map({ Int($0) }), rows.indices.contains(place), rows[place] == .missing else { continue }
      let texts = row.dropFirst().compactMap(\.label)
      rows[place] = .row(label: texts.isEmpty ? nil : texts.joined(separator: " "))
    }
    return rows
  }
}

extension RemoteValue {
  /// The value as a part of a label, or nil for NULL, an empty text and a blob.
  fileprivate var label: String? {
    switch self {
    case .null, .blob: nil
    case .integer(let number): DatabaseValue.integer(number).sqlLiteral
    case .real(let number): DatabaseValue.real(number).sqlLiteral
    case .text(let bytes): bytes.isEmpty ? nil : String(decoding: bytes, as: UTF8.self)
    }
  }
}

/// The content of a local copy of a remote database.
package enum RemoteCopyContent: Sendable {
  /// No rows, but the complete schema.
  case schema
  /// The rows of a table or view, by its name.
  case table(String)
  /// All rows and the complete schema.
  case everything
}

extension RemoteDataSource {
  /// Makes a local copy of the database for code that reads files.
  ///
  /// - Throws: ``DataSourceError``, `DatabaseError`
  package func copied(_ content: RemoteCopyContent) async throws -> DatabaseQueue {
    switch content {
    case .schema: return try await link.schema().queue
    case .table(let name):
      let isQualified = name.lowercased().hasPrefix("main.")
      let reference = TableReference(name: isQualified ? String(name.dropFirst(5)) : name)
      return try await copy.connections(for: .table(schema(of: reference).entry.reference), withReferences: true).connections.foreground
    case .everything:
      let queue = try await copy.connectionsForAll().foreground
      let others = try await inSchema { db in
        try String.fetchAll(db, sql: "SELECT sql FROM sqlite_schema WHERE type <> 'table' AND sql IS NOT NULL ORDER BY rowid") as [String]
      }
      try await queue.withoutTransaction { db in
        for sql in others { try? db.makeObject(sql) }
      }
      return queue
    }
  }

  /// Counts the rows of tables up to a limit.
  ///
  /// Nil for a table that has more rows or cannot be counted.
  ///
  ///     SELECT count(*) FROM (SELECT 1 FROM main.Track LIMIT 100001) UNION ALL …
  package func counts(of tables: [TableReference], upTo limit: Int) async throws -> [Int?] {
    var counts: [Int?] = []
    for table in tables {
      let sql: SQLText = "SELECT count(*) AS a FROM (SELECT 1 FROM \(table.sqlText) LIMIT \(raw: String(limit + 1)))"
      let statement = try RemoteStatement(own: sql, limit: link.database.capabilities.parameterLimit, isBrief: true)
      let row = try? await link.rows(statement, on: .background).rows.first
      counts.append(row?.first?.integer.flatMap { $0 > Int64(limit) ? nil : Int($0) })
    }
    return counts
  }
}

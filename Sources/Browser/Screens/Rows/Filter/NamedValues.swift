import QuarryEngine
import QuarryRows
import QuarrySources

/// The values of a foreign key column whose referenced rows have a name that contains a typed text.
///
/// `artist_id = mil` offers 2, the key of Miles Davis.
struct NamedValues: Sendable {
  let request: FilterValueRequest
  let set: RowSet
  /// The configured label columns of tables, by the table's name in lowercase.
  let labels: [String: [String]]

  private static let limit = 50
  /// The longest search: the other completions wait for it, and a large table has no index of its names.
  private static let patience = Duration.milliseconds(300)

  /// Returns the values; none if the column is not a foreign key, or if they are not found in time.
  func read(in services: Services) async -> [Completion] {
    guard !request.isText, !request.prefix.isBlank, let table = set.sourceTable else { return [] }
    return await withTaskGroup(of: [Completion].self) { group in
      group.addTask { (try? await completions(of: table, services)) ?? [] }
      group.addTask {
        try? await Task.pause(for: Self.patience)
        return []
      }
      defer { group.cancelAll() }
      return await group.next() ?? []
    }
  }

  private func completions(of table: TableReference, _ services: Services) async throws -> [Completion] {
    let keys = try await services.source.schema(of: table).foreignKeys
    let key = keys.first { $0.columns.count == 1 && $0.columns[0].isSameIdentifier(as: request.column) }
    guard let key, key.referencedColumns.count == 1 else { return [] }
    let schema = try await services.source.schema(of: key.table)
    let columns = try await services.source.filterColumns(of: schema)
    let names = ReferenceLookup(key, [], labelled: labels).labelColumns(in: schema)
    guard !names.isEmpty, let place = schema.columns.firstIndex(where: { $0.name.isSameIdentifier(as: key.referencedColumns[0]) }) else {
      return []
    }
    let view = try RowView(filter: condition(names).description).compiled(for: columns)
    let reader = try services.source.backgroundReader(of: view.applied(to: RowSet(.table(key.table))))
    let page = try await reader.page(PageRequest(.first, limit: Self.limit, patience: Self.patience))
    let places = names.compactMap { name in schema.columns.firstIndex { $0.name.isSameIdentifier(as: name) } }
    let ranked = page.rows.map { row in (row: row, rank: rank(places.compactMap { row[$0]?.wholeValue?.plainText }.joined(separator: " ")))
    }
    let best = ranked.enumerated().sorted { ($0.element.rank, $0.offset) < ($1.element.rank, $1.offset) }
    return best.compactMap { $0.element.row[place]?.wholeValue.flatMap(completion) }
  }

  /// Returns the rank of a name, the lowest first: it begins with the typed text, contains it, or contains its words.
  private func rank(_ name: String) -> Int {
    let (name, typed) = (name.lowercased(), request.prefix.lowercased())
    return name.hasPrefix(typed) ? 0 : name.contains(typed) ? 1 : 2
  }

  /// Returns the condition that each typed word is part of a name.
  private func condition(_ names: [String]) -> FilterSyntax {
    let words = request.prefix.split(whereSeparator: \.isWhitespace).map { word in
      FilterSyntax(
        .any(names.map { FilterSyntax(.match(.contains, FilterSyntax(.column($0)), FilterSyntax(.literal(.text(String(word)))))) }))
    }
    return FilterSyntax(.all(words))
  }

  private func completion(for value: DatabaseValue) -> Completion? {
    request.completion(for: value).map { Completion($0, value: Completion.ColumnValue(column: request.column, value: value)) }
  }
}

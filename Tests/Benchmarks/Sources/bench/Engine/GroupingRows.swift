import QuarryEngine
import QuarryRows
import QuarrySources

/// Compares groups and a pivot with GROUP BY in C.
func grouping(of file: EventsFile) -> [Comparison] {
  let aggregates = ["count", "sum(amount)", "min(amount)", "max(amount)"]
  let groups = ["kind": "groups by `kind`, 12 values", "user_id": "groups by `user_id`, up to 200,000 values"].sorted { $0.key < $1.key }
  let comparisons = groups.map { column, what in
    // `+` keeps an index from giving the values in their order.
    let query = "SELECT \(column), count(*), sum(amount), min(amount), max(amount) FROM events GROUP BY +\(column)"
    let shape = GroupShape(levels: [column], aggregates: aggregates)
    return Comparison(
      number: "27", what: what, goals: [.atMost(0.4, .c)], stretch: [.atMost(0.25, .c)],
      contestants: [(.ours, { try time(shape, file) }), (.c, { (try timeByC(query, file).amount, nil) })])
  }
  let query = "SELECT user_id, kind, count(*), sum(amount), min(amount), max(amount) FROM events GROUP BY +user_id, +kind"
  let pivot = GroupShape(levels: ["user_id"], aggregates: aggregates, across: "kind")
  return comparisons + [
    Comparison(
      number: "27", what: "a pivot of both", goals: [.atMost(0.5, .c)], stretch: [.atMost(0.3, .c)],
      contestants: [(.ours, { try time(pivot, file) }), (.c, { (try timeByC(query, file).amount, nil) })])
  ]
}

/// Measures the time until all groups are known and the first of them are read in their order.
private func time(_ shape: GroupShape, _ file: EventsFile) throws -> Comparison.Result {
  let source = try SQLiteDataSource(path: file.path)
  let queue = try DatabaseQueue(path: file.path)
  let table = TableReference(name: "events")
  let columns = try queue.read { db in FilterColumns(of: try db.tableSchema(table), in: db) }
  let amount = try timed {
    try waiting {
      let groups = try await source.groups(shape, of: RowSet(.table(table)), columns: columns)
      let view = try RowView(sort: groups.defaultSort).compiled(for: groups.filterColumns)
      let reader = try source.reader(of: view.applied(to: groups.rowSet))
      _ = try await reader.page(PageRequest(.first, limit: 50))
    }
  }
  return (amount, nil)
}

import QuarryEngine
import QuarryRows

func text(_ page: RowPage) -> String {
  let lines = page.rows.map { row in
    row.cells.map { if case .integer(let value) = $0 { "\(value)" } else { "?" } }.joined(separator: "|")
  }
  return lines.joined(separator: " ")
}

let queue = try DatabaseQueue()
try queue.write { db in
  try db.execute(sql: "CREATE TABLE event (id INTEGER PRIMARY KEY, size INTEGER)")
  try db.execute(
    sql: "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 10000) INSERT INTO event SELECT i, i * 7 % 100 FROM n")
}
let rows = RowSet(.table(TableReference(name: "event")), filter: RowFilter(Column<Int>("size") >= 98))
let reader = RowReader(rows, on: ReadConnections(queue))
let first = try await reader.page(PageRequest(.first, limit: 3))
print(text(first))
if let last = first.rows.last { print(text(try await reader.page(PageRequest(.after(last.key), limit: 1)))) }
print(try await reader.count())

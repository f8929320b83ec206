import QuarryEngine
import QuarryRows
import TestSupport
import Testing

@Suite(.gated) struct ComputedColumnTests {
  private static let rows = "VALUES (1, 'one', 10), (2, 'two', NULL), (3, 'three', 30), (4, 'four', 40)"

  private func table() throws -> DatabaseQueue {
    try makeDatabase("CREATE TABLE t(id INTEGER PRIMARY KEY, name TEXT, price INTEGER)", "INSERT INTO t \(Self.rows)")
  }

  private func columns(in queue: DatabaseQueue, of table: String = "t") throws -> FilterColumns {
    try queue.read { db in try FilterColumns(db.tableSchema(TableReference(name: table))) }
  }

  /// Reads all rows of a set, each as the plain texts of its cells.
  private func texts(_ set: RowSet, in queue: DatabaseQueue) async throws -> (columns: [String], rows: [[String]]) {
    let reader = RowReader(set, on: ReadConnections(foreground: queue, background: queue))
    let columns = try await reader.columns().map(\.name)
    let page = try await reader.page(PageRequest(.first, limit: 100))
    return (columns, page.rows.map { row in row.cells.map(\.plainText) })
  }

  @Test("A table, narrowed and sorted or not, has what is computed after its own columns")
  func tables() async throws {
    let queue = try table()
    let view = RowView(columns: ["length(name)", "price * 2"])
    let all = try await texts(view.compiled(for: columns(in: queue)).applied(to: RowSet(.table(TableReference(name: "t")))), in: queue)
    #expect(all.columns == ["id", "name", "price", "length(name)", "price * 2"])
    #expect(all.rows[0] == ["1", "one", "10", "3", "20"])
    var narrowed = view
    (narrowed.filter, narrowed.sort) = ("price > 5", "length(name) desc")
    let some = try await texts(narrowed.compiled(for: columns(in: queue)).applied(to: RowSet(.table(TableReference(name: "t")))), in: queue)
    #expect(some.rows.map { $0[0] } == ["3", "4", "1"])
    #expect(some.rows.map { $0[3] } == ["5", "4", "3"])
  }

  @Test("Views, queries with parameters and returned rows have it too", arguments: ["", "id > 1", "length(name) = 4"])
  func sequences(filter: String) async throws {
    let queue = try table()
    try await queue.write { try $0.execute(sql: "CREATE VIEW v AS SELECT * FROM t") }
    let compiled = try RowView(filter: filter, sort: "-id", columns: ["name || '!'"]).compiled(for: columns(in: queue))
    let query = RowSet.Source.query(sql: "SELECT * FROM t WHERE id < ?1 -- all of them", arguments: [.integer(100)])
    for source in [.table(TableReference(name: "v")), query] {
      let read = try await texts(compiled.applied(to: RowSet(source)), in: queue)
      #expect(read.columns == ["id", "name", "price", "name || '!'"])
      #expect(!read.rows.isEmpty)
      #expect(read.rows.allSatisfy { $0[3] == $0[1] + "!" })
    }
    let unsorted = try RowView(columns: ["name || '!'"]).compiled(for: columns(in: queue))
    #expect(try await texts(unsorted.applied(to: RowSet(query)), in: queue).rows.map { $0[3] } == ["one!", "two!", "three!", "four!"])
  }

  @Test("One row and one value of it are read with what is computed")
  func records() async throws {
    let queue = try table()
    let set = try RowView(columns: ["upper(name)"]).compiled(for: columns(in: queue)).applied(to: RowSet(.table(TableReference(name: "t"))))
    let reader = RowReader(set, on: ReadConnections(foreground: queue, background: queue))
    #expect(try await reader.record(.rowID(3), limit: 100)?.cells.last == .text("THREE", byteCount: 5, isValid: true))
    #expect(try await reader.value(.rowID(3), column: 3) == .text("THREE"))
  }

  @Test("The SELECT of a set names what is computed")
  func select() throws {
    let view = try RowView(columns: ["length(name)"]).compiled(for: columns(in: table()))
    let set = view.applied(to: RowSet(.table(TableReference(name: "t"))))
    #expect(set.sqlText.queryString == "SELECT *, length(name) AS \"length(name)\" FROM t")
  }

  @Test("What is no value is refused, with its place", arguments: ["name =", "name, id", "nothing", "price > 3", ":least"])
  func faults(text: String) throws {
    let columns = try columns(in: table())
    #expect(throws: FilterErrors.self) { try ColumnExpression.compile(text, columns: columns) }
    #expect(try RowView(columns: [text, "id"]).compiled(for: columns).computed.map(\.text) == ["id"])
  }

  @Test("A filter and an order are made of a computed column as of any other")
  func steps() throws {
    let columns = try columns(in: table())
    let column = try ColumnExpression.compile("length(name)", columns: columns)
    #expect(Filter.term(column.syntax, .integer(3), in: columns).description == "length(name) = 3")
    var sort = try FilterSort.compile("id", columns: columns)
    sort.add(column.syntax)
    #expect(sort.text == "id, length(name)")
    sort.add(column.syntax)
    #expect(sort.text == "id, length(name) desc")
    sort.toggle(column.syntax)
    #expect(sort.text == "length(name)")
    let order = try RowView(sort: "length(name)", columns: ["length(name)"]).compiled(for: columns)
    #expect(order.marks(in: [RowSetColumn(name: "id", schema: nil), RowSetColumn(column)]).map(\.column) == [1])
  }
}

extension CellValue {
  fileprivate var plainText: String {
    switch self {
    case .null: "NULL"
    case .integer(let value): String(value)
    case .real(let value): String(value)
    case .text(let text, _, _): text
    case .blob(let bytes, _): "\(bytes)"
    }
  }
}

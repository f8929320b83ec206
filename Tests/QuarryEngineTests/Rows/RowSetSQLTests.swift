import QuarryEngine
import Testing

@Suite("Row sets as SQL")
struct RowSetSQLTests {
  @Test(
    "a set is written as the SELECT of its rows",
    arguments: [
      (RowSet(.table(TableReference(name: "Track"))), "SELECT * FROM Track"),
      (RowSet(.table(TableReference(database: "aux", name: "Order Details"))), "SELECT * FROM aux.\"Order Details\""),
      (
        RowSet(
          .table(TableReference(name: "t")), matching: [ColumnMatch(column: "a", value: .text("it's"))],
          filter: RowFilter(Column<Int>("b") > 3)),
        "SELECT * FROM t WHERE a IS 'it''s' AND (b > 3)"
      ),
      (
        RowSet(.query(sql: "SELECT 1 AS a -- one"), order: RowOrder([Column<Int>("a").desc()])),
        "SELECT * FROM (SELECT 1 AS a -- one\n) ORDER BY a DESC"
      ),
      (
        RowSet(.query(sql: "SELECT :a, ?, ?5, :a, ':a' -- :b", arguments: [.integer(1), .text("it's"), .null, .null, .real(2)])),
        "SELECT * FROM (SELECT 1, 'it''s', 2.0, 1, ':a' -- :b\n)"
      ),
    ] as [(RowSet, String)])
  func sql(_ set: RowSet, _ expected: String) {
    #expect(set.sqlText.queryString == expected)
  }
}

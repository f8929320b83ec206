import QuarryEngine
import Testing

@Suite("Steps of a plan")
struct PlanStepTests {
  @Test(
    "a step is told in words",
    arguments: [
      ("SCAN Track", "every row of Track is looked at"),
      ("SCAN t USING INDEX t_a", "every entry of the index t_a is looked at, for t"),
      ("SCAN t USING COVERING INDEX t_a", "every entry of the index t_a is looked at, for t: it holds all that is wanted"),
      ("SCAN CONSTANT ROW", "rows are made without a table"),
      ("SEARCH t USING INTEGER PRIMARY KEY (rowid=?)", "rows of t are found by the table's key (rowid=?)"),
      ("SEARCH t USING INDEX t_a (a=? AND b>?)", "rows of t are found by the index t_a (a=? AND b>?)"),
      ("SEARCH t USING AUTOMATIC COVERING INDEX (a=?)", "rows of t are found by an index made for this query alone (a=?)"),
      ("USE TEMP B-TREE FOR ORDER BY", "the rows are sorted for ORDER BY"),
      ("USE TEMP B-TREE FOR RIGHT PART OF ORDER BY", "the rows are sorted for RIGHT PART OF ORDER BY"),
      ("SOMETHING NEW", "something new"),
    ])
  func words(detail: String, sentence: String) {
    #expect(PlanStep(depth: 0, detail: detail).sentence == sentence)
  }

  @Test("the parts of a step are deeper than it is")
  func tree() throws {
    let queue = try DatabaseQueue()
    let steps = try queue.read { db in
      try db.queryPlan(of: "SELECT * FROM (SELECT 1 AS a UNION SELECT 2) WHERE a = :a")
    }
    #expect(steps.first?.depth == 0)
    #expect(steps.contains { $0.depth > 0 })
  }

  @Test("what does not compile is refused at its place")
  func fault() throws {
    let queue = try DatabaseQueue()
    let error = #expect(throws: DatabaseError.self) { try queue.read { db in try db.queryPlan(of: "SELECT * FORM t") } }
    #expect(error?.offset == 9)
  }
}

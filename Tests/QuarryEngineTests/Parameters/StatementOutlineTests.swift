import QuarryEngine
import TestSupport
import Testing

@Suite("What the statements of a text ask for")
struct StatementOutlineTests {
  @Test("each statement with parameters, also one that needs a table which one before it makes")
  func outlines() throws {
    let sql = """
      -- :id integer = 3
      CREATE TABLE new(a);
      CREATE TRIGGER tr AFTER INSERT ON t BEGIN SELECT 1; SELECT ';:x'; END;
      INSERT INTO new VALUES (:id, ?, ?1, :id, ?);
      EXPLAIN SELECT * FROM new WHERE a = :c;;
      SELECT * FROM t WHERE a = :id AND b = ?
      """
    let outlines = try makeDatabase("CREATE TABLE t(a REAL, b TEXT)").read { try $0.outlines(of: sql) }
    #expect(outlines.map { $0.parameters.map(\.token) } == [[":id", "?", "?"], [":c"], [":id", "?"]])
    #expect(outlines.map { $0.parameters.map(\.index) } == [[1, 2, 3], [1], [1, 2]])
    #expect(outlines.map(\.isCompiled) == [false, false, true])
    #expect(outlines.map(\.isExplanation) == [false, true, false])
    #expect(outlines.map { $0.parameters.first?.valueType } == [.integer, nil, .integer])
    #expect(outlines.last?.parameters.last?.valueType == .text)
  }

  @Test("a text without parameters, or without anything, asks for nothing")
  func nothing() throws {
    let queue = try makeDatabase()
    for sql in ["", ";", "-- :a", "SELECT ':a'; SELECT 1", "nonsense"] {
      #expect(try queue.read { try $0.outlines(of: sql) }.isEmpty)
    }
  }
}

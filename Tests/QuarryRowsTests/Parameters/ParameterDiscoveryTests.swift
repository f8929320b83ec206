import QuarryEngine
import QuarryRows
import TestSupport
import Testing

@Suite("Parameters of a statement", .gated)
struct ParameterDiscoveryTests {
  private func parameters(_ sql: String) throws -> [StatementParameter] {
    try makeDatabase("CREATE TABLE t(a, b)").read { try $0.parameters(of: sql) }
  }

  @Test(
    "they are SQLite's, in order of first appearance",
    arguments: [
      ("SELECT :b, :a, :b", [":b", ":a"], [1, 2]),
      ("SELECT ?2, ?1", ["?2", "?1"], [2, 1]),
      ("SELECT ?, :x, ?", ["?", ":x", "?"], [1, 2, 3]),
      ("SELECT ?5, ?", ["?5", "?"], [5, 6]),
      ("SELECT ?, ?1, ?", ["?", "?"], [1, 2]),
      ("SELECT :a, ?1", [":a"], [1]),
      ("SELECT ?1, :a", ["?1", ":a"], [1, 2]),
      ("SELECT :x, @x, $x, :x", [":x", "@x", "$x"], [1, 2, 3]),
      ("SELECT $a::b(c), ?, :größe", ["$a::b(c)", "?", ":größe"], [1, 2, 3]),
      ("SELECT 1", [], []),
      ("WITH c AS (SELECT * FROM t WHERE a = :a) SELECT * FROM c WHERE b = :b;", [":a", ":b"], [1, 2]),
      ("EXPLAIN SELECT * FROM t WHERE a = :a", [":a"], [1]),
    ] as [(String, [String], [Int])])
  func discovery(_ sql: String, _ tokens: [String], _ indexes: [Int]) throws {
    let parameters = try parameters(sql)
    #expect(Set(parameters.map(\.token)) == Set(tokens))
    #expect(parameters.map(\.index).sorted() == indexes.sorted())
    if !sql.contains("::") { #expect(parameters.map(\.token) == tokens && parameters.map(\.index) == indexes) }
  }

  @Test(
    "a colon in a text, a name or a comment asks for nothing",
    arguments: [
      "SELECT ':a', \":b\", [?c], `@d` FROM (SELECT 1 AS \":b\", 2 AS [?c], 3 AS `@d`) -- :e", "SELECT '12:30', 'it''s :f' /* ?1 :g */",
      "SELECT a FROM t WHERE a = '{:account 123}' --?2",
    ])
  func others(_ sql: String) throws {
    #expect(try parameters(sql).isEmpty)
  }

  @Test("one key serves three parameters of one name, and each has its identity")
  func keys() throws {
    let named = try parameters("SELECT :x, @x, $x")
    #expect(named.map(\.key) == ["x", "x", "x"])
    #expect(named.map(\.identity) == [":x", "@x", "$x"])
    let numbered = try parameters("SELECT ?, ?7, :a, ?")
    #expect(numbered.map(\.key) == ["1", "7", "a", "9"])
    #expect(numbered.map(\.identity) == ["1", "7", ":a", "9"])
  }

  @Test("what does not compile is an error, as is more than one statement")
  func errors() throws {
    expectError(DatabaseError.SQLITE_ERROR) { try parameters("SELECT :a FROM nowhere") }
    expectError(DatabaseError.SQLITE_MISUSE) { try parameters("SELECT :a; SELECT :b") }
  }

  @Test("thousands of parameters are found at once")
  func many() throws {
    let sql = "SELECT a FROM t WHERE a IN (" + Array(repeating: "?", count: 5000).joined(separator: ",") + ")"
    #expect(try parameters(sql).map(\.index) == Array(1...5000))
  }
}

@Suite("What the statements of a text ask for", .gated)
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

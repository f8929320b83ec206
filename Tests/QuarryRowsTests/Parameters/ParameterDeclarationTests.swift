import QuarryEngine
import QuarryRows
import TestSupport
import Testing

@Suite("Declarations of parameters in comments", .gated)
struct ParameterDeclarationTests {
  private func parameters(_ sql: String) throws -> [StatementParameter] {
    try makeDatabase("CREATE TABLE t(a INTEGER, b TEXT)", "CREATE INDEX t_a ON t(a)").read { try $0.parameters(of: sql) }
  }

  @Test("types, defaults and choices are read, before the statement and in it")
  func declarations() throws {
    let sql = """
      -- :min integer = 3
      --   @name TEXT from select distinct b from t;
      SELECT :min, @name, $day, ? -- $day date = 2024-01-31 12:30
        -- ?4 = 7
      """
    let parameters = try parameters(sql)
    #expect(parameters.map(\.declaredType) == [.integer, .text, .date, nil])
    #expect(parameters.map(\.type) == [.integer, .text, .date, nil])
    #expect(parameters.map(\.defaultText) == ["3", nil, "2024-01-31 12:30", "7"])
    #expect(parameters.map(\.choices) == [nil, .query("select distinct b from t"), nil, nil])
  }

  @Test(
    "all parts may be left out, and a default may stand in quotes",
    arguments: [
      (":a text = Brazil from select b from t", ParameterType.text, "Brazil", "select b from t"), (":a=3", nil, "3", nil),
      (":a", nil, nil, nil),
      (":a text = '  x '", .text, "  x ", nil), (":a text = it''s", .text, "it''s", nil), (":a text = 'it''s'", .text, "it's", nil),
      (":a text =", .text, "", nil),
      (":a text = from select to end", .text, "", "select to end"), (":a text = far from it", .text, "far from it", nil),
      (":a blob = @face.png", .blob, "@face.png", nil),
      (":a from WITH x AS (SELECT 1) SELECT * FROM x", nil, nil, "WITH x AS (SELECT 1) SELECT * FROM x"),
      (":a json = [1, 2]", .json, "[1, 2]", nil),
    ] as [(String, ParameterType?, String?, String?)])
  func parts(_ comment: String, _ type: ParameterType?, _ text: String?, _ query: String?) throws {
    let declarations = ParameterDeclarations("-- \(comment)\r\nSELECT :a")
    #expect(declarations.errors.isEmpty)
    let declaration = try #require(declarations.all.first)
    #expect(declaration.type == type && declaration.defaultText == text && declaration.choices == query.map(ParameterChoices.query))
  }

  @Test(
    "what is wrong names the line and what was expected",
    arguments: [
      (":min intger = 3", ["line 2", "intger", "integer, real, text, blob, date, json"]),
      (":min integer = abc", ["line 2", "abc", "an integer such as 42"]),
      (":min integer 3", ["line 2", "“3”", "default"]), (":min integer from t", ["line 2", "“from t”", "SELECT"]),
      (":mni integer", ["line 2", ":mni", "did you mean :min?"]),
    ])
  func errors(_ comment: String, _ words: [String]) throws {
    let declarations = ParameterDeclarations("/* one\n*/ -- \(comment)\nSELECT :min")
    let error = try #require(declarations.errors.first)
    for word in words { #expect(error.description.contains(word), "\(error)") }
    #expect(declarations.all.isEmpty)
  }

  @Test(
    "other comments are left alone",
    arguments: ["@author Ada Lovelace", ":a, :b and :min", ":x + 1", "min integer", "?", ":min: the least", "@see :min integer"])
  func others(_ comment: String) {
    let declarations = ParameterDeclarations("-- \(comment)\nSELECT :min /* :min integer */, '\n-- :min text'")
    #expect(declarations.all.isEmpty && declarations.errors.isEmpty)
  }

  @Test("what is declared goes before what is inferred, and the own comments before others")
  func precedence() throws {
    let parameter = try #require(parameters("-- :x text from select 1\nSELECT * FROM t WHERE a = :x").first)
    #expect(parameter.valueType == .text && parameter.type == .text && parameter.choices == .query("select 1"))
    #expect(parameter.column == ParameterColumn(table: TableReference(name: "t"), name: "a"))
    let others = ParameterDeclarations("-- :x = 1\n-- :y = 2\nSELECT :x, :y")
    let queue = try makeDatabase()
    let own = try queue.read { try $0.parameters(of: "-- :x = 3\nSELECT :x, :y", declarations: others) }
    #expect(own.map(\.defaultText) == ["3", "2"])
  }

  @Test("values come from a query in its order, or from a column")
  func values() throws {
    let queue = try makeDatabase(
      "CREATE TABLE t(a INTEGER, b TEXT)", "INSERT INTO t VALUES (3, 'Brazil'), (1, 'belgium'), (12, 'Chile'), (1, NULL), (NULL, x'00')",
      "CREATE INDEX t_a ON t(a)")
    try queue.read { db throws in
      let query = ParameterChoices.query("SELECT b, a FROM t ORDER BY a DESC")
      #expect(try db.values(of: query, prefix: "", limit: 9) == [.text("Chile"), .text("Brazil"), .text("belgium")])
      #expect(try db.values(of: query, prefix: "B", limit: 9) == [.text("Brazil"), .text("belgium")])
      #expect(try db.values(of: query, prefix: "", limit: 1) == [.text("Chile")])
      let column = ParameterChoices.column(TableReference(name: "t"), "a")
      #expect(try db.values(of: column, prefix: "", limit: 9) == [.integer(1), .integer(3), .integer(12)])
      #expect(try db.values(of: column, prefix: "1", limit: 9) == [.integer(1), .integer(12)])
      #expect(try db.values(of: .column(TableReference(name: "t"), "b"), prefix: "b").count == 2)
      expectError(DatabaseError.SQLITE_READONLY) { try db.values(of: .query("DELETE FROM t RETURNING a"), prefix: "", limit: 9) }
      expectError(DatabaseError.SQLITE_ERROR) { try db.values(of: .column(TableReference(name: "t"), "c"), prefix: "", limit: 9) }
    }
  }
}

import QuarryEngine
import TestSupport
import Testing

@Suite(.gated) struct StatementSyntaxTests {
  /// Returns each query with a table or a clause: its tables by what they are called, what it inserts into, and its clauses.
  private func queries(_ sql: String) -> [String] {
    StatementSyntax(sql).queries.compactMap { query in
      let tables = query.sources.map { $0.visibleName.isEmpty ? "()" : $0.visibleName }.joined(separator: ",")
      let target = query.insertTarget.map { " into \($0.visibleName)" } ?? ""
      let clauses = query.clauses.map { " \($0.keyword)" }.joined()
      return tables.isEmpty && clauses.isEmpty ? nil : tables + target + clauses
    }
  }

  @Test(
    "Each query has its own tables and clauses",
    arguments: [
      ("SELECT a FROM t AS x JOIN main.u USING (a), (v, w) WHERE 1 LIMIT 2", ["x,u,v,w select from where limit"]),
      ("SELECT count(*) FILTER (WHERE a) FROM json_each(t.x) j ORDER BY a", ["j select from order"]),
      ("SELECT 1 FROM t WHERE a IS NOT DISTINCT FROM b", ["t select from where"]),
      ("SELECT 1 FROM a UNION SELECT 2 FROM b WHERE 1", ["a select from", "b select from where"]),
      (
        "SELECT (SELECT 1 FROM b) FROM (SELECT 2 FROM c) d, (VALUES (1))",
        ["d,() select from", "b select from", "c select from", " values"]
      ),
      ("UPDATE OR IGNORE t AS x SET (a, b) = (1, 2) FROM u WHERE 1", ["x,u set from where"]),
      ("WITH c AS (SELECT 1) DELETE FROM t LIMIT 1", ["t from limit", " select"]),
      ("INSERT INTO t AS x (a, b) SELECT 1, 2 FROM u", ["x", "u into x select from"]),
      (
        "INSERT INTO t VALUES (1), (2) ON CONFLICT (a) DO UPDATE SET a = 1 WHERE excluded.a RETURNING *",
        ["t", " into t values", "t,excluded set where", "t returning"]
      ),
      ("CREATE TRIGGER r AFTER UPDATE OF a ON t BEGIN UPDATE u SET a = 1; SELECT 1 FROM v; END", ["t", "u set", "v select from"]),
      ("CREATE INDEX i ON t (a) WHERE b", ["t where"]), ("ALTER TABLE t DROP COLUMN a", ["t"]),
    ])
  func queries(sql: String, expected: [String]) {
    #expect(queries(sql) == expected)
  }

  @Test(
    "Half of a statement is read as far as it goes",
    arguments: [
      ("SELECT * FROM", ["select from"]), ("SELECT count( FROM t WHERE", ["t select"]),
      ("SELECT * FROM WHERE a", [" select from where"]), ("SELECT t. FROM u t", ["t select from"]),
      ("SELECT * FROM a WHERE 1 SELECT * FROM b", ["a select from where", "b select from"]),
      ("SELECT * FROM a WHERE b IN (SELECT c FROM d", ["a select from where", "d select from"]),
      ("INSERT INTO", []), ("UPDATE SET", [" set"]), (") SELECT 1 FROM a", ["a select from"]), ("", []),
    ])
  func halves(sql: String, expected: [String]) {
    #expect(queries(sql).map { $0.trimmingPrefix(" ") } == expected.map { $0.trimmingPrefix(" ") })
  }

  @Test(
    "A place is in the query that stands there, and a sub-select of a FROM sees no other",
    arguments: [
      ("SELECT | FROM a", [["a"]]), ("SELECT 1 FROM a WHERE b IN (SELECT | FROM c)", [["c"], ["a"]]),
      ("SELECT 1 FROM a, (SELECT | FROM c)", [["c"]]), ("WITH x AS (SELECT 1 UNION SELECT | FROM c) SELECT 1 FROM a", [["c"]]),
      ("SELECT abs(|) FROM a", [["a"]]), ("SELECT 1 FROM (a JOIN b ON |)", [["a", "b"]]),
      ("SELECT (SELECT 1 FROM b) + | FROM a", [["a"]]), ("INSERT INTO a SELECT | FROM b", [["b"]]),
    ])
  func visibility(marked: String, expected: [[String]]) {
    let halves = marked.split(separator: "|", maxSplits: 1)
    let syntax = StatementSyntax(halves.joined())
    let levels = sequence(first: syntax.query(at: StatementTokens(String(halves[0])).count - 1)) { syntax.parent(of: $0) }
    #expect(levels.map { $0.sources.map(\.visibleName) } == expected)
  }

  @Test("What a WITH names is seen in the parenthesis that the WITH stands in")
  func commonTables() throws {
    let syntax = StatementSyntax(
      "WITH RECURSIVE replace(x, [y z]) AS NOT MATERIALIZED (WITH c AS (SELECT 1) SELECT * FROM c), d AS (VALUES (1)) SELECT * FROM d")
    #expect(syntax.commonTables.map(\.name) == ["replace", "d", "c"])
    #expect(syntax.commonTables.map(\.columnNames) == [["x", "y z"], [], []])
    let last = syntax.tokens.count - 1
    #expect(syntax.commonTable(named: "D", at: last) == 1)
    #expect(syntax.commonTable(named: "c", at: last) == nil)
    let inner = try #require(syntax.firstSelect(in: syntax.commonTables[0].body))
    #expect(syntax.commonTable(named: "c", at: inner.indices.upperBound - 1) == 2)
    #expect(syntax.firstSelect(in: syntax.commonTables[1].body) == nil)
  }

  @Test(
    "A SELECT yields its items",
    arguments: [
      ("SELECT DISTINCT a, b AS c, f(d, e) FROM t", ["a", "b AS c", "f(d, e)"]), ("SELECT *", ["*"]), ("SELECT", []),
      ("SELECT a, (SELECT b, c) UNION SELECT d", ["a", "(SELECT b, c)"]), ("SELECT a HAVING b", ["a"]),
    ])
  func items(sql: String, expected: [String]) {
    let syntax = StatementSyntax(sql)
    #expect(syntax.resultItems(of: syntax.mainQuery).map(syntax.tokens.text) == expected)
  }

  @Test(
    "A statement names what it makes, drops or alters",
    arguments: [
      ("CREATE TEMP TABLE IF NOT EXISTS main.[a b] (x)", "table main.\"a b\""), ("create unique index i on t (a)", "index i"),
      ("DROP VIEW IF EXISTS temp.v", "view \"temp\".v"), ("ALTER TABLE 'a b' RENAME TO c", "table \"a b\""),
      ("CREATE VIRTUAL TABLE f USING fts5(a)", "table f"), ("EXPLAIN DROP TRIGGER t", "trigger t"), ("DROP TABLE", nil), ("DROP", nil),
    ])
  func objects(sql: String, expected: String?) {
    #expect(StatementSyntax(sql).object.map { "\($0.kind) \($0.name.sql)" } == expected)
  }

  @Test(
    "A place belongs to the clause before it, outside of other parentheses",
    arguments: [
      ("UPDATE t SET a = |", .set), ("UPDATE t SET a = 1 WHERE |", .where), ("UPDATE t SET a = (|)", nil),
      ("SELECT (SELECT 1 LIMIT |)", .limit), ("INSERT INTO t VALUES (1), |", .values), ("|", nil),
    ] as [(String, Keyword?)])
  func clauses(marked: String, expected: Keyword?) {
    let halves = marked.split(separator: "|", maxSplits: 1, omittingEmptySubsequences: false)
    #expect(StatementSyntax(halves.joined()).clause(at: StatementTokens(String(halves[0])).count)?.keyword == expected)
  }

  @Test("Parentheses within one another without end are read in one pass")
  func depth() {
    let depth = 20_000
    let open = String(repeating: "(SELECT * FROM ", count: depth)
    #expect(StatementSyntax(open + "t").queries.count == depth + 1)
    let closed = StatementSyntax(open + "t" + String(repeating: ")", count: depth))
    #expect(closed.queries.last?.sources.map(\.visibleName) == ["t"])
  }

  @Test(
    "Whatever is missing of a statement, its parts lie within one another",
    arguments: [
      "WITH RECURSIVE a(x) AS (SELECT 1 UNION SELECT x FROM a), b AS (VALUES (1)) "
        + "SELECT x FROM a AS c JOIN (b, d) USING (x) WHERE x IN (SELECT 1)",
      "INSERT OR REPLACE INTO main.t AS u (a, b) SELECT 1, f(2) FROM v ON CONFLICT (a) DO UPDATE SET a = excluded.b RETURNING *",
      "CREATE TEMP TRIGGER r AFTER UPDATE OF a ON t BEGIN UPDATE OR IGNORE u SET (a, b) = (SELECT 1, 2); DELETE FROM v WHERE x; END",
      "EXPLAIN QUERY PLAN SELECT sum(x) FILTER (WHERE y) OVER (ORDER BY z) FROM (SELECT * FROM (a JOIN b)) c, json_each('[]') AS d LIMIT 1",
      "ALTER TABLE a.b DROP COLUMN c; DROP VIEW IF EXISTS d; CREATE UNIQUE INDEX e ON f (g) WHERE h",
    ])
  func fragments(sql: String) {
    let whole = StatementTokens(sql)
    for start in 0...whole.count {
      for end in start...whole.count {
        for part in [whole.text(start..<end), whole.text(0..<start) + " " + whole.text(end..<whole.count)] {
          #expect(isSound(StatementSyntax(part)), "\(part)")
        }
      }
    }
  }

  /// Returns whether clauses lie in their queries and queries in those around them, and there is an answer for each index.
  private func isSound(_ syntax: StatementSyntax) -> Bool {
    let tokens = syntax.tokens
    let areQueriesSound = syntax.queries.enumerated().allSatisfy { number, query in
      let isInside = query.parent.map { $0 < number && syntax.queries[$0].indices.lowerBound <= query.indices.lowerBound } ?? true
      let areClausesInside = query.clauses.allSatisfy {
        query.indices.contains($0.index) && tokens.opener(of: $0.index) == query.opener
      }
      return isInside && areClausesInside && query.indices.upperBound <= tokens.count
    }
    for table in syntax.commonTables { _ = syntax.firstSelect(in: table.body).map(syntax.resultItems) }
    return areQueriesSound
      && (-1...tokens.count).allSatisfy { index in
        _ = syntax.clause(at: index)
        return syntax.query(at: index).indices.lowerBound <= max(0, index + 1)
      }
  }
}

@Suite(.gated) struct StatementTokensTests {
  @Test(
    "Operators are one token each, as long as SQLite takes them for one",
    arguments: [
      ("a->>b->c", ["a", "->>", "b", "->", "c"]), ("a||b|c", ["a", "||", "b", "|", "c"]),
      ("a<=b<>c<<d<e", ["a", "<=", "b", "<>", "c", "<<", "d", "<", "e"]), ("a>=b>>c>d", ["a", ">=", "b", ">>", "c", ">", "d"]),
      ("a==b=c!=d", ["a", "==", "b", "=", "c", "!=", "d"]), ("(a,-b);", ["(", "a", ",", "-", "b", ")", ";"]),
      ("a = -- b\n - 1 /* c", ["a", "=", "-", "1"]),
    ])
  func operators(sql: String, expected: [String]) {
    let tokens = StatementTokens(sql)
    #expect((0..<tokens.count).map(tokens.text) == expected)
    for index in 0..<tokens.count {
      if let symbol = tokens.symbol(index) { #expect(symbol == SQLToken.Symbol(tokens.text(index).utf8)) }
    }
  }

  @Test("A parenthesis has its partner, and what stands in it knows it")
  func parentheses() {
    let tokens = StatementTokens("f(a, (b), c) ) (d")
    #expect([1, 4, 6, 9].map(tokens.partner) == [9, 6, 4, 1])
    #expect(tokens.partner(of: 10) == 0, "nothing has opened it")
    #expect(tokens.partner(of: 11) == tokens.count, "nothing closes it")
    #expect(tokens.items(in: 2..<9).map(tokens.text) == ["a", "(b)", "c"])
    #expect(tokens.opener(of: 5) == 4)
    #expect(tokens.opener(of: 4) == 1)
    #expect(tokens.opener(before: 5) == 4)
    #expect(tokens.opener(before: 12) == 11)
    #expect(tokens.opener(of: 0) == nil)
    #expect(tokens[13] == nil)
  }

  @Test(
    "A name is what SQLite takes for one, and a keyword only where it lets it be",
    arguments: [
      ("[a b]", "\"a b\""), ("main.'t'", "main.t"), ("temp.key", "\"temp\".\"key\""), ("`a``b`.\"c\"", "\"a`b\".c"), ("t.", "t"),
      ("t.where", "t"),
      ("where", nil), ("1", nil), ("", nil),
    ])
  func names(sql: String, expected: String?) {
    #expect(StatementTokens(sql).qualifiedName(0)?.sql == expected)
  }

  @Test(
    "A parameter has the number that SQLite gives it, as often as it stands in the text",
    arguments: [
      ("SELECT ?, :a, ?5, ?, :a, ?1", [1, 2, 5, 6, 2, 1]), ("SELECT ':a', \":b\" -- ?9\n + @c", [1]), ("SELECT 1", []),
    ])
  func parameters(sql: String, expected: [Int]) {
    let tokens = StatementTokens(sql)
    #expect(tokens.parameters.map(\.number) == expected)
    #expect(tokens.parameters.map { String(decoding: tokens.bytes[$0.range], as: UTF8.self) } == tokens.parameters.map(\.text))
  }
}

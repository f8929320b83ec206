import Testing

@testable import QuarryEngine

@Suite struct StatementTokensTests {
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

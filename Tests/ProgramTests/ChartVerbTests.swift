import Foundation
import TestSupport
import Testing

/// Charts on the command line.
@Suite(.gated) struct ChartVerbTests {
  private let folder: TemporaryFolder
  private let path: String

  init() throws {
    folder = try TemporaryFolder()
    path = try Fixtures.database(
      in: folder, "CREATE TABLE sales(country TEXT, sold DATE, amount REAL)",
      "INSERT INTO sales VALUES ('Chile', '2024-01-05', 30), ('Peru', '2024-01-20', -10), ('Chile', '2024-02-10', 10)",
      "INSERT INTO sales VALUES ('日本', '2024-05-01', 20), (NULL, NULL, 5), ('Peru', '2024-05-02', NULL)")
  }

  private func chart(_ arguments: String..., environment: [String: String] = [:]) throws -> BuiltProgram.Outcome {
    try BuiltProgram.run(BuiltProgram.url, ["chart", path] + arguments, environment: environment)
  }

  @Test func `bars are drawn without colors, in the size that is asked for`() throws {
    let outcome = try chart("SELECT country, amount FROM sales", "--size", "40x8")
    #expect(
      outcome.text == """
        sum of amount by country  6 rows
        Chile          │████████████████████ 40
         日本          │██████████ 20
         NULL          │██▌ 5
         Peru -10 █████│


        1 value omitted: 1 NULL

        """)
    #expect(outcome.status == 0 && outcome.errors.isEmpty)
  }

  @Test func `plain ASCII is drawn where it is asked for and where the locale is not of UTF-8`() throws {
    let sql = "SELECT amount, country FROM sales WHERE country = 'Chile'"
    let asked = try chart(sql, "--kind", "bar", "--size", "30x4", "--ascii").text
    #expect(asked.contains("Chile |####") && asked.allSatisfy { $0.isASCII }, "\(asked)")
    #expect(try chart(sql, "--kind", "bar", "--size", "30x4", environment: ["LC_ALL": "C"]).text == asked)
  }

  @Test(arguments: [
    (["SELECT sold, amount FROM sales"], "amount over sold  6 rows"),
    (["SELECT sold, amount FROM sales", "--gather", "sum"], "sum of amount by week of sold  6 rows"),
    (["SELECT * FROM sales", "--kind", "bar", "-x", "country", "-y", "amount", "--gather", "mean"], "mean of amount by country  6 rows"),
    (["SELECT * FROM sales", "-x", "country"], "rows by country  6 rows"),
    (["SELECT * FROM sales", "--kind", "histogram", "-x", "amount"], "rows by amount in steps of 10  6 rows"),
    (["SELECT * FROM sales", "--kind", "scatter", "--series", "country"], "amount against sold, by country  6 rows"),
    (["SELECT * FROM sales WHERE amount > :least", "-x", "country", "-p", "least=15"], "rows by country  2 rows"),
    (["SELECT * FROM sales WHERE 0", "-x", "amount"], "rows by amount  0 rows"),
    (["SELECT * FROM sales", "--kind", "bar", "-x", "country", "--gather", "count"], "rows by country  6 rows"),
    (["SELECT * FROM sales", "--kind", "line", "-x", "sold", "--gather", "count", "--unit", "quarter"], "rows by quarter of sold  6 rows"),
  ])
  func `kind, columns and gathering are those asked for, or suit the rows`(_ arguments: [String], _ title: String) throws {
    let outcome = try BuiltProgram.run(BuiltProgram.url, ["chart", path] + arguments)
    #expect(outcome.text.split(separator: "\n").first.map(String.init) == title, "\(outcome.errors)")
    #expect(outcome.status == 0)
  }

  @Test(arguments: [
    (["SELECT * FROM sales", "-y", "amuont"], "the rows have no column “amuont”: did you mean “amount”?"),
    (["SELECT * FROM sales", "-x", "q"], "the rows have no column “q”"),
    (["SELECT * FROM sales", "-y", "country"], "no values of “country” are numbers; choose columns with -x and -y: country, sold"),
    (["SELECT * FROM sales", "--kind", "line", "-x", "country"], "no values of “country” are numbers or dates"),
    (["DELETE FROM sales"], "run it with `quarry query`"), (["SELECT 1; SELECT 2"], "a chart shows one"), ([""], "contains no statement"),
    (["SELECT * FROM sale"], "no such table"),
    (
      ["SELECT value, abs(value) FROM json_each('[1, 2, -9223372036854775808]')"],
      "quarry: integer overflow, in column abs(value) of the query after 2 rows\n"
    ),
    (
      ["SELECT value, abs(value - :x) AS y FROM json_each('[1, -9223372036854775807]')", "-p", "x=1"],
      "quarry: integer overflow, in column y of the query after 1 row\n"
    ),
    (["SELECT * FROM sales", "--size", "9"], "give columns and lines, for example 80x24"),
    (["SELECT * FROM sales", "--size", "5x2"], "from 20x4 to 1000x500"),
  ])
  func `what cannot be drawn is said with the way out`(_ arguments: [String], _ message: String) throws {
    let outcome = try BuiltProgram.run(BuiltProgram.url, ["chart", path] + arguments)
    #expect(outcome.errors.contains(message), "\(outcome.errors)")
    #expect(outcome.status != 0 && outcome.output.isEmpty)
  }

  @Test(arguments: [
    (["-y", "m", "--kind", "line"], "m over the rows  8 rows"), (["-x", "m", "--kind", "histogram"], "rows by m in steps of"),
    (["-x", "m", "-y", "n", "--kind", "scatter"], "n against m  8 rows"), (["-y", "m", "--kind", "bar"], "m by row"),
  ])
  func `a column that is asked for is drawn by its numbers, and what else it holds is counted`(_ words: [String], _ title: String) throws {
    let values = "('a', 1), ('b', 2), ('c', 3), ('d', 4), (x'00', 5), (NULL, 6), (7, 7), (8.5, 8)"
    let sql = "SELECT column1 AS m, column2 AS n FROM (VALUES \(values))"
    let outcome = try BuiltProgram.run(BuiltProgram.url, ["chart", path, sql] + words)
    #expect(outcome.text.hasPrefix(title), "\(outcome.text) \(outcome.errors)")
    #expect(outcome.text.contains("6 values omitted: 1 NULL, 4 text, 1 blob"), "\(outcome.text)")
  }

  @Test func `what is measured is not drawn against itself`() throws {
    let sql = "SELECT value AS a, value * value AS b FROM json_each('[1, 2, 3]')"
    #expect(try chart(sql, "-y", "a").text.hasPrefix("a against b"))
    let constant = "SELECT value AS a, 7 AS b FROM json_each('[1, 2, 3]')"
    #expect(try chart(constant, "--kind", "scatter", "-x", "a").text.hasPrefix("b against a"))
  }

  @Test func `SQL for a minus sign is read from standard input`() throws {
    let piped = try BuiltProgram.run("chart", path, "-", "--size", "40x8", input: "SELECT country, amount FROM sales\n")
    let given = try chart("SELECT country, amount FROM sales", "--size", "40x8")
    #expect(piped.status == 0 && piped.text == given.text, "\(piped.errors)")
    #expect(try BuiltProgram.run("query", path, "-", input: "SELECT 7 AS x").text == "x\n7\n")
    #expect(try BuiltProgram.run("chart", path, "-").errors.contains("the SQL contains no statement"))
  }

  @Test func `control characters of the rows do not reach the output`() throws {
    let text = try chart("SELECT 'a' || char(27) || '[31m' AS x, 1 AS y").text
    #expect(text.contains("a␛[31m") && !text.contains("\u{1B}"))
  }
}

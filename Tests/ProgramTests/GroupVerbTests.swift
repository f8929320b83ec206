import Foundation
import TestSupport
import Testing

/// Groups and pivots on the command line.
@Suite(.gated) struct GroupVerbTests {
  private let folder: TemporaryFolder
  private let path: String

  init() throws {
    folder = try TemporaryFolder()
    path = try Fixtures.database(
      in: folder, "CREATE TABLE customer(id INTEGER PRIMARY KEY, country TEXT, photo BLOB)",
      "CREATE TABLE sale(id INTEGER PRIMARY KEY, customer INTEGER REFERENCES customer, day DATE, price REAL, quantity INTEGER, note TEXT)",
      "CREATE TABLE number(code TEXT COLLATE NOCASE, n INTEGER, PRIMARY KEY (code, n)) WITHOUT ROWID",
      "INSERT INTO customer VALUES (1, 'Norway', x'00'), (2, 'Chile', NULL), (3, NULL, NULL)",
      """
      INSERT INTO sale VALUES (1, 1, '2023-01-31', 1.5, 2, 'a'), (2, 1, '2023-05-01', 2.5, 1, 'b'), (3, 2, '2024-05-02', 4, 1, 'a'),
        (4, 2, '2024-12-31', 10, 3, NULL), (5, 3, NULL, 0.5, 4, 'a'), (6, NULL, '2024-01-01', 1, 1, 'c')
      """, "INSERT INTO number VALUES ('x', 1), ('X', 2), ('y', 3)",
      "CREATE VIEW big AS WITH RECURSIVE s(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM s WHERE i < 100000) SELECT i, i % 2 AS odd FROM s",
      "CREATE VIEW failing AS SELECT id, CASE id WHEN 3 THEN abs(-9223372036854775808) ELSE id END AS b FROM sale")
  }

  private func group(_ arguments: [String]) throws -> BuiltProgram.Outcome {
    try BuiltProgram.run(BuiltProgram.url, ["group", path] + arguments)
  }

  @Test(arguments: [
    (["sale"], "count\n6\n"),
    (["sale", "--by", ""], "count\n6\n"),
    (["SALE", "--by", "note"], "note,count\na,3\n,1\nb,1\nc,1\n"),
    (["sale", "--by", "customer.country"], "customer.country,count\n,2\nChile,2\nNorway,2\n"),
    (["sale", "--by", "year(day)"], "year(day),count\n,1\n2023,2\n2024,3\n"),
    (
      ["sale", "--by", "land = customer.country", "--show", "n = count, revenue = sum(price * quantity)", "--sort", "-revenue"],
      "land,n,revenue\nChile,2,34.0\nNorway,2,5.5\n,2,3.0\n"
    ),
    (["sale", "--by", "range(price, 2)"], "\"range(price, 2)\",count\n0.0,3\n2.0,1\n4.0,1\n10.0,1\n"),
    (
      ["sale", "--by", "note", "--show", "count(distinct customer), min(day)", "--limit", "1"],
      "note,\"count(distinct customer)\",min(day)\na,3,2023-01-31\n"
    ),
    (["sale", "--by", "note", "--where", "price > :least", "-p", "least=2"], "note,count\n,1\na,1\nb,1\n"),
    (["sale", "--by", "note", "--having", "count > 1"], "note,count\na,3\n"),
    (["sale", "--by", "note", "--show", "max(price)", "--having", "max(price) > 3", "--sort", "note"], "note,max(price)\n,10.0\na,4.0\n"),
    (["sale", "--by", "note", "--limit", "0"], "note,count\n"),
    (["sale", "--by", "note", "--where", "id > 99"], "note,count\n"),
    (["sale", "--by", "note", "--show", "", "--limit", "1"], "note,count\na,3\n"),
    (["number", "--by", "code", "--show", "sum(n)"], "code,sum(n)\nx,3\ny,3\n"),
    (["sale", "--by", "note", "--limit", "1", "--format", "json"], "[{\"note\":\"a\",\"count\":3}]\n"),
  ])
  func `groups are printed with the most frequent first`(_ arguments: [String], _ expected: String) throws {
    let outcome = try group(arguments)
    #expect(outcome.text == expected && outcome.status == 0, "\(outcome.text)\(outcome.errors)")
  }

  @Test(arguments: [
    (
      ["--by", "customer.country", "--across", "year(day)", "--show", "sum(price * quantity)"],
      "customer.country,2023,2024,NULL\n,,1.0,2.0\nChile,,34.0,\nNorway,5.5,,\n"
    ),
    (
      ["--by", "customer.country", "--across", "year(day)", "--sort", "-\"2024\""],
      "customer.country,2023,2024,NULL\nChile,0,2,0\n,0,1,1\nNorway,2,0,0\n"
    ),
    (["--by", "note", "--across", "year(day)", "--having", "\"2023\" > 0"], "note,2023,2024,NULL\na,1,1,1\nb,1,0,0\n"),
    (
      ["--across", "note", "--show", "count, n = sum(quantity)"],
      "\"a count\",\"a n\",\"b count\",\"b n\",\"c count\",\"c n\",\"NULL count\",\"NULL n\"\n3,7,1,1,1,1,1,3\n"
    ),
    (["--by", "note", "--across", "customer.country", "--where", "id > 99"], "note,count\n"),
  ])
  func `a pivot has a column for each value`(_ arguments: [String], _ expected: String) throws {
    let outcome = try group(["sale"] + arguments)
    #expect(outcome.text == expected && outcome.status == 0, "\(outcome.text)\(outcome.errors)")
  }

  @Test func `a pivot of 100,000 values has sixty columns, and one for the others`() throws {
    let lines = try group(["big", "--by", "odd", "--across", "i"]).text.split(separator: "\n")
    #expect(lines.first == "odd,\((1...60).map(String.init).joined(separator: ",")),\"other (99,940 values)\"")
    #expect(lines.count == 3 && lines.allSatisfy { $0.hasSuffix(",49970") || $0.hasSuffix("values)\"") })
  }

  @Test(
    .enabled(if: Fixtures.shell != nil),
    arguments: [
      ["sale", "--by", "customer.country"],
      ["sale", "--by", "month(day), range(price, 2)", "--show", "count, avg(price)", "--having", "count >= 1", "--sort", "month(day)"],
      ["sale", "--by", "customer.country", "--across", "note", "--show", "count, sum(quantity)", "--where", "price > 0.75"],
      ["number", "--by", "code", "--limit", "1"],
    ])
  func `the printed SQL returns the same rows in the sqlite3 shell`(_ arguments: [String]) throws {
    let shell = try #require(Fixtures.shell)
    let listing = try group(arguments + ["--show-sql"]).text
    let values = listing.matches(of: #/(?m)^-- (\?\d+) = (.*)$/#).map { ".parameter set \($0.1) \"\($0.2)\"\n" }.joined()
    let printed = try BuiltProgram.run(
      shell, ["-batch", "-init", "/dev/null", "-csv", "-header", path], input: ".parameter init\n\(values)\(listing)")
    #expect(printed.errors.isEmpty)
    let rows = try group(arguments + ["--format", "csv"])
    #expect(printed.text.replacing("\r", with: "") == rows.text && rows.status == 0)
  }

  @Test(arguments: [
    (["sale", "--by", "nite"], "--by: There is no column nite.\n  line 1: nite\n          ^\n  try: note\n"),
    (["sale", "--by", "note,"], "--by: A value is missing before or after a comma: note,\n"),
    (["sale", "--show", "count,,count"], "--show: A value is missing before or after a comma: count,,count\n"),
    (
      ["sale", "--by", "sum(price)"],
      """
      --by: sum(price) is computed from the rows of a group, so it cannot form groups. \
      Show it beside the groups: it belongs among the aggregates.
        line 1: sum(price)
                ^

      """
    ),
    (
      ["sale", "--show", "day"],
      """
      --show: day has a value in each row of the group. Choose one by an aggregate.
        line 1: day
                ^
        try: count(day)
        or:  min(day)
        or:  max(day)

      """
    ),
    (
      ["customer", "--by", "photo"],
      """
      --by: photo holds blobs, which cannot be shown as groups. Group by their length or digits.
        line 1: photo
                ^
        try: length(photo)
        or:  hex(photo)

      """
    ),
    (
      ["sale", "--by", "note", "--show", "note = count"],
      "--show: There is another column named note. Write a name before the value.\n"
        + "  line 1: note = count\n          ^\n  try: \"note 2\" = count\n"
    ),
    (
      ["sale", "--by", "note", "--having", "number > 3"],
      """
      --having: There is no column number. The columns are note, count.
        line 1: number > 3
                ^
      --having uses the columns of the result. Add others to --show, and quote names that are numbers: "1997".

      """
    ),
    (
      ["sale", "--by", "note", "--across", "year(day)", "--sort", "-2024"],
      """
      --sort: -2024 is the same for every row, so it cannot sort them.
        line 1: -2024
                ^
      --sort uses the columns of the result. Add others to --show, and quote names that are numbers: "1997".

      """
    ),
    (
      ["sale", "--by", "note", "--having", "count > :n"], "--having: :n has no value here: parameters are for --where\n"
    ),
    (["sale", "--by", "note", "--where", "price > :n"], "missing: -p n=… (a real number)\n"),
  ])
  func `wrong input is reported with its option and its place`(_ arguments: [String], _ expected: String) throws {
    let outcome = try group(arguments)
    #expect(outcome.errors == "quarry: \(expected)")
    #expect(outcome.status == 2 && outcome.output.isEmpty)
  }

  @Test func `errors of the database have its status`() throws {
    let other = try group(["sales", "--by", "note"])
    #expect(other.errors == "quarry: no such table: sales; did you mean sale?\n" && other.status == 1)
    let failing = try group(["failing", "--by", "b"])
    #expect(failing.errors.hasPrefix("quarry: integer overflow") && failing.status == 1, "\(failing.errors)")
    #expect(try group(["failing", "--by", "id", "--across", "b"]).status == 1)
    #expect(try group(["sale", "--by", "note", "--limit", "-1"]).status == 2)
    #expect(try BuiltProgram.run("group", folder.path("none.db"), "sale").status == 3)
  }

  @Test func `a CSV file is grouped like a table`() throws {
    let file = try folder.write(Data("name,city,n\na,B,1\nb,B,2\nc,,3\n".utf8), to: "people.csv").path
    let outcome = try BuiltProgram.run("group", file, "people", "--by", "city", "--show", "count, sum(n)")
    #expect(outcome.text == "city,count,sum(n)\nB,2,3\n,1,3\n", "\(outcome.errors)")
  }
}

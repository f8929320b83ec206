import QuarryEngine
import QuarryRows
import TestSupport
import Testing

@Suite("A computed column has a name", .gated) struct NamedColumnTests {
  private static let columns = FilterColumns([
    FilterColumn("Name", type: .text), FilterColumn("Milliseconds", type: .integer), FilterColumn("Bought", type: .date),
    FilterColumn("Unit price", type: .real),
  ])

  private static func compile(_ text: String, with others: [String] = []) throws -> ColumnExpression {
    try RowView(columns: others + [text]).compiledColumn(at: others.count, for: columns)
  }

  private static func errors(of text: String, with others: [String] = []) -> [FilterError] {
    do throws(RowViewError) {
      _ = try RowView(columns: others + [text]).compiledColumn(at: others.count, for: columns)
      return []
    } catch {
      return error.faults.errors
    }
  }

  @Test(
    "which is written before an equals sign",
    arguments: [
      ("minutes = Milliseconds / 60000.0", "minutes", "(Milliseconds / 60000.0)"),
      ("minutes=Milliseconds/60000.0", "minutes", "(Milliseconds / 60000.0)"),
      ("\"total time\" = Milliseconds * 2", "total time", "(Milliseconds * 2)"),
      ("total time = Milliseconds * 2", "total time", "(Milliseconds * 2)"),
      ("[x y] = 3", "x y", "3"), ("length = length(Name)", "length", "length(Name)"),
      ("is it = 3", nil, nil), ("length(Name)", "length(Name)", "length(Name)"), ("(Name = 'x')", "(Name = 'x')", "(Name = 'x')"),
    ])
  func names(text: String, name: String?, sql: String?) throws {
    guard let name else {
      #expect(!Self.errors(of: text).isEmpty)
      return
    }
    let column = try Self.compile(text)
    #expect(column.name == name && column.sqlText.queryString == sql)
    #expect(try Self.compile(column.writtenText) == column)
  }

  @Test(
    "which filters, orders and later columns use",
    arguments: [
      ("minutes > 5", "((Milliseconds / 60000.0) > 5)"), ("MINUTES between 1 and 2", "((Milliseconds / 60000.0) BETWEEN 1 AND 2)"),
      ("seconds = 3", "(((Milliseconds / 60000.0) * 60) = 3)"),
      ("day = 2024-01-31", "((Bought >= '2024-01-31') AND (Bought < '2024-02-01'))"),
      ("loud ~ x", #"(upper(Name) LIKE '%x%' ESCAPE '\')"#), ("length(loud) > 3", "(length(upper(Name)) > 3)"),
    ])
  func uses(filter: String, sql: String) throws {
    let texts = ["minutes = Milliseconds / 60000.0", "seconds = minutes * 60", "day = Bought", "loud = upper(Name)"]
    let view = try RowView(filter: filter, sort: "-seconds, loud", columns: texts).compiled(for: Self.columns)
    #expect(view.filter.sqlText?.queryString == sql)
    #expect(view.queryString(of: .sort) == "((Milliseconds / 60000.0) * 60) DESC, upper(Name)")
    #expect(view.computed.map(\.name) == ["minutes", "seconds", "day", "loud"])
    #expect(view.marks(in: view.computed.map { RowSetColumn($0) }).map(\.column) == [1, 3])
  }

  @Test("but not those before it, nor a filter without it")
  func order() throws {
    let view = RowView(columns: ["seconds = minutes * 60", "minutes = Milliseconds / 60000.0"])
    #expect(try view.compiled(for: Self.columns).computed.map(\.name) == ["minutes"])
    let with = try RowView(columns: ["minutes = 3"]).compiled(for: Self.columns).columns
    #expect(throws: RowViewError.self) { try RowView(filter: "minutes > 3").compiled(for: with) }
  }

  @Test(
    "and a wrong one is an error at its place, with a correction",
    arguments: [
      ("Name = upper(Name)", 0..<4, "Name is already the name of a column of the rows.", "Name_2 = upper(Name)"),
      ("name = 'x'", 0..<4, "Name is already the name of a column of the rows.", "(name = 'x')"),
      ("minutes = 3", 0..<7, "minutes is already the name of another computed column.", "minutes_2 = 3"),
      ("= Milliseconds", 0..<1, "A name is missing before =.", " Milliseconds"),
      ("x =", 2..<3, "An expression is missing after this equals sign.", nil),
      ("x = Nam", 4..<7, "There is no column Nam.", "x = Name"),
      ("length(Name)", 0..<12, "length(Name) is shown already.", nil), ("Name", 0..<4, "Name is shown already.", nil),
      ("x = :least", 4..<10, "Parameters are not allowed here: nothing asks for their values.", nil),
      ("x = count(Name)", 4..<9, nil, nil),
    ] as [(String, Range<Int>, String?, String?)])
  func errors(text: String, range: Range<Int>, sentence: String?, mended: String?) throws {
    let errors = Self.errors(of: text, with: ["minutes = Milliseconds", "length(Name)"])
    let error = try #require(errors.first)
    #expect(error.range == range && errors.count == 1, "\(errors)")
    if let sentence { #expect(error.sentence == sentence) }
    let offers = error.replacements.map { $0.applied(to: text) }
    if let mended { #expect(offers.contains(mended), "\(offers)") } else { #expect(offers.isEmpty, "\(offers)") }
  }

  @Test("and columns that double each other end before their SQL is too long")
  func doubling() {
    let texts = ["c0 = Milliseconds"] + (1...40).map { "c\($0) = c\($0 - 1) + c\($0 - 1)" }
    let (computed, _) = Self.columns.computing(texts)
    #expect((10..<16).contains(computed.count))
    #expect(Self.errors(of: "x = c\(computed.count - 1) + c\(computed.count - 1)", with: Array(texts.prefix(computed.count))).count == 1)
  }

  @Test("which Tab completes, after the names of columns")
  func completions() {
    let columns = Self.columns.computing(["minutes = Milliseconds / 60000.0"]).columns
    func texts(_ text: String) -> [String] {
      ColumnExpression.completions(of: text, at: text.utf8.count, columns: columns).items.map(\.text)
    }
    #expect(texts("x = mi") == ["Milliseconds", "minutes", "min("])
    #expect(texts("Nam") == ["Name"])
    #expect(texts("x = Name collate ") == ["nocase", "binary", "rtrim"])
    #expect(Filter.completions(of: "minutes > 1 and min", at: 19, columns: columns).items.map(\.text) == ["minutes", "min("])
  }

  @Test("which another text can do without")
  func expansion() throws {
    let texts = ["minutes = Milliseconds / 60000.0", "seconds = minutes * 60"]
    let (computed, columns) = Self.columns.computing(texts)
    #expect(try Filter.text("seconds > 3 and Name ~ x", naming: [], in: columns) == "Milliseconds / 60000.0 * 60 > 3 and Name ~ 'x'")
    #expect(try Filter.text("seconds > 3", naming: [computed[0]], in: columns) == "minutes * 60 > 3")
    #expect(try Filter.text("seconds  > 3", naming: computed, in: columns) == "seconds  > 3")
    #expect(try FilterSort.text("-seconds, Name", naming: [], in: columns) == "Milliseconds / 60000.0 * 60 desc, Name")
    #expect(try FilterSort.text("-minutes", naming: computed, in: columns) == "-minutes")
  }

  @Test("and rows have a column of that name")
  func rows() async throws {
    let queue = try makeDatabase("CREATE TABLE t(a INTEGER PRIMARY KEY, b TEXT)", "INSERT INTO t VALUES (1, 'x'), (2, 'yy'), (3, NULL)")
    let columns = try await queue.read { FilterColumns(of: try $0.tableSchema(TableReference(name: "t")), in: $0) }
    let view = RowView(filter: "size > 0", sort: "-size", columns: ["size = length(b)"])
    let set = try view.compiled(for: columns).applied(to: RowSet(.table(TableReference(name: "t"))))
    #expect(set.sqlText.queryString == "SELECT *, length(b) AS size FROM t WHERE (length(b) > 0) ORDER BY length(b) DESC")
    let reader = RowReader(set, on: ReadConnections(foreground: queue, background: queue))
    #expect(try await reader.columns().map(\.name) == ["a", "b", "size"])
    #expect(try await reader.page(PageRequest(.first, limit: 9)).rows.map { $0[2] } == [.integer(2), .integer(1)])
  }
}

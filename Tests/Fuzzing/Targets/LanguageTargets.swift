internal import QuarryEngine
internal import QuarryRows

extension FuzzTarget {
  static let languages = [
    FuzzTarget("filter", filter), FuzzTarget("sort", sort), FuzzTarget("sql", sql), FuzzTarget("definition", definition),
    FuzzTarget("regular-expression", regularExpression),
  ]

  private static let columns = FilterColumns([
    FilterColumn("id", type: .integer, declaredType: "INTEGER", isNullable: false),
    FilterColumn("name", type: .text, declaredType: "TEXT"), FilterColumn("size", type: .real, declaredType: "REAL"),
    FilterColumn("day", type: .date, declaredType: "DATE"), FilterColumn("is_new", type: .boolean, declaredType: "BOOLEAN"),
    FilterColumn("Order Details", type: .any), FilterColumn("picture", type: .blob, declaredType: "BLOB"),
  ])

  private static let database: DatabaseQueue? = {
    let queue = try? DatabaseQueue()
    try? queue?.write { db in
      try db.execute(
        sql: """
          CREATE TABLE t(id INTEGER PRIMARY KEY, name TEXT, size REAL, day DATE, is_new BOOLEAN, "Order Details", picture BLOB)
          """)
    }
    return queue
  }()

  /// A filter is refused with errors inside the text, or SQLite takes what it becomes.
  private static func filter(_ bytes: [UInt8]) throws -> String? {
    let text = text(bytes)
    let offered = Filter.completions(of: text, at: text.utf8.count / 2, columns: columns).items.map(\.range)
    if let complaint = complaint(about: offered, in: text.utf8.count) { return "completion: \(complaint)" }
    do throws(FilterErrors) {
      let filter = try Filter.compile(text, columns: columns)
      guard filter.isComplete, let sql = filter.sqlText else { return nil }
      return refusal("SELECT * FROM t WHERE \(sql)")
    } catch {
      return complaint(about: error.errors.flatMap { [$0.range] + $0.replacements.map(\.range) }, in: text.utf8.count)
    }
  }

  /// Sorts are refused with errors inside the text.
  private static func sort(_ bytes: [UInt8]) throws -> String? {
    let text = text(bytes)
    do throws(FilterErrors) {
      _ = try FilterSort.compile(text, columns: columns)
      return nil
    } catch {
      return complaint(about: error.errors.flatMap { [$0.range] + $0.replacements.map(\.range) }, in: text.utf8.count)
    }
  }

  /// Returns why SQLite does not take a statement; a limit of SQLite is no fault.
  private static func refusal(_ sql: SQLText) -> String? {
    do {
      try database?.read { _ = try $0.makeStatement(literal: sql) }
      return nil
    } catch {
      let limits = ["too deep", "too many", "too large", "too big", "parser stack overflow"]
      return limits.contains { "\(error)".contains($0) } ? nil : "\(sql.sql): \(error)"
    }
  }

  /// The parts of a script and the tokens of its lines lie in order inside the text.
  private static func sql(_ bytes: [UInt8]) throws -> String? {
    let text = text(bytes)
    let script = SQLScript(text)
    if let complaint = complaint(about: script.parts.map(\.range), in: text.utf8.count) { return "part: \(complaint)" }
    if zip(script.parts, script.parts.dropFirst()).contains(where: { $0.range.upperBound > $1.range.lowerBound }) { return "parts overlap" }
    for part in script.parts {
      _ = StatementSyntax(script.sql(of: part)).queries
      _ = StatementKind(of: script.sql(of: part))
    }
    var state = SQLLineState.plain
    for line in text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init) {
      let (spans, end) = SQLLineLexer.spans(of: line, from: state)
      if let complaint = complaint(about: spans.map(\.range), in: line.utf8.count) { return "span: \(complaint)" }
      if SQLLineLexer.end(of: line, from: state) != end { return "two ends of \(line)" }
      state = end
    }
    return nil
  }

  /// What is written of a definition is read again, and written the same.
  private static func definition(_ bytes: [UInt8]) throws -> String? {
    let text = text(bytes)
    if let index = try? IndexDefinition(sql: text), try IndexDefinition(sql: index.sql) != index { return "another index: \(index.sql)" }
    guard let table = try? TableDefinition(sql: text) else { return nil }
    let written = table.sql
    guard let second = try? TableDefinition(sql: written) else { return "not read again: \(written)" }
    return second.sql == written ? nil : "\(written) is written as \(second.sql)"
  }

  /// A pattern is refused with a range inside it, or it gives the same result each time.
  private static func regularExpression(_ bytes: [UInt8]) throws -> String? {
    let parts = bytes.split(separator: 0, maxSplits: 1, omittingEmptySubsequences: false).map { text(Array($0)) }
    do throws(RegularExpressionError) {
      let matcher = RegularExpressionMatcher(try RegularExpression(parts[0]))
      let isFound = matcher.matches(parts.last ?? "")
      return matcher.matches(parts.last ?? "") == isFound ? nil : "two results"
    } catch {
      return complaint(about: [error.range], in: parts[0].utf8.count)
    }
  }
}

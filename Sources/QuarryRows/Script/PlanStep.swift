public import QuarryEngine

/// A step in SQLite's plan for a statement: one line of EXPLAIN QUERY PLAN.
public struct PlanStep: Hashable, Sendable {
  /// The number of enclosing steps.
  public var depth: Int
  /// The step in SQLite's words: `SEARCH Track USING INDEX IFK_TrackAlbumId (AlbumId=?)`.
  public var detail: String

  /// Creates a step.
  public init(depth: Int, detail: String) {
    (self.depth, self.detail) = (depth, detail)
  }

  /// The step in plain words.
  ///
  /// ```swift
  /// PlanStep(depth: 0, detail: "SCAN Track").sentence  // reads every row of Track
  /// ```
  public var sentence: String {
    let words = detail.split(separator: " ").map(String.init)
    let name = words.count > 1 ? words[1] : ""
    switch words.first {
    case "SEARCH": return "finds rows of \(name) by \(Self.means(words))\(Self.cover(words))"
    case "SCAN" where words.contains("INDEX"):
      return "reads every entry of \(Self.means(words)) for \(name)\(Self.cover(words))"
    case "SCAN" where name == "CONSTANT" || name.first?.isNumber == true: return "creates rows without a table"
    case "SCAN": return "reads every row of \(name)"
    case "USE": return "sorts the rows" + Self.clause(words)
    case "CO-ROUTINE": return "computes rows of \(name) on demand"
    case "MATERIALIZE": return "computes the rows of \(name) first and stores them"
    case "CORRELATED": return "runs a query for each row"
    case "SCALAR", "LIST": return "runs a query once"
    case "COMPOUND", "MERGE": return "runs several queries, one after another"
    default: return detail.lowercased()
    }
  }

  /// Returns the means by which rows are found.
  private static func means(_ words: [String]) -> String {
    let condition = words.drop { !$0.hasPrefix("(") || $0.hasPrefix("(~") }.joined(separator: " ")
    let position = words.firstIndex(of: "INDEX").map { $0 + 1 }
    let index = position.flatMap { words.indices.contains($0) && !words[$0].hasPrefix("(") ? "the index \(words[$0])" : nil }
    let isOwn = words.contains("AUTOMATIC")
    let means = isOwn ? "an index created for this query only" : index ?? "the table's key"
    return means + (condition.isEmpty ? "" : " \(condition)")
  }

  private static func cover(_ words: [String]) -> String {
    words.contains("COVERING") && !words.contains("AUTOMATIC") ? ": it contains all the columns needed" : ""
  }

  /// Returns the clause for which the rows are sorted: ` for ORDER BY`.
  private static func clause(_ words: [String]) -> String {
    words.firstIndex(of: "FOR").map { " \(words[$0...].joined(separator: " ").replacing("FOR", with: "for", maxReplacements: 1))" } ?? ""
  }
}

extension PlanStep {
  /// Returns SQLite's plan for a statement, step by step.
  ///
  /// ```swift
  /// try PlanStep.plan(of: "SELECT * FROM player ORDER BY score", in: db).map(\.detail)
  /// // ["SCAN player", "USE TEMP B-TREE FOR ORDER BY"]
  /// ```
  ///
  /// The statement is not run, and its parameters need no values. See <https://www.sqlite.org/eqp.html>.
  ///
  /// - Throws: ``DatabaseError`` if the statement does not compile.
  public static func plan(of sql: String, in database: Database) throws -> [PlanStep] {
    let prefix = "EXPLAIN QUERY PLAN "
    let statement: Statement
    do {
      statement = try database.makeStatement(sql: prefix + sql)
    } catch var error as DatabaseError {
      // The offset must refer to the caller's statement.
      error.offset = error.offset.map { max(0, $0 - prefix.utf8.count) }
      error.sql = sql
      throw error
    }
    var depths: [Int: Int] = [:]
    var steps: [PlanStep] = []
    while try statement.step() {
      let (number, parent): (Int, Int) = (try statement.columnValue(at: 0), try statement.columnValue(at: 1))
      let depth = depths[parent].map { $0 + 1 } ?? 0
      depths[number] = depth
      steps.append(PlanStep(depth: depth, detail: try statement.columnText(at: 3)))
    }
    return steps
  }
}

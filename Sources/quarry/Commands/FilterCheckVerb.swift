internal import ArgumentParser
internal import Essentials
internal import QuarryCluster
internal import QuarryEngine
internal import QuarryRows

struct FilterCheckVerb: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "filter-check", abstract: "Check a filter: print its SQL, or the error and a fix.")

  enum Format: String, CaseIterable, ExpressibleByArgument {
    case text, json
  }

  @OptionGroup var database: DatabaseArgument

  @Argument(help: "Table or view.", completion: .tables)
  var table: String

  @Argument(help: "Filter to check. Put -- before a filter that begins with a minus sign.", completion: .filter)
  var filter: String

  @Option(help: "Print the result as text or json.")
  var format = Format.text

  func run() throws {
    let queue = try database.openForReading(.schema)
    let answer = try queue.read { db in try check(db) }
    switch format {
    case .text: try StandardOutput.write(answer.text(of: filter))
    case .json: try StandardOutput.write(try answer.json() + "\n")
    }
    guard answer.ok else { throw Failure(status: .usage, message: nil) }
  }

  private func check(_ db: Database) throws -> FilterAnswer {
    let schema = try TableSchema(named: table, in: db)
    do throws(FilterErrors) {
      let filter = try Filter.compile(filter, columns: FilterColumns(of: schema, in: db))
      return FilterAnswer(filter, plan: plan(of: filter, schema, db))
    } catch {
      return FilterAnswer(error)
    }
  }

  /// Returns the rows of EXPLAIN QUERY PLAN, or none if there is no filter.
  private func plan(of filter: Filter, _ schema: TableSchema, _ db: Database) -> [String] {
    guard let expression = filter.expression else { return [] }
    let rows = RowSet(.table(schema.entry.reference), filter: RowFilter(expression))
    return (try? ReadPlan(of: rows, in: db))?.details ?? []
  }
}

/// The result of checking a filter.
struct FilterAnswer: Encodable {
  struct Fault: Encodable {
    var start: Int
    var end: Int
    var message: String
    var replacements: [Replacement]

    init(start: Int, end: Int, message: String, replacements: [FilterReplacement]) {
      (self.start, self.end, self.message) = (start, end, message)
      self.replacements = replacements.map { Replacement(start: $0.range.lowerBound, end: $0.range.upperBound, text: $0.text) }
    }
  }

  struct Replacement: Encodable {
    var start: Int
    var end: Int
    var text: String
  }

  var ok: Bool
  /// The condition, with a `?` for each argument.
  var sql: String?
  /// The arguments as SQL literals.
  var arguments: [String]
  var type: String?
  var plan: [String]
  var errors: [Fault]
  /// Warnings about probable mistakes in a valid filter.
  var advice: [Fault]

  private var condition = ""
  private var remarks: [String] = []
  private var faults: FilterErrors?

  private enum CodingKeys: CodingKey { case ok, sql, arguments, type, plan, errors, advice }

  init(_ filter: Filter, plan: [String]) {
    ok = true
    sql = filter.sqlText?.sql ?? ""
    arguments = filter.sqlText?.values.map(\.sqlLiteral) ?? []
    type = "boolean"
    self.plan = plan
    errors = []
    advice = filter.advice.map { advice in
      Fault(start: advice.range.lowerBound, end: advice.range.upperBound, message: advice.sentence, replacements: advice.replacements)
    }
    remarks = filter.advice.map { $0.report(on: filter.text) }
    condition = filter.sqlText?.queryString ?? "all rows"
  }

  init(_ faults: FilterErrors) {
    self.faults = faults
    ok = false
    arguments = []
    plan = []
    advice = []
    errors = faults.errors.map { error in
      Fault(start: error.range.lowerBound, end: error.range.upperBound, message: error.description, replacements: error.replacements)
    }
  }

  /// Returns the result as text: the condition and the plan, or the errors.
  func text(of filter: String) -> String {
    if let faults { return faults.report(on: filter) + "\n" }
    return (["ok: \(condition)"] + plan.map { "  \($0)" } + remarks).joined(separator: "\n") + "\n"
  }

  func json() throws -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    return String(decoding: try encoder.encode(self), as: UTF8.self)
  }
}

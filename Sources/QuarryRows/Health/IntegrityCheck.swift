internal import Libc
internal import QuarryEngine

/// Reads all pages and indexes, or with quick_check all pages of tables, and checks the constraints of rows.
///
///     PRAGMA main.integrity_check(1000)
struct IntegrityCheck: Sendable {
  let isQuick: Bool

  var name: String { isQuick ? "quick_check" : "integrity_check" }

  /// Returns the problems by object, or one result that says that there are none.
  ///
  /// - Parameter report: Called with the estimated share of the pages that have been read; nil if it is unknown.
  func results(in database: Database, report: @escaping (Double?) -> Void) throws -> [HealthResult] {
    let lines = try lines(in: database, report: report)
    if lines == ["ok"] { return [HealthResult(name, nil, .ok, "ok")] }
    let problems = lines.filter { !$0.hasPrefix("*** in database ") }.map(IntegrityProblem.init)
    let kinds = IntegrityProblem.Kind.all(of: problems)
    // VACUUM copies what it can read, so it mends unused pages only if the rest of the file is whole.
    let isReadable = !kinds.contains { $0.0 == .structure }
    return kinds.map { kind, texts in
      let more = texts.count > 1 ? " (and \(Plural.of(texts.count - 1, "similar problem")))" : ""
      return HealthResult(name, kind.object, kind.status, texts[0] + more, remedy: kind.remedy(isReadable: isReadable))
    }
  }

  private func lines(in database: Database, report: @escaping (Double?) -> Void) throws -> [String] {
    let pages = try database.healthCount("PRAGMA main.page_count")
    let before = database.pagesRead
    let sql: SQLText = isQuick ? "PRAGMA main.quick_check(1000)" : "PRAGMA main.integrity_check(1000)"
    var lines: [String] = []
    try database.runUndivided {
      // Every page is read for the structure, and again for the rows. Looking up the entries of indexes may read more.
      let share = Double(database.pagesRead - before) / Double(max(1, 2 * pages))
      report(share < 1 ? share : nil)
    } _: {
      lines = []
      try database.scan(sql) { statement in
        lines += try statement.columnText(at: 0).split(separator: "\n").map(String.init)
        return true
      }
    }
    for line in lines { if let code = IntegrityProblem.readError(in: line) { throw readError(code, in: database) } }
    return lines
  }

  /// Returns the error of a page that the system could not read, which SQLite lists like damage.
  private func readError(_ code: ResultCode, in database: Database) -> DatabaseError {
    var error = DatabaseError(code)
    error.systemError = EIO
    error.origin = DatabaseErrorOrigin(path: database.path, isReadonly: true, isImmutable: false)
    return error
  }
}

/// A line of integrity_check.
private struct IntegrityProblem {
  /// What is wrong.
  enum Kind: Hashable {
    /// An index that contradicts its table, which is whole.
    case index(String)
    /// A unique index with equal entries.
    case repeatedKey(String)
    /// A value that violates a constraint: `t.c`, or the table of a CHECK constraint.
    case constraint(String)
    /// Pages that belong to nothing.
    case unusedPages
    /// Damage of the structure.
    case structure

    var object: String? {
      switch self {
      case .index(let name), .repeatedKey(let name), .constraint(let name): name
      case .unusedPages, .structure: nil
      }
    }

    var status: HealthResult.Status { if case .constraint = self { .finding } else { .damaged } }

    func remedy(isReadable: Bool) -> HealthRemedy {
      switch self {
      case .index(let name): .maintenance(.reindex(name))
      case .repeatedKey(let name): .advice("delete the rows with equal keys, and then run \(Maintenance.reindex(name).sql)")
      case .constraint: .advice("correct or delete these rows; they violate a constraint")
      case .unusedPages: isReadable ? .maintenance(.vacuum) : .recovery
      case .structure: .recovery
      }
    }

    /// Returns the kinds in the order of their first problem, with the texts of their problems.
    static func all(of problems: [IntegrityProblem]) -> [(Kind, [String])] {
      let texts = Dictionary(grouping: problems, by: \.kind).mapValues { $0.map(\.text) }
      var seen: Set<Kind> = []
      return problems.map(\.kind).filter { seen.insert($0).inserted }.map { ($0, texts[$0] ?? []) }
    }
  }

  let text: String
  let kind: Kind

  init(_ text: String) {
    self.text = text
    kind = Self.kind(of: text)
  }

  /// Returns the code in a line such as `Page 5: unable to get the page. error code=266`, if it is an error of the system.
  static func readError(in text: String) -> ResultCode? {
    let mark = "unable to get the page. error code="
    guard let range = text.firstRange(of: mark), let number = Int32(text[range.upperBound...]) else { return nil }
    let code = ResultCode(rawValue: number)
    return code.primary == .SQLITE_IOERR ? code : nil
  }

  private static func kind(of text: String) -> Kind {
    func rest(after mark: String) -> String? { text.firstRange(of: mark).map { String(text[$0.upperBound...]) } }
    if let index = rest(after: "non-unique entry in index ") { return .repeatedKey(index) }
    let ofIndex = [" missing from index ", "wrong # of entries in index ", " values differ from index "]
    if let index = ofIndex.lazy.compactMap(rest).first { return .index(index) }
    if text.hasPrefix("rowid not at end-of-record for row "), let index = rest(after: " of index ") { return .index(index) }
    let ofRow = ["NULL value in ", "CHECK constraint failed in ", " value in "]
    if let object = ofRow.lazy.compactMap(rest).first { return .constraint(object) }
    return text.hasPrefix("Page ") && text.hasSuffix("never used") ? .unusedPages : .structure
  }
}

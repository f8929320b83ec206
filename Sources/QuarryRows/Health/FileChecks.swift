internal import QuarryEngine

/// Lists the sizes of tables and indexes.
///
///     SELECT name, pgsize, pageno, unused FROM dbstat('main') WHERE aggregate ORDER BY pgsize DESC
struct SizeCheck: HealthCheck {
  let name = "size"

  func results(about subject: HealthSubject, in database: Database) throws -> [HealthResult] {
    guard try database.healthCount("SELECT count(*) FROM pragma_module_list WHERE name = 'dbstat'") > 0 else {
      return [HealthResult(name, nil, .note, "this SQLite library lacks dbstat, which lists the sizes")]
    }
    let (pages, pageSize) = (try database.property("page_count"), try database.property("page_size"))
    var results: [HealthResult] = []
    var known = try database.property("freelist_count")
    let free = known
    let sql: SQLText = """
      SELECT name, pgsize, pageno, unused FROM dbstat WHERE schema = 'main' AND aggregate = TRUE ORDER BY pgsize DESC, name
      """
    try database.runUndivided {
      (results, known) = ([], free)
      try database.scan(sql) { statement in
        let numbers = try (1...3).map { Int(try statement.columnInteger(at: $0)) }
        known += numbers[1]
        results.append(line(try statement.columnText(at: 0), numbers[1], pageSize, pages, unused: numbers[2]))
        return true
      }
    }
    if free > 0 { results.append(line("free pages", free, pageSize, pages)) }
    if pages > known { results.append(line("pointer map and lock page", pages - known, pageSize, pages)) }
    return results.orFine(name, "0 bytes: the file is empty")
  }

  private func line(_ object: String, _ count: Int, _ pageSize: Int, _ pages: Int, unused: Int? = nil) -> HealthResult {
    let tenths = (1000 * count + pages / 2) / max(1, pages)
    let share = count > 0 && tenths == 0 ? "< 0.1 %" : "\(tenths / 10).\(tenths % 10) %"
    let rest = unused.map { ", \(Plural.of($0, "byte")) unused" } ?? ""
    return HealthResult(
      name, object, .info,
      "\(Plural.of(count * pageSize, "byte")) in \(Plural.of(count, "page")), \(share) of the file\(rest)")
  }
}

/// Reports free pages, which VACUUM gives back to the file system.
struct FreePageCheck: HealthCheck {
  let name = "free_pages"

  /// The size from which free pages are a finding if they are a quarter of the file.
  private static let large = 1_000_000

  func results(about subject: HealthSubject, in database: Database) throws -> [HealthResult] {
    let (free, pages) = (try database.property("freelist_count"), try database.property("page_count"))
    let size = free * (try database.property("page_size"))
    let text = "\(Plural.of(free, "free page")) of \(Plural.grouped(pages)): VACUUM gives back at least \(ByteSize.text(size))"
    guard free > 0 else { return [HealthResult(name, nil, .ok, "no free pages")] }
    let isFinding = size >= Self.large && free * 4 >= pages
    let isIncremental = try database.property("auto_vacuum") == 2
    return [
      HealthResult(
        name, nil, isFinding ? .finding : .ok, text,
        remedy: isFinding ? .maintenance(isIncremental ? .incrementalVacuum : .vacuum) : nil)
    ]
  }
}

/// Lists the properties of the file, and the attached files.
struct FileCheck: HealthCheck {
  let name = "file"

  func results(about subject: HealthSubject, in database: Database) throws -> [HealthResult] {
    let size = try database.property("page_count") * database.property("page_size")
    let vacuum = ["none", "full", "incremental"]
    let mode = try database.property("auto_vacuum")
    return [
      fact("size", "\(Plural.of(size, "byte"))"), fact("journal_mode", try database.journalMode()),
      fact("page_size", Plural.of(try database.property("page_size"), "byte")), fact("encoding", try database.encodingName()),
      fact("auto_vacuum", vacuum.indices.contains(mode) ? vacuum[mode] : "\(mode)"),
      fact("application_id", "\(try database.property("application_id"))"),
      fact("user_version", "\(try database.property("user_version"))"),
    ] + (try attached(to: database))
  }

  /// Names the attached files, which look as if they were checked too.
  private func attached(to database: Database) throws -> [HealthResult] {
    let sql = "SELECT name FROM pragma_database_list WHERE name NOT IN ('main', 'temp') AND file <> '' ORDER BY seq"
    return try String.fetchAll(database, sql: sql).map { name in
      HealthResult(
        self.name, name, .note, "this attached database was not checked", remedy: .advice("run `quarry check` with its file alone"))
    }
  }

  private func fact(_ object: String, _ text: String) -> HealthResult { HealthResult(name, object, .info, text) }
}

/// Names the version of SQLite, and its bugs that can damage this database.
struct LibraryCheck: HealthCheck {
  let name = "sqlite"

  func results(about subject: HealthSubject, in database: Database) throws -> [HealthResult] {
    let version = Database.sqliteVersion
    let isWAL = try database.journalMode() == "wal"
    let bugs = SQLiteBug.of(version: version).filter { $0.name != SQLiteBug.logName || isWAL }
    return [HealthResult(name, "version", .info, "this program uses SQLite \(version)")]
      + bugs.map { HealthResult(name, $0.name, $0.name == SQLiteBug.logName ? .note : .info, $0.effect, remedy: .advice($0.fix)) }
  }
}

extension Database {
  /// Reads a number of the file, such as `page_count`.
  func property(_ name: StaticString) throws -> Int {
    var sql: SQLText = "PRAGMA main."
    sql.append(name)
    return try healthCount(sql)
  }

  /// Reads the journal mode in lowercase.
  func journalMode() throws -> String {
    try String.fetchOne(self, sql: "SELECT lower(journal_mode) FROM pragma_journal_mode WHERE schema = 'main'") ?? "unknown"
  }

  fileprivate func encodingName() throws -> String { try String.fetchOne(self, sql: "PRAGMA encoding") ?? "unknown" }
}

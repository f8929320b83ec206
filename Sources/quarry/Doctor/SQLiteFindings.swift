internal import QuarryEngine
internal import QuarryRows

/// The checks of the SQLite library that this program uses.
enum SQLiteFindings {
  static var all: [Finding] {
    let version = Database.sqliteVersion
    let bugs = SQLiteBug.of(version: version).map { Finding(.warning, "SQLite", "\(version), \($0.name): \($0.effect)", fix: $0.fix) }
    do {
      let library = try Library()
      return [Finding(.fine, "SQLite", "\(version), \(library.place)"), library.threads, library.features] + bugs
    } catch {
      return [Finding(.fault, "SQLite", "\(version) does not work: \(error)")] + bugs
    }
  }

  /// What the library says about itself.
  private struct Library {
    private let options: [String]
    private let modules: Set<String>
    private let functions: Set<String>

    init() throws {
      let queue = try DatabaseQueue()
      (options, modules, functions) = try queue.read { db in
        (
          try String.fetchAll(db, sql: "PRAGMA compile_options"),
          try Set(String.fetchAll(db, sql: "SELECT name FROM pragma_module_list")),
          try Set(String.fetchAll(db, sql: "SELECT DISTINCT name FROM pragma_function_list"))
        )
      }
    }

    /// The location of the library: a file, or inside the program.
    var place: String {
      let maps = (try? OpenFile.contents(of: "/proc/self/maps", limit: 1 << 22)).map { String(decoding: $0, as: UTF8.self) }
      guard let maps else { return "in an unknown file" }
      guard let line = maps.split(separator: "\n").first(where: { $0.contains("libsqlite3") }) else { return "inside the program" }
      return line.firstIndex(of: "/").map { String(line[$0...]) } ?? "in an unnamed file"
    }

    var threads: Finding {
      options.contains("THREADSAFE=0")
        ? Finding(.fault, "threads", "SQLite was compiled without threads (THREADSAFE=0)", fix: "use a package of SQLite with threads")
        : Finding(.fine, "threads", options.first { $0.hasPrefix("THREADSAFE") } ?? "SQLite was compiled with threads")
    }

    var features: Finding {
      let all = [
        ("FTS5", modules.contains("fts5")), ("FTS4", modules.contains("fts4")), ("R-tree", modules.contains("rtree")),
        ("JSON", functions.contains("json")), ("math functions", functions.contains("sqrt")),
        ("preupdate hook", options.contains("ENABLE_PREUPDATE_HOOK")),
      ]
      let present = all.filter(\.1).map(\.0).joined(separator: ", ")
      let missing = all.filter { !$0.1 }.map(\.0).joined(separator: ", ")
      guard !missing.isEmpty else { return Finding(.fine, "features", present) }
      return Finding(
        .warning, "features", "\(present.isEmpty ? "none" : present); without \(missing), so tables and statements that need these fail",
        fix: "use a package of SQLite that has them")
    }
  }
}

/// The checks of one database.
enum DatabaseFindings {
  static func all(_ path: String) -> [Finding] {
    let subject = "database"
    do {
      let queue = try DatabaseFiles(paths: [path], isReadOnly: true).open(label: "doctor", busyTimeout: .seconds(1))
      let (mode, tables) = try queue.withoutTransaction { db in
        (
          try String.fetchOne(db, sql: "PRAGMA journal_mode") ?? "unknown",
          try Int.fetchOne(db, sql: "SELECT count(*) FROM sqlite_schema WHERE type IN ('table', 'view')") ?? 0
        )
      }
      let name = "“\(PathText.shown(path))”"
      let entries = tables == 1 ? "1 table or view" : "\(Plural.grouped(tables)) tables and views"
      let found = Finding(.fine, subject, "\(name): \(entries), journal mode \(mode)")
      let bugs = SQLiteBug.of(version: Database.sqliteVersion).filter { $0.name == "WAL-reset bug" && mode == "wal" }
      return [found]
        + bugs.map { Finding(.warning, subject, "\(name) is in WAL mode, so the \($0.name) applies to it", fix: "see the line of SQLite") }
    } catch {
      return [Finding(.fault, subject, Failure(error)?.message ?? "\(error)")]
    }
  }
}

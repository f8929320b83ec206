import Foundation
import QuarryEngine
import QuarryRows

/// Compares the times that are announced for an index with those on the file itself, before it is created and after.
///
/// The index is created in a copy of the file.
func advisingIndexes(of file: EventsFile, in folder: TemporaryFolder) -> [Comparison] {
  let copy = Lazily { try file.copied(to: folder) }
  let filters: [(what: String, sql: String)] = [
    ("kind = …", "kind = 'view'"),
    ("ts BETWEEN …", "ts BETWEEN '2015-02-01' AND '2015-02-03'"),
    ("kind, sorted by amount", "kind = 'view' AND amount > 5000 ORDER BY amount"),
    ("note LIKE 'bir%'", "note LIKE 'bir%'"),
  ]
  return filters.flatMap { what, condition in
    [nil, 100].flatMap { rows in
      let request = AdviceRequest(sql: "SELECT * FROM events WHERE \(condition)", rows: rows)
      return comparisons(request, named: "\(what)\(rows.map { ", \($0) rows" } ?? "")", file, copy)
    }
  }
}

private func comparisons(_ request: AdviceRequest, named what: String, _ file: EventsFile, _ copy: Lazily<String>) -> [Comparison] {
  let advice = Lazily { try Announced(request, file) }
  let after: Comparison.Work = {
    let queue = try DatabaseQueue(path: try copy.value)
    try queue.withoutTransaction { db in try db.execute(sql: try advice.value.way.sql) }
    defer { try? queue.withoutTransaction { db in for name in try db.indexNames() { try db.execute(sql: "DROP INDEX \(name)") } } }
    // The first reading after the index was written may still wait for the disk.
    return (try (0..<3).map { _ in try time(request, try copy.value) }.min() ?? .seconds(0), nil)
  }
  return [
    Comparison(
      number: "advice", what: "\(what): before", goals: [.near(2, .file)],
      contestants: [(.ours, { (try advice.value.before, nil) }), (.file, { (try time(request, file.path), nil) })]),
    Comparison(
      number: "advice", what: "\(what): after", goals: [.near(2, .file)],
      contestants: [(.ours, { (try advice.value.after, nil) }), (.file, after)]),
  ]
}

/// The times of the best index, as they are announced.
private struct Announced {
  let (before, after): (Amount, Amount)
  let way: IndexAdvice.Way

  init(_ request: AdviceRequest, _ file: EventsFile) throws {
    var configuration = Configuration()
    configuration.isReadonly = true
    let queue = try DatabaseQueue(path: file.path, configuration: configuration)
    let advice = try waiting { try await queue.indexAdvice(request) { _ in } }
    guard let time = advice.time, let way = advice.ways.first(where: { $0.sql.hasPrefix("CREATE") }) else {
      throw CError("no index was proposed for \(request.sql)")
    }
    (before, after, self.way) = (.seconds(time / .seconds(1)), .seconds(way.time / .seconds(1)), way)
  }
}

/// Returns the time in which a new connection reads the rows.
private func time(_ request: AdviceRequest, _ path: String) throws -> Amount {
  var configuration = Configuration()
  configuration.isReadonly = true
  return try DatabaseQueue(path: path, configuration: configuration).read { db in
    try timed {
      let statement = try db.makeStatement(sql: request.sql)
      var count = 0
      while count < request.rows ?? .max, try statement.step() { count += 1 }
    }
  }
}

extension Database {
  fileprivate func indexNames() throws -> [String] {
    let sql = "SELECT name FROM sqlite_schema WHERE type = 'index' AND name <> 'events_user' AND sql IS NOT NULL"
    return try String.fetchAll(self, sql: sql)
  }
}

extension EventsFile {
  fileprivate func copied(to folder: TemporaryFolder) throws -> String {
    let url = folder.url.appending(path: "advice.db")
    try FileManager.default.copyItem(at: URL(filePath: path), to: url)
    return url.path(percentEncoded: false)
  }
}

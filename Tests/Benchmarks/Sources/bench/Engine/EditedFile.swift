import Foundation
import Loops
import QuarryChanges
import QuarryEngine
import QuarryRows
import QuarrySources

/// The cells that are edited: the notes of some events.
final class EditedCells {
  let ids: [Int64]
  /// What the notes are before.
  let old: [String?]
  let staged: StagedChanges

  /// Reads the notes, and stages others for them.
  init(_ ids: [Int64], of path: String) throws {
    self.ids = ids
    old = try DatabaseQueue(path: path).read { db in
      let statement = try db.makeStatement(sql: "SELECT note FROM events WHERE id = ?")
      return try ids.map { try String?.fetchOne(statement, arguments: [$0]) ?? nil }
    }
    var staged = StagedChanges()
    for (id, note) in zip(ids, old) {
      let was: StoredValue = note.map { .value(.text($0)) } ?? .null
      try staged.set(.value(.text(Self.note(id))), column: "note", row: .stored(.rowID(id)), of: Self.table, was: was)
    }
    self.staged = staged
  }

  static let table = TableReference(name: "events")

  /// What the notes are to be.
  var new: [String?] { ids.map(Self.note) }

  private static func note(_ id: Int64) -> String { "edited \(id)" }
}

/// A copy of the table of events that is edited; what is committed to it through the engine is recorded.
final class EditedFile {
  private let path: String
  private let source: SQLiteDataSource

  /// Copies a file, and commits a little to it, so that its connections are open.
  init(_ file: EventsFile, named name: String, in folder: TemporaryFolder) throws {
    let copy = folder.url.appending(path: name)
    try FileManager.default.copyItem(atPath: file.path, toPath: copy.path(percentEncoded: false))
    path = copy.path(percentEncoded: false)
    source = try SQLiteDataSource(path: path, changesFolder: folder.url.appending(path: "\(name)-changes").path(percentEncoded: false))
    let first = try EditedCells([1], of: path)
    _ = try commit(first)
    _ = try undo()
  }

  /// What the notes of all events come to.
  func checksum() throws -> Int64 {
    try DatabaseQueue(path: path).read { db in try Int64.fetchOne(db, sql: "SELECT sum(id % 1000 * length(note)) FROM events") ?? 0 }
  }

  /// Commits what is staged; tells how long it took.
  func commit(_ cells: EditedCells) throws -> Amount {
    let (source, staged) = (source, cells.staged)
    return try timed { _ = try waiting { try await source.commit(staged) } }
  }

  /// Takes the last commit back; tells how long it took.
  func undo() throws -> Amount {
    let source = source
    guard let last = try waiting({ try await source.recordedCommits().first }) else { throw CError("nothing is recorded") }
    return try timed {
      guard case .done = try waiting({ try await source.undo(last.id, choosing: UndoChoices()) }) else { throw CError("nothing is undone") }
    }
  }

  /// Writes notes as C does it; tells how long it took.
  func update(_ cells: EditedCells, to notes: [String?]) throws -> Amount {
    let values = zip(cells.ids, notes).map { id, note in
      loops_cell(id: id, text: note.map { UnsafePointer(strdup($0)) } ?? nil, text_count: Int32(note?.utf8.count ?? 0))
    }
    defer { for value in values { free(UnsafeMutableRawPointer(mutating: value.text)) } }
    var nanoseconds: Int64 = 0
    var message: UnsafePointer<CChar>?
    let sql = "UPDATE events SET note = ? WHERE id = ?"
    guard loops_update(path, sql, values, Int64(values.count), &nanoseconds, &message) == values.count else {
      throw CError(message.map { String(cString: $0) } ?? "not all rows are there")
    }
    return .seconds(Double(nanoseconds) / 1e9)
  }
}

import QuarryEngine
import QuarryRows
import QuarrySources
import TestSupport

extension SQLiteDataSource {
  /// Makes a source that reads, writes and records the file as the screen does.
  convenience init(of file: RecordedFile) throws {
    let path = file.path
    @Sendable func open() throws -> DatabaseQueue { try DatabaseQueue(path: path) }
    let rows = ReadConnections(foreground: try open(), background: try open())
    let script = ScriptConnection(refusal: nil, changes: file.logs) { try DatabaseQueue(path: path) }
    self.init(rows: rows, background: try open(), script: script, watchInterval: nil, changes: file.logs)
  }
}

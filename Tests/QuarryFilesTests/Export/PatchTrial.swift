import Foundation
import QuarryChanges
import QuarryEngine
import QuarryFiles
import TestSupport
import Testing

/// A script that turns one database into another, and what still differs after it.
enum PatchTrial {
  /// Opens a database for a comparison.
  static func side(_ path: String) throws -> FileDiffSide { try FileDiffSide(DatabaseQueue(path: path), name: path) }

  /// Returns the script without the transaction around it.
  static func script(_ from: String, _ to: String, parts: DiffScript.Parts = .all) async throws -> String {
    var diff = DatabaseDiff(try side(from), try side(to))
    diff.step = 3
    let (format, bytes) = (PatchFormat(), Monitor<[UInt8]>([]))
    let script = try await diff.script(parts) { statements in
      for statement in statements { bytes.change { $0 += format.bytes(of: statement) } }
    }
    #expect(script.result.notCompared.isEmpty, "\(script.result.notCompared)")
    return bytes.read { String(decoding: $0, as: UTF8.self) }
  }

  /// Applies the script to a copy of the first database, and returns the remaining differences.
  ///
  /// - Parameter check: Returns what else is wrong with the copy.
  static func remainders(
    _ from: String, _ to: String, in folder: URL, check: (_ copy: String) throws -> [String] = { _ in [] }
  ) async throws -> [String] {
    let copy = folder.appendingPathComponent(UUID().uuidString).path
    try FileManager.default.copyItem(atPath: from, toPath: copy)
    let text = try await script(copy, to)
    if !text.isEmpty {
      let queue = try DatabaseQueue(path: copy)
      do {
        try await queue.withoutTransaction { try $0.execute(sql: PatchFormat.beginning + text + PatchFormat.ending) }
      } catch {
        return ["\(error)\n\(text)"]
      }
      try queue.close()
    }
    var found: [String] = []
    for diff in [DatabaseDiff(try side(copy), try side(to)), DatabaseDiff(try side(to), try side(copy))] {
      found += try await diff.schema().map { "\($0)" } + diff.lines()
    }
    let findings = try await DatabaseQueue(path: copy).read { try String.fetchAll($0, sql: "PRAGMA integrity_check") }
    found += findings == ["ok"] ? [] : findings
    found += try check(copy)
    return found.isEmpty ? [] : found + [text]
  }
}

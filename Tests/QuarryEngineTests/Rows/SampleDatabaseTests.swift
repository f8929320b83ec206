import Foundation
import TestSupport
import Testing

@testable import QuarryEngine

/// Databases that nobody here wrote; they lie beside the package, and not on every machine.
private let samples: URL = URL(fileURLWithPath: #filePath)
  .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
  .appendingPathComponent("../shared/data").standardized

private func hasSample(_ name: String) -> Bool {
  FileManager.default.fileExists(atPath: samples.appendingPathComponent(name).path)
}

@Suite struct SampleDatabaseTests {
  @Test(
    "Every table and view of a sample is walked forward and backward, and equals what plain SQL says",
    arguments: ["chinook.db", "northwind.db"])
  func walking(sample: String) async throws {
    guard hasSample(sample) else {
      print("skipped: there is no ../shared/data/\(sample)")
      return
    }
    var configuration = Configuration()
    configuration.isReadonly = true
    let queue = try DatabaseQueue(path: samples.appendingPathComponent(sample).path, configuration: configuration)
    let entries = try await queue.read { try $0.catalog().databases[0].entries }
    #expect(entries.count > 10)
    for entry in entries {
      let schema = try await queue.read { try $0.tableSchema(entry.reference) }
      #expect(schema.problem == nil && schema.columns.count == entry.columnCount)
      let order = schema.entry.kind == .view ? "" : " ORDER BY rowid"
      let oracle = RowOracle(RowSet(.table(entry.reference)), queue, sql: "SELECT * FROM \(entry.reference.sql)\(order)")
      try await oracle.walk(by: max(50, oracle.count() / 20))
    }
  }
}

import QuarryEngine
import Synchronization

extension Session {
  /// Reads what is to be copied, and writes it in its format.
  func prepareCopy(_ id: GridID, _ request: CopyRequest, posting post: Post) async {
    guard let reader = reader(id) else { return }
    let text: Result<String, Problem> = await result {
      switch request.content {
      case .value(let key, let column):
        return try await self.valueText(key, column, reader: reader)
      case .rows(let first, let last, let columns, let format):
        let copied = CopiedRows(format, columns: try await reader.columns().map(\.name), columns, table: request.tableName)
        try await reader.forEachRow(from: first, through: last, columns: columns) { values in
          if let progress = try copied.add(values) { post(.copyProgressed(request, progress)) }
        }
        return try copied.finish()
      }
    }
    post(.copyPrepared(request, text.map { CopyText(text: $0, title: request.title) }))
  }

  private func valueText(_ key: RowKey, _ column: Int, reader: RowReader) async throws -> String {
    guard let value = try await reader.value(key, column: column) else { throw Problem("this row is gone: somebody deleted it") }
    if case .blob = value { return value.sqlLiteral }
    return value.plainText
  }
}

/// The text of rows that are copied.
private final class CopiedRows: Sendable {
  private let text: Text
  private let state: Mutex<State>
  private let start = ContinuousClock.now

  private final class Text: Sendable {
    let bytes = Mutex<[UInt8]>([])
  }

  private struct State {
    var exporter: RowExporter
    var rows = 0
  }

  /// The greatest size of a text that is put on a clipboard, in bytes; more belongs into a file.
  private static let limit = 64 << 20

  /// The number of rows after which somebody is told of them.
  private static let told = 10_000

  init(_ format: ExportFormat, columns: [String], _ places: [Int], table: String) {
    let text = Text()
    self.text = text
    state = Mutex(
      State(
        exporter: RowExporter(format, columns: places.map { columns[$0] }, table: table) { bytes in
          try text.bytes.withLock { text in
            text += bytes
            guard text.count <= Self.limit else { throw Problem("that is more than 64 MB: quarry rows writes it to a file") }
          }
        }))
  }

  /// Adds a row; returns from time to time how many there are.
  func add(_ values: [DatabaseValue]) throws -> RowProgress? {
    try state.withLock { state in
      try state.exporter.write(values)
      state.rows += 1
      return state.rows % Self.told == 0 ? RowProgress(rows: state.rows, elapsed: ContinuousClock.now - start) : nil
    }
  }

  /// Ends the text and returns it.
  func finish() throws -> String {
    try state.withLock { try $0.exporter.finish() }
    return String(decoding: text.bytes.withLock(\.self), as: UTF8.self)
  }
}

import QuarryEngine
import Synchronization

extension Session {
  /// The greatest size of a text that is put on a clipboard, in bytes; more belongs into a file.
  private static let copyLimit = 64 << 20

  /// Reads what is to be copied, and writes it in its format.
  func prepareCopy(_ id: GridID, _ request: CopyRequest, posting post: Post) async {
    guard let reader = reader(id) else { return }
    do {
      let text =
        switch request.content {
        case .value(let key, let column): try await valueText(key, column, reader: reader)
        case .rows(let first, let last, let columns, let format):
          try await rowsText(from: first, through: last, columns: columns, format: format, table: request.tableName, reader: reader)
        }
      post(.copyPrepared(CopyText(text: text, title: request.title)))
    } catch {
      post(.copyFailed(Problem(describing: error)))
    }
  }

  private func valueText(_ key: RowKey, _ column: Int, reader: RowReader) async throws -> String {
    guard let value = try await reader.value(key, column: column) else { throw Problem("this row is gone: somebody deleted it") }
    if case .blob = value { return value.sqlLiteral }
    return value.plainText
  }

  private func rowsText(
    from first: RowKey, through last: RowKey, columns: [Int], format: ExportFormat, table: String, reader: RowReader
  ) async throws -> String {
    let names = try await reader.columns().map(\.name)
    let collected = Mutex<(rows: [[DatabaseValue]], size: Int)>(([], 0))
    try await reader.forEachRow(from: first, through: last, columns: columns) { values in
      try collected.withLock { collected in
        collected.rows.append(values)
        collected.size += values.reduce(0) { $0 + $1.byteCount }
        guard collected.size < Session.copyLimit else { throw Problem("that is more than 64 MB: quarry rows writes it to a file") }
      }
    }
    return format.text(columns: columns.map { names[$0] }, rows: collected.withLock { $0.rows }, table: table)
  }
}

extension DatabaseValue {
  fileprivate var byteCount: Int {
    switch self {
    case .null, .integer, .real: 8
    case .text(let text): text.utf8.count
    case .blob(let bytes): bytes.count
    }
  }
}

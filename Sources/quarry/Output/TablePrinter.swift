internal import QuarryCluster
internal import QuarryEngine
internal import QuarryFiles
internal import Terminal

/// Prints rows in a box, some hundreds at a time.
///
/// If later rows need more room, the box ends and a wider one begins.
final class TablePrinter: RowPrinter {
  private let header: [TableCell]
  private let output: VerbOutput
  private var widths: [Int]
  private var batch: [[TableCell]] = []
  private var isBoxOpen = false

  private static let batchSize = 500

  init(columns: [String], to output: VerbOutput) {
    self.output = output
    header = columns.map { TableCell(text: $0) }
    widths = header.map(\.width)
  }

  func write(_ statement: Statement) throws {
    try write(cells: header.indices.map { try TableCell(statement, at: $0) })
  }

  func write(_ values: [DatabaseValue]) throws {
    try write(cells: values.map { TableCell($0) })
  }

  func write(_ values: [StoredValue]) throws {
    try write(cells: values.map { TableCell($0) })
  }

  func write(_ row: RemoteRow) throws {
    try write(row.map { try $0.storedValue })
  }

  func flush() throws {
    if isBoxOpen || !batch.isEmpty { try finish() }
  }

  func finish() throws {
    try printBatch()
    try output.write(rule("└", "┴", "┘"))
  }

  private func write(cells: [TableCell]) throws {
    batch.append(cells)
    if batch.count == Self.batchSize { try printBatch() }
  }

  private func printBatch() throws {
    let needed = batch.reduce(widths) { widths, row in zip(widths, row).map { max($0, $1.width) } }
    var text = ""
    if needed != widths || !isBoxOpen {
      if isBoxOpen { text += rule("└", "┴", "┘") }
      widths = needed
      text += rule("┌", "┬", "┐") + line(header) + rule("├", "┼", "┤")
      isBoxOpen = true
    }
    for row in batch { text += line(row) }
    batch.removeAll(keepingCapacity: true)
    try output.write(text)
  }

  private func rule(_ left: String, _ middle: String, _ right: String) -> String {
    left + widths.map { String(repeating: "─", count: $0 + 2) }.joined(separator: middle) + right + "\n"
  }

  private func line(_ cells: [TableCell]) -> String {
    "│ " + zip(cells, widths).map { $0.padded(to: $1) }.joined(separator: " │ ") + " │\n"
  }
}

/// A value as shown in a box: NULL as `∅`, a blob as its size, a long text truncated with `…`, control characters as pictures.
private struct TableCell {
  var text: String
  var width: Int
  var isNumber = false

  /// The maximum number of columns of a text.
  ///
  /// The other formats print the complete text.
  private static let widthLimit = 80
  /// The maximum number of bytes read of a truncated text, which is sufficient for 80 characters with several scalars each.
  private static let byteLimit = 4096

  init(text: String) {
    let shown = TextWidth.truncated(String(text.map { TextWidth.glyph(for: $0) }), to: Self.widthLimit)
    self.text = shown
    width = TextWidth.columns(of: shown)
  }

  private init(number: String) {
    text = number
    width = number.utf8.count
    isNumber = true
  }

  private init(blobSize: Int) {
    self.init(text: "blob, \(blobSize) \(blobSize == 1 ? "byte" : "bytes")")
  }

  init(_ value: DatabaseValue) {
    switch value {
    case .null: self.init(text: "∅")
    case .integer(let value): self.init(number: String(value))
    case .real(let value): self.init(number: RealText.shortest(value))
    case .text(let value): self.init(text: String(value.prefix(Self.byteLimit)))
    case .blob(let bytes): self.init(blobSize: bytes.count)
    }
  }

  init(_ value: StoredValue) {
    switch value {
    case .value(let value): self.init(value)
    case .rawText(let bytes): self.init(text: String(decoding: bytes.prefix(Self.byteLimit), as: UTF8.self))
    }
  }

  init(_ statement: Statement, at index: Int) throws {
    switch try statement.columnStorageClass(at: index) {
    case .text:
      let beginning = try statement.withColumnBytes(at: index) { String(decoding: $0.prefix(Self.byteLimit), as: UTF8.self) }
      self.init(text: beginning)
    case .blob: self.init(blobSize: try statement.withColumnBytes(at: index, \.count))
    default: self.init(try statement.columnValue(at: index))
    }
  }

  func padded(to columns: Int) -> String {
    let padding = String(repeating: " ", count: max(0, columns - width))
    return isNumber ? padding + text : text + padding
  }
}

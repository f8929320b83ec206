internal import QuarryEngine

/// The rejected rows of an import, each with its line and reason.
///
/// The first rows are stored in memory. All rows are written to a file if requested.
///
///     line,reason,record
///     12,NOT NULL constraint failed: Track.Name,"12,,Jazz"
final class RejectedRows {
  private(set) var count = 0
  /// The first rejected rows.
  private(set) var first: [ImportReject] = []
  private var file: OutputFile?
  /// Creates a new draft of the file.
  private let makeFile: () throws -> OutputFile?
  /// The lines of the rejects in the file, with their end offsets.
  private var places: [(line: Int, end: Int)] = []
  /// The rejects found after rejects of later lines, in the format of the file.
  private var late: [(line: Int, row: [UInt8])] = []
  private var out = ByteBuffer(capacity: 4096)
  private static let format = CSVFormat(columns: ["line", "reason", "record"])

  /// The number of rejects kept in memory.
  static let keptCount = 100

  /// Begins without rejects.
  ///
  /// - Parameter path: The path of the file, which must not exist. Nil if the first reject ends the import.
  init(path: String?, databases: [String]) throws {
    let makeFile = { try path.map { try OutputFile(path: $0, databases: databases, isReplacing: false) } }
    self.makeFile = makeFile
    file = try Self.writing(makeFile)
    if file != nil { Self.format.start(&out) }
  }

  @discardableResult
  private static func writing<Value>(_ body: () throws -> Value) throws -> Value {
    do {
      return try body()
    } catch let error as OutputFileError {
      throw ImportFailure(reason: .rejectsFile(error.description))
    }
  }

  /// Adds a reject.
  ///
  /// - Parameters:
  ///   - record: The record as written in the file.
  ///   - isLate: Whether rejects of later lines may have been added.
  /// - Throws: ``ImportFailure`` with this row if it ends the import.
  func add(_ reject: ImportReject, record: @autoclosure () throws -> [UInt8], isLate: Bool = false) throws {
    guard let file else { throw ImportFailure(reason: .row(reject)) }
    count += 1
    if isLate {
      late.append((reject.line, try Self.row(reject, record())))
      first = Array((first + [reject]).sorted { $0.line < $1.line }.prefix(Self.keptCount))
      return
    }
    if first.count < Self.keptCount { first.append(reject) }
    try Self.write(reject, record(), to: &out)
    places.append((reject.line, file.count + out.count))
    if out.count > 64 << 10 { try write() }
  }

  private static func row(_ reject: ImportReject, _ record: [UInt8]) throws -> [UInt8] {
    var out = ByteBuffer(capacity: 256)
    try write(reject, record, to: &out)
    return Array(out.bytes)
  }

  private static func write(_ reject: ImportReject, _ record: [UInt8], to out: inout ByteBuffer) throws {
    out.append(decimal: Int64(reject.line))
    format.startCell(1, &out)
    var reason = reject.reason
    reason.withUTF8 { format.text(UnsafeRawBufferPointer($0), &out) }
    format.startCell(2, &out)
    record.withUnsafeBytes { format.text($0, &out) }
    format.endRow(&out)
  }

  private func write() throws {
    try Self.writing { try file?.write(out.bytes) }
    out.truncate(to: 0)
  }

  /// Moves the file to its path, with its rows in the order of their lines.
  ///
  /// Also creates a file without rows.
  func finish() throws {
    try write()
    if !late.isEmpty { try Self.writing(putInOrder) }
    try Self.writing { try file?.finish() }
  }

  /// Rewrites the file with late rejects in line order.
  ///
  /// For a pipe or a device, appends them.
  private func putInOrder() throws {
    late.sort { $0.line < $1.line }
    guard let written = file, try written.bytes(0..<0) != nil else {
      for reject in late { try append(reject.row) }
      return
    }
    file = try makeFile()
    var start = 0
    func copy(to end: Int) throws {
      while start < end {
        let next = min(end, start + 1 << 16)
        try append(written.bytes(start..<next) ?? [])
        start = next
      }
    }
    var place = 0
    for reject in late {
      while place < places.count, places[place].line <= reject.line { place += 1 }
      try copy(to: place == 0 ? Self.headLength : places[place - 1].end)
      try append(reject.row)
    }
    try copy(to: written.count)
  }

  private func append(_ bytes: [UInt8]) throws {
    guard let file else { return }
    try bytes.withUnsafeBytes { try file.write($0) }
  }

  /// The length of the header line in bytes.
  private static var headLength: Int {
    var head = ByteBuffer(capacity: 64)
    format.start(&head)
    return head.count
  }

  /// Removes the file if it has been moved to its path, because the accepted rows are not imported either.
  ///
  /// - Returns: The reason why it could not be removed, as a clause, or nil.
  func remove() -> String? {
    guard let file else { return nil }
    do throws(SystemError) {
      try file.remove()
      return nil
    } catch {
      return "“\(PathText.shown(file.path))” exists and cannot be removed: \(error)"
    }
  }
}

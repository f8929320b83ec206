#if canImport(Darwin)
  internal import Darwin
#elseif canImport(Musl)
  internal import Musl
#else
  internal import Glibc
#endif

/// The rows that were not imported, each with its line and reason; the first of them are kept, all of them written to a file where one is
/// wanted.
///
///     line,reason,record
///     12,NOT NULL constraint failed: Track.Name,"12,,Jazz"
final class RejectedRows {
  private(set) var count = 0
  /// The first of them.
  private(set) var first: [ImportReject] = []
  private let file: OutputFile?
  private var isInPlace = false
  private var out = ByteBuffer(capacity: 4096)
  private static let format = CSVFormat(columns: ["line", "reason", "record"])

  /// How many are kept.
  static let keptCount = 100

  /// Begins with none.
  ///
  /// - Parameter path: The path of the file, which must not be there; nil where the first one ends the import.
  init(path: String?, databases: [String]) throws {
    do {
      file = try path.map { try OutputFile(path: $0, databases: databases, isReplacing: false) }
    } catch let error as OutputFileError {
      throw ImportFailure(reason: .rejectsFile(error.description))
    }
    if file != nil { Self.format.start(&out) }
  }

  /// Adds one.
  ///
  /// - Parameter record: The record as it stands in the file.
  /// - Throws: ``ImportFailure`` with this row where it is to end the import.
  func add(_ reject: ImportReject, record: @autoclosure () throws -> [UInt8]) throws {
    guard file != nil else { throw ImportFailure(reason: .row(reject)) }
    count += 1
    if first.count < Self.keptCount { first.append(reject) }
    out.append(decimal: Int64(reject.line))
    Self.format.startCell(1, &out)
    var reason = reject.reason
    reason.withUTF8 { Self.format.text(UnsafeRawBufferPointer($0), &out) }
    Self.format.startCell(2, &out)
    try record().withUnsafeBytes { Self.format.text($0, &out) }
    Self.format.endRow(&out)
    if out.count > 64 << 10 { try write() }
  }

  private func write() throws {
    do {
      try file?.write(out.bytes)
      out.truncate(to: 0)
    } catch let error as OutputFileError {
      throw ImportFailure(reason: .rejectsFile(error.description))
    }
  }

  /// Puts the file in its place; one without a row, too.
  func finish() throws {
    try write()
    do {
      try file?.finish()
      isInPlace = true
    } catch let error as OutputFileError {
      throw ImportFailure(reason: .rejectsFile(error.description))
    }
  }

  /// Removes the file where it is in its place: the rows that were not rejected are not imported either.
  func remove() {
    if isInPlace, let file { PathText.withPath(file.path) { _ = unlink($0) } }
  }
}

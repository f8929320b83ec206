internal import Libc

/// A field of a record: a number, or the position of its bytes in the ``RecordBatch``.
package struct RecordField: BitwiseCopyable {
  package enum Kind: UInt8, BitwiseCopyable {
    /// An empty field without quotes, JSON's `null`, or a missing key of an object, which ``RecordField/isAbsent`` distinguishes.
    case null
    /// Bytes that are always text: a quoted field, a JSON string, or a nested JSON value.
    case text
    /// The bytes of a delimited field without quotes, which may be a number, or of a JSON number that is not a 64-bit integer.
    case plain
    case integer, real
    /// Bytes that are not text: `{"blob":"<base64>"}`.
    case blob
  }

  /// The offset of the bytes in the batch, an integer, the bit pattern of a real, or 1 for a missing key.
  let bits: UInt64
  /// The number of bytes, or 0 if there are none.
  let length: UInt32
  package let kind: Kind

  static let null = RecordField(bits: 0, length: 0, kind: .null)
  /// The field of a key that an object does not have.
  static let absent = RecordField(bits: 1, length: 0, kind: .null)

  /// Whether the object lacks the key of the field; false for JSON's `null`.
  package var isAbsent: Bool { kind == .null && bits == 1 }

  @inline(__always)
  init(_ kind: Kind, offset: Int, length: Int) {
    self.init(bits: UInt64(truncatingIfNeeded: offset), length: UInt32(truncatingIfNeeded: length), kind: kind)
  }

  init(integer: Int64) {
    self.init(bits: UInt64(bitPattern: integer), length: 0, kind: .integer)
  }

  init(real: Double) {
    self.init(bits: real.bitPattern, length: 0, kind: .real)
  }

  @inline(__always)
  private init(bits: UInt64, length: UInt32, kind: Kind) {
    (self.bits, self.length, self.kind) = (bits, length, kind)
  }

  /// The value of an ``Kind/integer``.
  @inline(__always)
  package var integer: Int64 { Int64(bitPattern: bits) }
  /// The value of a ``Kind/real``.
  @inline(__always)
  package var real: Double { Double(bitPattern: bits) }
  @inline(__always)
  var offset: Int { Int(truncatingIfNeeded: bits) }
}

/// Records of one table in a reusable block of bytes.
///
/// A ``RecordReader`` fills it. All records have ``columnCount`` fields, in the order of the table's columns.
///
/// ```swift
/// let batch = RecordBatch()
/// while try reader.read(into: batch) {
///   for record in 0..<batch.count {
///     for column in 0..<batch.columnCount { use(batch.field(record, column)) }
///   }
/// }
/// ```
package final class RecordBatch: @unchecked Sendable {
  // Sendable because it belongs to one thread at a time: the thread that fills it passes it to the thread that reads it.

  /// The table of the records, with the columns known after the last record.
  package var table = RecordTable(index: 0, name: nil)
  /// The number of records.
  package var count = 0
  /// The number of fields of each record, which equals the number of the table's columns.
  package var columnCount = 0
  /// The parts of the file that could not be parsed, in the order of their lines.
  package var faults: [RecordFault] = []
  /// Whether an object may lack some of the table's keys.
  private(set) var hasAbsentFields = false
  /// The number of empty lines that were skipped.
  ///
  /// Only tables with several columns have them.
  package var blankLineCount = 0
  /// The number of comment lines.
  package var commentLineCount = 0
  /// The keys of a JSON object whose values are not part of the table.
  package var passedOver: [String] = []
  /// The number of bytes of the file read when the batch is full, including bytes after the batch.
  package var sourceOffset = 0

  /// The number of bytes read at a time.
  ///
  /// A longer record enlarges the block.
  let byteCapacity: Int
  private(set) var bytes: UnsafeMutablePointer<UInt8>
  /// The number of allocated bytes, without ``padding``.
  ///
  /// Scanners may read and write the padding.
  private(set) var byteRoom: Int
  private var fields: UnsafeMutablePointer<RecordField>
  private var fieldRoom: Int
  /// The distance between the first fields of two records.
  ///
  /// Greater than the number of columns if columns are added one by one.
  private var stride = 0
  /// The number of fields moved because columns were added.
  private(set) var movedFieldCount = 0
  private var lines: UnsafeMutablePointer<Int>
  private var lineRoom: Int

  /// Creates an empty batch.
  ///
  /// - Parameter byteCapacity: The number of bytes of the file that it holds.
  package init(byteCapacity: Int = 1 << 18) {
    self.byteCapacity = max(1, byteCapacity)
    byteRoom = self.byteCapacity
    (fieldRoom, lineRoom) = (256, 64)
    bytes = Self.allocate(byteRoom)
    fields = .allocate(capacity: fieldRoom)
    lines = .allocate(capacity: lineRoom)
  }

  deinit {
    free(bytes)
    fields.deallocate()
    lines.deallocate()
  }

  /// Whether the batch contains neither a record nor a fault.
  var isEmpty: Bool { count == 0 && faults.isEmpty }

  /// Returns a field of a record, with indexes from 0.
  @inline(__always)
  package func field(_ record: Int, _ column: Int) -> RecordField {
    assert(record < count && column < columnCount)
    return fields[record &* stride &+ column]
  }

  /// Replaces a field by its number.
  @inline(__always)
  func replaceField(_ record: Int, _ column: Int, by number: RecordField) {
    fields[record &* stride &+ column] = number
  }

  /// Lends the bytes of a text, plain field or blob.
  ///
  /// They are valid until the batch is filled again.
  @inline(__always)
  package func bytes(of field: RecordField) -> UnsafeRawBufferPointer {
    assert(field.kind == .text || field.kind == .plain || field.kind == .blob)
    return UnsafeRawBufferPointer(start: bytes + field.offset, count: Int(field.length))
  }

  /// Returns the line on which a record begins, counted from 1.
  package func line(of record: Int) -> Int { lines[record] }
}

// MARK: - Filling

extension RecordBatch {
  /// Removes all records.
  func reset(for table: RecordTable) {
    self.table = table
    (count, columnCount, blankLineCount, commentLineCount) = (0, table.columns.count, 0, 0)
    (stride, movedFieldCount, hasAbsentFields) = (columnCount, 0, false)
    faults.removeAll(keepingCapacity: true)
    passedOver.removeAll()
  }

  static var padding: Int { 16 }

  private static func allocate(_ room: Int) -> UnsafeMutablePointer<UInt8> {
    // If memory is exhausted, this allocation reports it and ends the program, like any allocation.
    malloc(room + padding)?.assumingMemoryBound(to: UInt8.self) ?? .allocate(capacity: room + padding)
  }

  /// Enlarges the block to `room` bytes and keeps the first `used` bytes.
  ///
  /// Returns false if there is not enough memory.
  func growBytes(to room: Int, keeping used: Int) -> Bool {
    guard room > byteRoom else { return true }
    // The system moves a large block without copying it.
    guard let larger = realloc(bytes, room + Self.padding) else { return false }
    (bytes, byteRoom) = (larger.assumingMemoryBound(to: UInt8.self), room)
    return true
  }

  /// Releases the memory of a long record, and discards the bytes.
  func shrinkBytes() {
    guard byteRoom > byteCapacity * 8, let smaller = realloc(bytes, byteCapacity + Self.padding) else { return }
    (bytes, byteRoom) = (smaller.assumingMemoryBound(to: UInt8.self), byteCapacity)
  }

  /// Returns the memory for the fields of the next record.
  ///
  /// `finishRecord(line:)` then counts it.
  @inline(__always)
  func nextFields() -> UnsafeMutablePointer<RecordField> {
    if (count + 1) * stride > fieldRoom { growFields(to: (count + 1) * stride) }
    return fields + count &* stride
  }

  /// Marks the fields of the next record as absent before those of its keys are written.
  func clear(_ fields: UnsafeMutablePointer<RecordField>) {
    fields.update(repeating: .absent, count: columnCount)
    hasAbsentFields = true
  }

  @inline(__always)
  func finishRecord(line: Int) {
    if count == lineRoom { growLines() }
    lines[count] = line
    count &+= 1
  }

  private func growFields(to needed: Int) {
    let room = max(fieldRoom * 2, needed)
    let larger = UnsafeMutablePointer<RecordField>.allocate(capacity: room)
    larger.update(from: fields, count: count * stride)
    fields.deallocate()
    (fields, fieldRoom) = (larger, room)
  }

  private func growLines() {
    let larger = UnsafeMutablePointer<Int>.allocate(capacity: lineRoom * 2)
    larger.update(from: lines, count: count)
    lines.deallocate()
    (lines, lineRoom) = (larger, lineRoom * 2)
  }

  /// Adopts a table with more columns than before.
  ///
  /// Existing records do not have the new columns.
  func widen(to table: RecordTable) {
    let (old, new) = (columnCount, table.columns.count)
    self.table = table
    guard new > old else { return }
    if new > stride { spread(to: max(new, stride * 2)) }
    for record in 0..<count { (fields + record * stride + old).update(repeating: .absent, count: new - old) }
    if count > 0 { hasAbsentFields = true }
    columnCount = new
  }

  /// Increases the distance between records to make room for more columns.
  private func spread(to newStride: Int) {
    let room = max(fieldRoom, count * newStride)
    let wider = UnsafeMutablePointer<RecordField>.allocate(capacity: max(1, room))
    for record in 0..<count { (wider + record * newStride).update(from: fields + record * stride, count: columnCount) }
    movedFieldCount += count * columnCount
    fields.deallocate()
    (fields, fieldRoom, stride) = (wider, room, newStride)
  }
}

internal import Libc

/// A field of a record: a number, or the place of its bytes in the ``RecordBatch``.
package struct RecordField: BitwiseCopyable {
  package enum Kind: UInt8, BitwiseCopyable {
    /// An empty field without quotes, JSON's `null`, a key that an object does not have.
    case null
    /// Bytes that are a text whatever they look like: a quoted field, a JSON string, a nested JSON value.
    case text
    /// The bytes of a delimited field without quotes, which may be a number, or of a JSON number that is no integer of 64 bits.
    case plain
    case integer, real
    /// Bytes that are no text: `{"blob":"<base64>"}`.
    case blob
  }

  /// The offset of the bytes in the batch; an integer, or the bit pattern of a real.
  let bits: UInt64
  /// The number of bytes; 0 where there are none.
  let length: UInt32
  package let kind: Kind

  static let null = RecordField(bits: 0, length: 0, kind: .null)

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

/// Records of one table, in one block of bytes that is filled again and again.
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
  // Sendable because it belongs to one thread at a time: the one that fills it hands it to the one that empties it.

  /// The table that the records belong to, as far as it is known by the last of them.
  package var table = RecordTable(index: 0, name: nil)
  /// The number of records.
  package var count = 0
  /// The number of fields of each record; the number of the table's columns.
  package var columnCount = 0
  /// What was no record of the table, in the order of the lines.
  package var faults: [RecordFault] = []
  /// The number of lines without a field that were passed over; only tables of several columns have such.
  package var blankLineCount = 0
  /// The number of lines that were comments.
  package var commentLineCount = 0
  /// The keys of a JSON object whose values are no part of the table.
  package var passedOver: [String] = []
  /// How many bytes of the file have been read when the batch is full, those of what follows it included.
  package var sourceOffset = 0

  /// The number of bytes that are read at a time; a longer record makes the block grow.
  let byteCapacity: Int
  private(set) var bytes: UnsafeMutablePointer<UInt8>
  /// How many bytes there is room for; scanners may read and write ``padding`` bytes beyond them.
  private(set) var byteRoom: Int
  private var fields: UnsafeMutablePointer<RecordField>
  private var fieldRoom: Int
  /// How many fields lie between the first ones of two records: more than there are columns where columns come one by one.
  private var stride = 0
  /// How many fields have been moved because columns came.
  private(set) var movedFieldCount = 0
  private var lines: UnsafeMutablePointer<Int>
  private var lineRoom: Int

  /// Makes an empty batch.
  ///
  /// - Parameter byteCapacity: how many bytes of the file it takes.
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

  /// Whether it has neither a record nor a fault.
  var isEmpty: Bool { count == 0 && faults.isEmpty }

  /// Returns a field of a record, both from 0.
  @inline(__always)
  package func field(_ record: Int, _ column: Int) -> RecordField {
    assert(record < count && column < columnCount)
    return fields[record &* stride &+ column]
  }

  /// Puts a number in the place of the text that spells it.
  @inline(__always)
  func replaceField(_ record: Int, _ column: Int, by number: RecordField) {
    fields[record &* stride &+ column] = number
  }

  /// Lends the bytes of a text, plain field or blob, until the batch is filled again.
  @inline(__always)
  package func bytes(of field: RecordField) -> UnsafeRawBufferPointer {
    assert(field.kind == .text || field.kind == .plain || field.kind == .blob)
    return UnsafeRawBufferPointer(start: bytes + field.offset, count: Int(field.length))
  }

  /// Returns the line on which a record begins, from 1.
  package func line(of record: Int) -> Int { lines[record] }
}

// MARK: - Filling

extension RecordBatch {
  /// Forgets what is in it.
  func reset(for table: RecordTable) {
    self.table = table
    (count, columnCount, blankLineCount, commentLineCount) = (0, table.columns.count, 0, 0)
    (stride, movedFieldCount) = (columnCount, 0)
    faults.removeAll(keepingCapacity: true)
    passedOver.removeAll()
  }

  static var padding: Int { 16 }

  private static func allocate(_ room: Int) -> UnsafeMutablePointer<UInt8> {
    // Where there is no memory, this says so and ends the program, as any allocation does.
    malloc(room + padding)?.assumingMemoryBound(to: UInt8.self) ?? .allocate(capacity: room + padding)
  }

  /// Makes room for `room` bytes, of which the first `used` ones stay; returns whether there is memory for them.
  func growBytes(to room: Int, keeping used: Int) -> Bool {
    guard room > byteRoom else { return true }
    // The system moves a large block without copying it.
    guard let larger = realloc(bytes, room + Self.padding) else { return false }
    (bytes, byteRoom) = (larger.assumingMemoryBound(to: UInt8.self), room)
    return true
  }

  /// Gives back what a long record has taken, and forgets the bytes.
  func shrinkBytes() {
    guard byteRoom > byteCapacity * 8, let smaller = realloc(bytes, byteCapacity + Self.padding) else { return }
    (bytes, byteRoom) = (smaller.assumingMemoryBound(to: UInt8.self), byteCapacity)
  }

  /// Returns where the fields of the next record go; `finishRecord(line:)` then counts it.
  @inline(__always)
  func nextFields() -> UnsafeMutablePointer<RecordField> {
    if (count + 1) * stride > fieldRoom { growFields(to: (count + 1) * stride) }
    return fields + count &* stride
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

  /// Takes a table that has more columns than before; the records that are here have NULL in them.
  func widen(to table: RecordTable) {
    let (old, new) = (columnCount, table.columns.count)
    self.table = table
    guard new > old else { return }
    if new > stride { spread(to: max(new, stride * 2)) }
    for record in 0..<count { (fields + record * stride + old).update(repeating: .null, count: new - old) }
    columnCount = new
  }

  /// Moves the records apart, so that each has room for more columns.
  private func spread(to newStride: Int) {
    let room = max(fieldRoom, count * newStride)
    let wider = UnsafeMutablePointer<RecordField>.allocate(capacity: max(1, room))
    for record in 0..<count { (wider + record * newStride).update(from: fields + record * stride, count: columnCount) }
    movedFieldCount += count * columnCount
    fields.deallocate()
    (fields, fieldRoom, stride) = (wider, room, newStride)
  }
}

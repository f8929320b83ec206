internal import QuarryEngine

/// JSON objects, in an array or one per line.
///
/// A blob is `{"blob":"<base64>"}`. A text that is not UTF-8, which a JSON string cannot contain, is `{"text":"<base64>"}`. Infinities are
/// the numbers `9e999` and `-9e999`, which parsers read as infinite, like SQLite's own JSON functions. Duplicate column names are numbered
/// as in SQLite: `id`, `id:1`.
struct JSONFormat: RowFormat {
  /// The bytes before each value, such as `{"id":` and `,"title":`, concatenated, because an array of arrays would count references.
  private let keys: [UInt8]
  /// The end of each key in these bytes.
  private let keyEnds: [Int]
  private let isArray: Bool

  init(columns: [String], isArray: Bool) {
    self.isArray = isArray
    var keys = ByteBuffer(capacity: 64)
    keyEnds = Self.unique(columns).enumerated().map { index, name in
      keys.append(index > 0 ? "," : "{")
      var name = name
      name.withUTF8 { Self.write(string: UnsafeRawBufferPointer($0), &keys) }
      keys.append(":")
      return keys.count
    }
    self.keys = Array(keys.bytes)
  }

  private static func unique(_ names: [String]) -> [String] {
    var taken = Set(names)
    var seen: Set<String> = []
    return names.map { name in
      guard !seen.insert(name).inserted else { return name }
      let other = (1...).lazy.map { "\(name):\($0)" }.first { !taken.contains($0) } ?? name
      taken.insert(other)
      return other
    }
  }

  func start(_ out: inout ByteBuffer) {
    if isArray { out.append("[") }
  }

  func finish(_ out: inout ByteBuffer, isEmpty: Bool) {
    if isArray { out.append("]\n") }
  }

  func startRow(_ out: inout ByteBuffer, isFirst: Bool) {
    if isArray, !isFirst { out.append(",\n") }
    if keys.isEmpty { out.append("{") }
  }

  func endRow(_ out: inout ByteBuffer) {
    out.append(isArray ? "}" : "}\n")
  }

  func startCell(_ index: Int, _ out: inout ByteBuffer) {
    let start = index == 0 ? 0 : keyEnds[index - 1]
    keys.withUnsafeBytes { out.append(UnsafeRawBufferPointer(rebasing: $0[start..<keyEnds[index]])) }
  }

  func null(_ out: inout ByteBuffer) {
    out.append("null")
  }

  func text(_ bytes: UnsafeRawBufferPointer, _ out: inout ByteBuffer) {
    if Self.isPlain(bytes) {
      out.append(UInt8(ascii: "\""))
      out.append(bytes)
      out.append(UInt8(ascii: "\""))
    } else if UTF8Validation.firstFault(in: bytes) == nil {
      Self.write(string: bytes, &out)
    } else {
      write(bytes, as: "{\"text\":\"", &out)
    }
  }

  func blob(_ bytes: UnsafeRawBufferPointer, _ out: inout ByteBuffer) {
    write(bytes, as: "{\"blob\":\"", &out)
  }

  /// Returns whether all bytes are ASCII that needs no escape in a string.
  ///
  /// Examines all bytes without a branch, so that the loop can be vectorized.
  private static func isPlain(_ bytes: UnsafeRawBufferPointer) -> Bool {
    var others: UInt8 = 0
    for byte in bytes {
      others |= byte < 0x20 || byte >= 0x7f || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\") ? 1 : 0
    }
    return others == 0
  }

  private func write(_ bytes: UnsafeRawBufferPointer, as head: StaticString, _ out: inout ByteBuffer) {
    out.append(head)
    out.append(base64: bytes)
    out.append("\"}")
  }

  private static func write(string bytes: UnsafeRawBufferPointer, _ out: inout ByteBuffer) {
    out.append(UInt8(ascii: "\""))
    out.append(pieces: bytes) { source, destination in
      var length = 0
      for byte in source {
        length &+= write(byte, to: destination + length)
      }
      return length
    }
    out.append(UInt8(ascii: "\""))
  }

  /// Writes a byte of a string, escaped if necessary, and returns the number of bytes written.
  @inline(__always)
  private static func write(_ byte: UInt8, to destination: UnsafeMutablePointer<UInt8>) -> Int {
    if byte >= 0x20, byte != UInt8(ascii: "\""), byte != UInt8(ascii: "\\"), byte != 0x7f {
      destination[0] = byte
      return 1
    }
    return escape(byte, to: destination)
  }

  private static func escape(_ byte: UInt8, to destination: UnsafeMutablePointer<UInt8>) -> Int {
    destination[0] = UInt8(ascii: "\\")
    destination[1] = escapeLetter(byte)
    guard destination[1] == UInt8(ascii: "u") else { return 2 }
    destination[2] = UInt8(ascii: "0")
    destination[3] = UInt8(ascii: "0")
    destination[4] = ByteBuffer.hexadecimalDigit(byte >> 4)
    destination[5] = ByteBuffer.hexadecimalDigit(byte & 15)
    return 6
  }

  private static func escapeLetter(_ byte: UInt8) -> UInt8 {
    switch byte {
    case UInt8(ascii: "\""), UInt8(ascii: "\\"): byte
    case UInt8(ascii: "\n"): UInt8(ascii: "n")
    case UInt8(ascii: "\r"): UInt8(ascii: "r")
    case UInt8(ascii: "\t"): UInt8(ascii: "t")
    default: UInt8(ascii: "u")
    }
  }
}

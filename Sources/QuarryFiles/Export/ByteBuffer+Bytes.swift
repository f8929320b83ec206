extension ByteBuffer {
  /// Appends `bytes` as an SQL blob literal, `x'00ff'`.
  mutating func append(blobLiteral bytes: UnsafeRawBufferPointer) {
    append("x'")
    append(hexadecimal: bytes)
    append(UInt8(ascii: "'"))
  }

  private mutating func append(hexadecimal bytes: UnsafeRawBufferPointer) {
    let destination = reserve(bytes.count * 2)
    for (index, byte) in bytes.enumerated() {
      destination[2 * index] = Self.hexadecimalDigit(byte >> 4)
      destination[2 * index + 1] = Self.hexadecimalDigit(byte & 15)
    }
    advance(by: bytes.count * 2)
  }

  /// Returns the digit of a value below 16.
  static func hexadecimalDigit(_ value: UInt8) -> UInt8 {
    value < 10 ? UInt8(ascii: "0") &+ value : UInt8(ascii: "a") &+ value &- 10
  }

  /// Appends `bytes` in padded base64.
  mutating func append(base64 bytes: UnsafeRawBufferPointer) {
    var start = 0
    while start < bytes.count {
      let length = min(3, bytes.count - start)
      append(base64Group: (0..<3).reduce(UInt32(0)) { $0 << 8 | ($1 < length ? UInt32(bytes[start + $1]) : 0) }, byteCount: length)
      start += 3
    }
  }

  /// Appends the four characters of up to three bytes, which are in the lower 24 bits of `group`.
  private mutating func append(base64Group group: UInt32, byteCount: Int) {
    let destination = reserve(4)
    for index in 0..<4 {
      let value = UInt8(truncatingIfNeeded: group >> UInt32(18 - 6 * index)) & 63
      destination[index] = index <= byteCount ? Self.base64Digit(value) : UInt8(ascii: "=")
    }
    advance(by: 4)
  }

  private static func base64Digit(_ value: UInt8) -> UInt8 {
    switch value {
    case ..<26: UInt8(ascii: "A") &+ value
    case ..<52: UInt8(ascii: "a") &+ (value &- 26)
    case ..<62: UInt8(ascii: "0") &+ (value &- 52)
    case 62: UInt8(ascii: "+")
    default: UInt8(ascii: "/")
    }
  }

  /// Appends `bytes` with each `byte` among them doubled.
  mutating func append(_ bytes: UnsafeRawBufferPointer, doubling byte: UInt8) {
    append(pieces: bytes) { source, destination in
      var length = 0
      for each in source {
        destination[length] = each
        length &+= 1
        if each == byte {
          destination[length] = each
          length &+= 1
        }
      }
      return length
    }
  }

  /// Appends `bytes` in pieces of some kilobytes, which `write` may enlarge up to six times.
  ///
  /// A cell of 100 MB therefore needs no memory for the worst case.
  @inline(__always)
  mutating func append(pieces bytes: UnsafeRawBufferPointer, _ write: (UnsafeRawBufferPointer, UnsafeMutablePointer<UInt8>) -> Int) {
    var rest = bytes[...]
    while !rest.isEmpty {
      let piece = rest.prefix(4096)
      advance(by: write(UnsafeRawBufferPointer(rebasing: piece), reserve(piece.count * 6)))
      rest = rest[piece.endIndex...]
    }
  }
}

/// Texts that a numeric column converts to numbers.
package enum NumericText {
  /// Returns whether SQLite converts all of the bytes to a number: digits with an optional sign, point and exponent, surrounded by white
  /// space.
  package static func isNumber(_ bytes: UnsafeRawBufferPointer) -> Bool {
    var rest = bytes[...]
    while let first = rest.first, isSpace(first) { rest = rest.dropFirst() }
    while let last = rest.last, isSpace(last) { rest = rest.dropLast() }
    dropSign(&rest)
    var digits = dropDigits(&rest)
    if rest.first == UInt8(ascii: ".") {
      rest = rest.dropFirst()
      digits += dropDigits(&rest)
    }
    guard digits > 0 else { return false }
    if let letter = rest.first, letter | 0x20 == UInt8(ascii: "e") {
      rest = rest.dropFirst()
      dropSign(&rest)
      guard dropDigits(&rest) > 0 else { return false }
    }
    return rest.isEmpty
  }

  private static func isSpace(_ byte: UInt8) -> Bool {
    byte == UInt8(ascii: " ") || (0x09...0x0D).contains(byte)
  }

  private static func dropSign(_ rest: inout Slice<UnsafeRawBufferPointer>) {
    if rest.first == UInt8(ascii: "+") || rest.first == UInt8(ascii: "-") { rest = rest.dropFirst() }
  }

  private static func dropDigits(_ rest: inout Slice<UnsafeRawBufferPointer>) -> Int {
    let digits = rest.prefix { $0 >= UInt8(ascii: "0") && $0 <= UInt8(ascii: "9") }.count
    rest = rest.dropFirst(digits)
    return digits
  }
}

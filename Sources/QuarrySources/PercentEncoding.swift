/// The bytes of a text in which `%20` and its like stand for one.
package enum PercentEncoding {
  /// Returns the bytes; nil where two hexadecimal digits do not follow a `%`, or stand for a NUL, which no path or name has.
  package static func bytes(of text: Substring) -> [UInt8]? {
    var bytes: [UInt8] = []
    var rest = text.utf8[...]
    while let byte = rest.popFirst() {
      guard byte == UInt8(ascii: "%") else {
        bytes.append(byte)
        continue
      }
      let digits = String(decoding: rest.prefix(2), as: UTF8.self)
      guard digits.count == 2, digits.allSatisfy(\.isHexDigit), let value = UInt8(digits, radix: 16), value > 0 else { return nil }
      bytes.append(value)
      rest = rest.dropFirst(2)
    }
    return bytes
  }
}

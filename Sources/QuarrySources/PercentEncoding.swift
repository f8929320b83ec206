/// Decodes percent-encoding such as `%20`.
package enum PercentEncoding {
  /// Returns the decoded bytes.
  ///
  /// Returns nil if a `%` is not followed by two hexadecimal digits, or for a NUL, which no path or name contains.
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

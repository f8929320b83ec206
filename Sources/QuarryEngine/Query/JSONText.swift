/// The escaping of JSON strings.
package enum JSONText {
  /// Returns a text with quotes, backslashes and control characters escaped.
  static func escaped(_ text: String) -> String {
    var result = String.UnicodeScalarView()
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\"", "\\": result.append(contentsOf: ["\\", scalar])
      case "\n": result.append(contentsOf: "\\n".unicodeScalars)
      case "\t": result.append(contentsOf: "\\t".unicodeScalars)
      case "\r": result.append(contentsOf: "\\r".unicodeScalars)
      case "\u{0}"..."\u{1F}": result.append(contentsOf: escape(UInt16(scalar.value)).unicodeScalars)
      default: result.append(scalar)
      }
    }
    return String(result)
  }

  /// Returns the escape of a code unit: `\u00e9`.
  static func escape(_ unit: UInt16) -> String {
    "\\u" + unit.zeroPadded(to: 4, radix: 16)
  }

  /// Returns the text represented by the bytes between quotes; an unknown escape represents the character after its backslash.
  package static func unescaped(_ bytes: some Collection<UInt8>) -> String {
    guard bytes.contains(UInt8(ascii: "\\")) else { return String(decoding: bytes, as: UTF8.self) }
    var units: [UInt16] = []
    var rest = String(decoding: bytes, as: UTF8.self).utf16[...]
    while let unit = rest.popFirst() {
      guard unit == 0x5C, let escape = rest.popFirst() else {
        units.append(unit)
        continue
      }
      if escape == 0x75, let code = UInt16(String(rest.prefix(4)) ?? "", radix: 16), rest.count >= 4 {
        units.append(code)
        rest = rest.dropFirst(4)
      } else {
        units.append(short[escape] ?? escape)
      }
    }
    return String(decoding: units, as: UTF16.self)
  }

  /// The escapes of one letter: `\n`.
  private static let short: [UInt16: UInt16] = [0x62: 0x08, 0x66: 0x0C, 0x6E: 0x0A, 0x72: 0x0D, 0x74: 0x09]
}

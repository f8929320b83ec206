internal import QuarryEngine

/// What bytes say of the encoding of a text: those that belong to no character in the encoding that was tried, and those after them.
struct EncodingEvidence: Hashable {
  /// Whether they are of no text: encrypted or random bytes have many control characters.
  var isBinary = false
  /// The encoding that they are likely to be in; nil where none is likelier.
  var proposal: TextEncoding?

  /// The most bytes that are looked at.
  static let length = 4096

  /// Looks at bytes of which the first one belongs to no character.
  init(_ bytes: [UInt8], of encoding: TextEncoding) {
    switch encoding {
    case .utf8:
      let controls = bytes.count { FileSignature.isControl($0) || $0 == 0x7F }
      isBinary = controls * 50 > bytes.count
      proposal = Self.singleByteEncoding(of: bytes)
    case .windows1252: proposal = .latin1
    case .latin1: break
    // In a text that is broken at one place the characters after it are whole.
    case .utf16LittleEndian, .utf16BigEndian: isBinary = Self.faultCount(bytes, encoding) > max(2, bytes.count / 400)
    }
  }

  /// Returns the encoding of one byte a character that bytes are in; nil where most of them are UTF-8.
  private static func singleByteEncoding(of bytes: [UInt8]) -> TextEncoding? {
    var (invalid, validCount): ([UInt8], Int) = ([], 0)
    bytes.withUnsafeBytes { bytes in
      var rest = bytes[...]
      while let fault = UTF8Validation.firstFault(in: UnsafeRawBufferPointer(rebasing: rest)) {
        validCount += rest.prefix(fault).count { $0 >= 0x80 }
        invalid.append(rest[rest.startIndex + fault])
        rest = rest[(rest.startIndex + fault + 1)...]
      }
      validCount += rest.count { $0 >= 0x80 }
    }
    if validCount > 2 * invalid.count { return nil }
    // Latin-1 has control characters there, which no text has.
    guard invalid.contains(where: { (0x80...0x9F).contains($0) }) else { return .latin1 }
    return invalid.allSatisfy { Windows1252.character($0) != nil } ? .windows1252 : .latin1
  }

  // MARK: UTF-16

  /// Returns the kind of UTF-16 that a text without a byte order mark begins in; nil for any other text.
  ///
  /// A quarter of its characters at least are those of ASCII, of which one byte is 0, and it has no control characters.
  static func utf16(_ head: [UInt8]) -> TextEncoding? {
    let units = head.count / 2
    let zeros = (0..<units).reduce(into: (even: 0, odd: 0)) { zeros, unit in
      if head[unit * 2] == 0 { zeros.even += 1 }
      if head[unit * 2 + 1] == 0 { zeros.odd += 1 }
    }
    let encoding = zeros.odd > zeros.even ? TextEncoding.utf16LittleEndian : .utf16BigEndian
    let (most, least) = (max(zeros.odd, zeros.even), min(zeros.odd, zeros.even))
    guard most > 1, most * 4 >= units, least * 8 <= most, isText(head, encoding), pairCount(head) * 2 <= most else { return nil }
    return encoding
  }

  /// Returns how many pairs of bytes are both characters of ASCII, as those of a text of one byte a character are.
  private static func pairCount(_ head: [UInt8]) -> Int {
    (0..<head.count / 2).count { isPrintable(head[$0 * 2]) && isPrintable(head[$0 * 2 + 1]) }
  }

  private static func isPrintable(_ byte: UInt8) -> Bool { (0x20...0x7E).contains(byte) || (0x09...0x0D).contains(byte) }

  private static func isText(_ head: [UInt8], _ encoding: TextEncoding) -> Bool {
    let units = units(of: head, encoding)
    return faultCount(head, encoding) == 0 && !units.contains { $0 < 0x20 && FileSignature.isControl(UInt8($0)) }
  }

  private static func units(of bytes: [UInt8], _ encoding: TextEncoding) -> [UInt16] {
    let (low, high) = encoding == .utf16LittleEndian ? (0, 1) : (1, 0)
    return (0..<bytes.count / 2).map { UInt16(bytes[$0 * 2 + high]) << 8 | UInt16(bytes[$0 * 2 + low]) }
  }

  /// Returns how many halves of characters stand without the other half; the last unit may be the first half of one.
  private static func faultCount(_ bytes: [UInt8], _ encoding: TextEncoding) -> Int {
    let units = units(of: bytes, encoding)
    var (count, index) = (0, 0)
    while index < units.count {
      if UTF16.isLeadSurrogate(units[index]) {
        let isWhole = index + 1 >= units.count || UTF16.isTrailSurrogate(units[index + 1])
        if isWhole { index += 1 } else { count += 1 }
      } else if UTF16.isTrailSurrogate(units[index]) {
        count += 1
      }
      index += 1
    }
    return count
  }
}

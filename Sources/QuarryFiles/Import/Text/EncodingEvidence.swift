internal import QuarryEngine

/// Evidence for the encoding of a text from bytes: invalid bytes in the encoding that was tried, and the bytes after them.
struct EncodingEvidence: Hashable {
  /// Whether the bytes are not text.
  ///
  /// Encrypted or random bytes contain many control characters.
  var isBinary = false
  /// The probable encoding, or nil if none is more probable.
  var proposal: TextEncoding?

  /// The maximum number of bytes to examine.
  static let length = 4096

  /// Examines bytes, the first of which is not part of a character.
  init(_ bytes: [UInt8], of encoding: TextEncoding) {
    switch encoding {
    case .utf8:
      let controls = bytes.count { FileSignature.isControl($0) || $0 == 0x7F }
      isBinary = controls * 50 > bytes.count
      proposal = Self.singleByteEncoding(of: bytes)
    case .windows1252: proposal = .latin1
    case .latin1: break
    // In a text with a single fault, the characters after it are valid.
    case .utf16LittleEndian, .utf16BigEndian: isBinary = Self.faultCount(bytes, encoding) > max(2, bytes.count / 400)
    }
  }

  /// Returns the probable single-byte encoding of bytes, or nil if most of them are UTF-8.
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
    // In Latin-1 these are control characters, which do not occur in text.
    guard invalid.contains(where: { (0x80...0x9F).contains($0) }) else { return .latin1 }
    return invalid.allSatisfy { Windows1252.character($0) != nil } ? .windows1252 : .latin1
  }

  // MARK: UTF-16

  /// Returns the kind of UTF-16 at the beginning of a text without a byte order mark, or nil for any other text.
  ///
  /// At least a quarter of its characters must be ASCII, which have one zero byte, and none may be a control character.
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

  /// Returns the number of byte pairs that are two ASCII characters, as in a text with a single-byte encoding.
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

  /// Returns the number of unpaired surrogates.
  ///
  /// The last unit may be the first half of a pair.
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

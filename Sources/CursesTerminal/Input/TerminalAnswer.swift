/// A string that a terminal sends in answer to a query about its colors, version or capabilities.
///
/// The program sends no such queries, but a previous program may have. The answer is discarded so that its letters are not decoded as keys.
struct TerminalAnswer {
  /// The maximum length of an answer in bytes.
  private static let longest = 1 << 20

  private var count = 0

  /// Returns whether `bytes`, an escape and the following bytes, begin an answer.
  ///
  /// Returns nil if more bytes are needed.
  ///
  /// OSC begins with a number or with `l` or `L`, DCS with a number, `>` or `!`, APC with `G`. Users are unlikely to type these immediately
  /// after Alt-], Alt-P and Alt-_.
  static func begins(_ bytes: ArraySlice<UInt8>) -> Bool? {
    guard let introducer = bytes.dropFirst().first, let first = heads[introducer] else { return false }
    return bytes.dropFirst(2).first.map(first.contains)
  }

  private static let digits = Set(UInt8(ascii: "0")...UInt8(ascii: "9"))

  private static let heads: [UInt8: Set<UInt8>] = [
    UInt8(ascii: "]"): digits.union([UInt8(ascii: "l"), UInt8(ascii: "L")]),
    UInt8(ascii: "P"): digits.union([UInt8(ascii: ">"), UInt8(ascii: "!")]),
    UInt8(ascii: "_"): [UInt8(ascii: "G")],
  ]

  /// Consumes bytes up to the end of the answer: BEL, `ESC \`, or a key that does not occur in answers.
  ///
  /// - Returns: The number of bytes of the answer, and whether it has ended.
  mutating func take(_ bytes: ArraySlice<UInt8>) -> (length: Int, isOver: Bool) {
    guard let end = bytes.firstIndex(where: { $0 < 0x20 || $0 == 0x7F }) else {
      count += bytes.count
      return (bytes.count, count > Self.longest)
    }
    let length = end - bytes.startIndex
    if bytes[end] == 0x07 { return (length + 1, true) }
    guard bytes[end] == 0x1B else { return (length, true) }
    guard end + 1 < bytes.endIndex else { return (length, false) }
    return bytes[end + 1] == UInt8(ascii: "\\") ? (length + 2, true) : (length, true)
  }

  /// Returns whether `input` is the rest of an answer or a key whose beginning, `taken`, was decoded as a key because of a slow connection.
  ///
  /// Users do not type so many bytes at once.
  static func isRest(_ input: some Collection<UInt8>, of taken: [UInt8]) -> Bool {
    guard !taken.isEmpty, taken.count <= 2, taken[0] == 0x1B, input.count > 2 else { return false }
    let bytes = taken + input.prefix(ControlSequence.longest)
    let (introducer, body) = (bytes[1], bytes.dropFirst(2))
    switch introducer {
    case UInt8(ascii: "["):
      return ControlSequence(bytes[...]).map { $0.mark != nil || body.first.map(digits.contains) == true } ?? false
    case UInt8(ascii: "]"):
      let number = body.prefix { digits.contains($0) }
      return (1...4).contains(number.count) && body.dropFirst(number.count).first == UInt8(ascii: ";")
    case UInt8(ascii: "P"):
      let mark = body.first.map(digits.contains) == true ? body.dropFirst().first : nil
      return mark == UInt8(ascii: "+") || mark == UInt8(ascii: "$") || body.starts(with: ">|".utf8) || body.starts(with: "!|".utf8)
    default:
      return false
    }
  }
}

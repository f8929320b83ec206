/// The part of a text around a match, for a line of a list.
struct SearchExcerpt {
  /// The text, with `…` for omitted parts.
  let text: String
  /// The range of matching characters.
  let match: Range<Int>

  /// The numbers of bytes shown before the match, and after its beginning; a text that is no longer than both is shown completely.
  private static let (before, after) = (60, 180)

  /// Creates the excerpt of a text with the byte range of its match.
  init(_ bytes: UnsafeRawBufferPointer, match: Range<Int>) {
    let isLong = bytes.count > Self.before + Self.after
    let start = isLong && match.lowerBound > Self.before ? Self.boundary(in: bytes, from: match.lowerBound - Self.before) : 0
    let end = isLong ? max(match.upperBound, min(bytes.count, match.lowerBound + Self.after)) : bytes.count
    let last = end < bytes.count ? max(match.upperBound, Self.boundary(in: bytes, before: end)) : end
    let head = (start > 0 ? "…" : "") + Self.text(bytes[start..<match.lowerBound])
    let whole = head + Self.text(bytes[match]) + Self.text(bytes[match.upperBound..<last]) + (last < bytes.count ? "…" : "")
    text = whole
    // A character may extend into the match, or beyond it.
    let length = (head + Self.text(bytes[match])).count
    let first = min(head.count, max(0, length - 1))
    self.match = first..<max(length, first)
  }

  private static func text(_ bytes: Slice<UnsafeRawBufferPointer>) -> String { String(decoding: bytes, as: UTF8.self) }

  /// Returns the first position at or after a position at which a UTF-8 character may begin.
  private static func boundary(in bytes: UnsafeRawBufferPointer, from place: Int) -> Int {
    (place..<min(bytes.count, place + 4)).first { bytes[$0] & 0xC0 != 0x80 } ?? place
  }

  /// Returns the last position at or before a position at which a UTF-8 character may begin.
  private static func boundary(in bytes: UnsafeRawBufferPointer, before place: Int) -> Int {
    (max(0, place - 3)...place).reversed().first { bytes[$0] & 0xC0 != 0x80 } ?? place
  }
}

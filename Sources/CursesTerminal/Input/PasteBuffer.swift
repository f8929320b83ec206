/// The bytes of a bracketed paste that has begun.
struct PasteBuffer {
  private static let end: [UInt8] = Array("\u{1B}[201~".utf8)

  private var bytes: [UInt8] = []

  /// Takes `input` up to the end mark; returns how many bytes are left after it, or nil where it has not come yet.
  mutating func append(_ input: ArraySlice<UInt8>) -> Int? {
    let searched = max(0, bytes.count - Self.end.count + 1)
    bytes += input
    guard let mark = firstEnd(from: searched) else { return nil }
    let left = bytes.count - mark - Self.end.count
    bytes.removeSubrange(mark...)
    return left
  }

  /// The text, its line ends as `\n`; a terminal sends carriage returns for them.
  var text: String {
    var text: [UInt8] = []
    text.reserveCapacity(bytes.count)
    var previous: UInt8 = 0
    for byte in bytes {
      if byte != 0x0A || previous != 0x0D { text.append(byte == 0x0D ? 0x0A : byte) }
      previous = byte
    }
    return String(decoding: text, as: UTF8.self)
  }

  private func firstEnd(from start: Int) -> Int? {
    var index = start
    while let escape = bytes[index...].firstIndex(of: 0x1B) {
      if bytes[escape...].starts(with: Self.end) { return escape }
      index = escape + 1
    }
    return nil
  }
}

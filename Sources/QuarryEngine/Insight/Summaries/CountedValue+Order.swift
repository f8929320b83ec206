extension CountedValue {
  /// Makes a counted value of the kept beginning of a text, without a character that is cut through.
  init(beginning bytes: UnsafeRawBufferPointer) {
    let isCut = bytes.count >= FrequencyTable.prefixLimit
    let end = isCut ? bytes.suffix(4).lastIndex { $0 & 0xC0 != 0x80 } : nil
    guard let end, end > 0, bytes[end] >= 0x80 else {
      self.init(text: bytes)
      return
    }
    self.init(text: UnsafeRawBufferPointer(rebasing: bytes[..<end]))
  }

  /// Returns whether it comes before another value in SQLite's order, texts in one of their own.
  func precedes(_ other: CountedValue, in order: ByteOrder) -> Bool {
    if rank != other.rank { return rank < other.rank }
    switch (self, other) {
    case (.value(.integer(let one)), .value(.integer(let two))): return one < two
    case (.value(.real(let one)), .value(.real(let two))): return one < two
    case (.value(.integer(let one)), .value(.real(let two))): return NumberKey.compare(one, two) < 0
    case (.value(.real(let one)), .value(.integer(let two))): return NumberKey.compare(two, one) > 0
    default:
      let order = rank == Self.textRank ? order : .bytes
      return bytes.withUnsafeBytes { one in other.bytes.withUnsafeBytes { two in order.compare(one, two) < 0 } }
    }
  }

  private static let textRank = 2

  private var rank: Int {
    switch self {
    case .value(.null): 0
    case .value(.integer), .value(.real), .bin: 1
    case .value(.text), .rawText: Self.textRank
    case .value(.blob): 3
    }
  }

  private var bytes: [UInt8] {
    switch self {
    case .value(.text(let text)): Array(text.utf8)
    case .value(.blob(let bytes)), .rawText(let bytes): bytes
    case .value, .bin: []
    }
  }
}

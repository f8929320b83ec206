/// Damages the files of a database as disks, crashes and strangers do.
struct Damage {
  /// What was done, for the report.
  private(set) var description = ""
  private(set) var files: [String: [UInt8]]
  private let pageSize: Int

  init(_ files: [String: [UInt8]], pageSize: Int) {
    (self.files, self.pageSize) = (files, pageSize)
  }

  /// Damages one of the files, mostly the database itself.
  mutating func apply(_ random: inout CaseRandom) {
    let others = files.keys.filter { $0 != "app.db" }.sorted()
    let name = others.isEmpty || random.below(3) > 0 ? "app.db" : random.pick(others, default: "app.db")
    guard var bytes = files[name], !bytes.isEmpty else { return }
    description += (description.isEmpty ? "" : "; ") + "\(name): " + Self.damage(&bytes, pageSize, &random)
    files[name] = bytes
  }

  private static func damage(_ bytes: inout [UInt8], _ size: Int, _ random: inout CaseRandom) -> String {
    switch random.below(9) {
    case 0: return flipBits(&bytes, in: 0..<bytes.count, 1 + random.below(8), &random)
    case 1: return flipBits(&bytes, in: 0..<min(bytes.count, 100), 1 + random.below(3), &random)
    case 2:
      // The header of a page, where the numbers are that lead to others.
      let start = random.below(bytes.count / size) * size
      return flipBits(&bytes, in: start..<min(bytes.count, start + 24), 1 + random.below(4), &random)
    case 3:
      let length = random.oneIn(2) ? random.below(bytes.count) : random.below(bytes.count / size) * size
      bytes.removeSubrange(length...)
      return "cut to \(length) bytes"
    case 4: return copyPage(&bytes, size, &random)
    case 5: return swapPages(&bytes, size, &random)
    case 6:
      let start = random.below(bytes.count / size) * size
      for index in start..<min(bytes.count, start + size) { bytes[index] = 0 }
      return "page at \(start) zeroed"
    case 7:
      let (start, noise) = (random.below(bytes.count), random.bytes(1 + random.below(64)))
      for (offset, byte) in noise.enumerated() where start + offset < bytes.count { bytes[start + offset] = byte }
      return "\(noise.count) random bytes at \(start)"
    default: return changeSchema(&bytes, &random)
    }
  }

  private static func flipBits(_ bytes: inout [UInt8], in range: Range<Int>, _ count: Int, _ random: inout CaseRandom) -> String {
    let places = (0..<count).map { _ in range.lowerBound + random.below(range.count) }
    for place in places where place < bytes.count { bytes[place] ^= 1 << UInt8(random.below(8)) }
    return "bits flipped at \(places)"
  }

  private static func copyPage(_ bytes: inout [UInt8], _ size: Int, _ random: inout CaseRandom) -> String {
    let (from, to) = (random.below(bytes.count / size) * size, random.below(bytes.count / size) * size)
    for offset in 0..<size where max(from, to) + offset < bytes.count { bytes[to + offset] = bytes[from + offset] }
    return "page at \(from) copied to \(to)"
  }

  private static func swapPages(_ bytes: inout [UInt8], _ size: Int, _ random: inout CaseRandom) -> String {
    let (from, to) = (random.below(bytes.count / size) * size, random.below(bytes.count / size) * size)
    for offset in 0..<size where max(from, to) + offset < bytes.count { bytes.swapAt(to + offset, from + offset) }
    return "pages at \(from) and \(to) swapped"
  }

  /// Changes a byte of the schema's SQL: of the text behind one of the words CREATE.
  private static func changeSchema(_ bytes: inout [UInt8], _ random: inout CaseRandom) -> String {
    let word = Array("CREATE".utf8)
    let places = bytes.indices.dropLast(word.count).filter { bytes[$0] == word[0] && bytes[$0..<$0 + word.count].elementsEqual(word) }
    guard let place = places.randomElement(using: &random) else { return flipBits(&bytes, in: 0..<bytes.count, 1, &random) }
    let target = min(bytes.count - 1, place + random.below(120))
    let byte = random.pick(Array("(),'\";x1 \n\0\u{1B}".utf8) + random.bytes(2), default: 0)
    bytes[target] = byte
    return "byte \(byte) in the schema at \(target)"
  }
}

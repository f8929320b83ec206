/// Texts that would control a terminal if they reached it.
enum HostileText {
  /// A number in their sequences that no program uses.
  static let mark = 4321

  private static let fragments: [[UInt8]] =
    [
      "\u{1B}[\(mark)m", "\u{1B}[2;\(mark)H", "\u{1B}]4321;pwned\u{7}", "\u{1B}]0;pwned\n\u{7}", "\u{1B}c", "\u{1B}P\(mark)\u{1B}\\",
      "\u{9B}31m",
      "\u{85}", "\u{1B}", "\r", "\n", "\u{8}\u{8}", "\t", "\u{7F}", "\u{5}", "\u{E}", "\u{0C}", "\u{202E}evil", "\u{2066}", "\u{200E}",
      "\u{FEFF}",
      "\u{E0041}\u{E007F}", "\u{2028}", "\u{2029}", "\u{AD}", "\u{FFFE}", "\u{1F468}\u{200D}\u{1F469}", "e\u{301}\u{302}\u{303}",
      "\u{4E2D}",
      "\u{FFF9}a\u{FFFB}", "\u{180E}", "\u{600}", "'", "\"", "]", "`", ";", "--", "plain", "NULL", "%s", "\\",
    ].map { Array($0.utf8) } + [[0xFF], [0xC0, 0x80], [0xED, 0xA0, 0x80], [0x9B], [0x90], [0xF4, 0x90, 0x80, 0x80], [0xE2, 0x82]]

  /// Returns bytes without NUL.
  static func random(_ random: inout CaseRandom) -> [UInt8] {
    var bytes: [UInt8] = []
    for _ in 0...random.below(5) {
      bytes += random.oneIn(3) ? random.bytes(1 + random.below(6)) : random.pick(fragments, default: [])
    }
    return bytes.map { $0 == 0 ? 1 : $0 }
  }

  /// Returns a text that may be an argument or the name of a file.
  static func randomName(_ random: inout CaseRandom) -> String {
    let name = String(decoding: HostileText.random(&random), as: UTF8.self).replacing("/", with: "|")
    return String(name.prefix(40))
  }
}

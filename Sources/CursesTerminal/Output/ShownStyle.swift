import Terminal

/// A style as shown by a terminal with a given number of colors.
struct ShownStyle: Hashable {
  enum Paint: Hashable {
    case standard
    case index(Int)
    case direct(red: UInt8, green: UInt8, blue: UInt8)
  }

  var foreground: Paint = .standard
  var background: Paint = .standard
  var attributes: Attributes = []

  static let plain = ShownStyle()

  private init() {}

  init(_ style: Style, depth: ColorDepth) {
    attributes = style.attributes
    foreground = Self.paint(style.foreground, depth: depth)
    background = Self.paint(style.background, depth: depth)
    guard depth == .eight else { return }
    // A terminal with eight colors shows bright colors as bold ones.
    if case .index(let index) = foreground, index >= 8 { attributes.insert(.bold) }
    if case .index(let index) = foreground { foreground = .index(index & 7) }
    if case .index(let index) = background { background = .index(index & 7) }
  }

  private static func paint(_ color: Color, depth: ColorDepth) -> Paint {
    switch (color, depth) {
    case (_, .none), (.standard, _): .standard
    case (.ansi(let index), _): .index(Int(index & 15))
    case (.rgb(let red, let green, let blue, _), .direct): .direct(red: red, green: green, blue: blue)
    case (.rgb(let red, let green, let blue, _), .indexed): .index(Int(NearestColor.index(red: red, green: green, blue: blue)))
    case (.rgb(_, _, _, let ansi), _): ansi.map { .index(Int($0 & 15)) } ?? .standard
    }
  }

  /// Returns the parameters of the rendition that changes `old` into this style.
  func renditions(after old: ShownStyle) -> [String] {
    var parameters = endings(after: old)
    // Bold and dim end together.
    let kept = parameters.contains("22") ? old.attributes.subtracting([.bold, .dim]) : old.attributes
    parameters += Self.attributeParameters.filter { attributes.contains($0.attribute) && !kept.contains($0.attribute) }.map(\.begin)
    if foreground != old.foreground { parameters.append(Self.parameter(foreground, base: 30)) }
    if background != old.background { parameters.append(Self.parameter(background, base: 40)) }
    return parameters
  }

  private func endings(after old: ShownStyle) -> [String] {
    let ended = Self.attributeParameters.filter { old.attributes.contains($0.attribute) && !attributes.contains($0.attribute) }.map(\.end)
    return ended.starts(with: ["22", "22"]) ? Array(ended.dropFirst()) : ended
  }

  private static func parameter(_ paint: Paint, base: Int) -> String {
    switch paint {
    case .standard: String(base + 9)
    case .index(let index) where index < 8: String(base + index)
    case .index(let index) where index < 16: String(base + 60 + index - 8)
    case .index(let index): "\(base + 8);5;\(index)"
    case .direct(let red, let green, let blue): "\(base + 8);2;\(red);\(green);\(blue)"
    }
  }

  private static let attributeParameters: [(attribute: Attributes, begin: String, end: String)] = [
    (.bold, "1", "22"), (.dim, "2", "22"), (.italic, "3", "23"), (.underline, "4", "24"), (.reverse, "7", "27"),
    (.strikethrough, "9", "29"),
  ]
}

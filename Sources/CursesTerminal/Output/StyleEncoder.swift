package import Terminal

/// Encodes a change of style as terminal output.
package struct StyleEncoder {
  private let capabilities: Capabilities
  private let depth: ColorDepth
  /// Whether the terminal supports ECMA-48 renditions, which can end one attribute or color without the others.
  private let isStandard: Bool
  private var known: [Style: ShownStyle] = [:]

  package init(capabilities: Capabilities, depth: ColorDepth) {
    self.capabilities = capabilities
    self.depth = depth
    isStandard = capabilities.originalColors == Array("\u{1B}[39;49m".utf8)
  }

  /// Returns the bytes that change the terminal from one style to another.
  ///
  /// A nil style is unknown.
  package mutating func change(from old: Style?, to new: Style) -> [UInt8] {
    if old == new { return [] }
    let shown = shown(new)
    let before = old.map { self.shown($0) }
    if before == shown { return [] }
    return isStandard ? renditions(from: before, to: shown) : capabilityStrings(from: before, to: shown)
  }

  /// Returns whether an erased cell is a blank in `style`.
  package mutating func erases(to style: Style) -> Bool {
    style.attributes.isDisjoint(with: .inked) && (capabilities.erasesWithBackground || shown(style).background == .standard)
  }

  private mutating func shown(_ style: Style) -> ShownStyle {
    if let shown = known[style] { return shown }
    let shown = ShownStyle(style, depth: depth)
    // A theme has some dozens of styles. More than this come from a picture, and are not worth the memory.
    if known.count > 4096 { known = [:] }
    known[style] = shown
    return shown
  }

  private func renditions(from old: ShownStyle?, to new: ShownStyle) -> [UInt8] {
    let whole = ["0"] + new.renditions(after: .plain)
    guard let old else { return Self.sequence(whole) }
    let change = Self.sequence(new.renditions(after: old))
    let afresh = new == .plain ? Array("\u{1B}[m".utf8) : Self.sequence(whole)
    return afresh.count < change.count ? afresh : change
  }

  private static func sequence(_ renditions: [String]) -> [UInt8] {
    Array("\u{1B}[\(renditions.joined(separator: ";"))m".utf8)
  }

  /// Returns the sequences for a terminal that may not follow ECMA-48, where an attribute ends only together with all others.
  private func capabilityStrings(from old: ShownStyle?, to new: ShownStyle) -> [UInt8] {
    var bytes: [UInt8] = []
    var old = old
    let losesColor = old.map {
      ($0.foreground != new.foreground && new.foreground == .standard) || ($0.background != new.background && new.background == .standard)
    }
    if losesColor ?? true || !(old?.attributes.isSubset(of: new.attributes) ?? false) {
      bytes += capabilities.reset + (capabilities.colors > 0 ? capabilities.originalColors : [])
      old = .plain
    }
    for (attribute, string) in capabilities.attributes.sorted(by: { $0.key < $1.key }) {
      let attribute = Attributes(rawValue: attribute)
      if new.attributes.contains(attribute), old?.attributes.contains(attribute) != true { bytes += string }
    }
    if case .index(let index) = new.foreground, old?.foreground != new.foreground { bytes += capabilities.foreground(index) }
    if case .index(let index) = new.background, old?.background != new.background { bytes += capabilities.background(index) }
    return bytes
  }
}

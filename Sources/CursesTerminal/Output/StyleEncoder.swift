package import Terminal

/// Turns a change of style into the bytes that make it.
package struct StyleEncoder {
  private let capabilities: Capabilities
  private let depth: ColorDepth
  /// The terminal takes ECMA-48's renditions, by which one attribute or colour ends without the others.
  private let isStandard: Bool
  private var known: [Style: ShownStyle] = [:]

  package init(capabilities: Capabilities, depth: ColorDepth) {
    self.capabilities = capabilities
    self.depth = depth
    isStandard = capabilities.originalColors == Array("\u{1B}[39;49m".utf8)
  }

  /// Returns what changes the terminal from one style, nil where it is unknown, to another.
  package mutating func change(from old: Style?, to new: Style) -> [UInt8] {
    if old == new { return [] }
    let shown = shown(new)
    let before = old.map { self.shown($0) }
    if before == shown { return [] }
    return isStandard ? renditions(from: before, to: shown) : capabilityStrings(from: before, to: shown)
  }

  /// Tells whether an erased cell is a blank in `style`.
  package mutating func erases(to style: Style) -> Bool {
    style.attributes.isDisjoint(with: .inked) && (capabilities.erasesWithBackground || shown(style).background == .standard)
  }

  private mutating func shown(_ style: Style) -> ShownStyle {
    if let shown = known[style] { return shown }
    let shown = ShownStyle(style, depth: depth)
    // A theme has some dozens of styles; more than this are a picture, and not worth the memory.
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

  /// Returns the sequences for a terminal that need not follow ECMA-48: an attribute ends only with all others.
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

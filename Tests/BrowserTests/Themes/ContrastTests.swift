import Browser
import Terminal
import TestSupport
import Testing

@Suite("The contrast of every built-in theme", .gated)
struct ContrastTests {
  /// The grounds that text is drawn on.
  private static let grounds: [Role] = [.text, .header, .selection, .currentRow, .cursor]
  /// Roles that are marks and lines rather than text.
  private static let marks: Set<Role> = [.border]
  /// Roles that are grounds themselves, and are not drawn on others.
  private static let onlyGrounds: Set<Role> = [.selection, .currentRow, .cursor, .header]

  @Test("is 4.5 for text on every ground that it is drawn on, and 3 for marks", arguments: BuiltInThemes.names)
  func roles(name: String) throws {
    let theme = try #require(ThemeCatalog().theme(named: name)).theme
    for ground in Self.grounds {
      for role in Role.allCases where role == ground || !Self.onlyGrounds.contains(role) {
        let style = theme.style(role, on: ground)
        guard let contrast = Contrast.ratio(style.foreground, style.background) else { continue }
        #expect(contrast >= (Self.marks.contains(role) ? 3 : 4.5), "\(role) on \(ground): \(style), \(contrast)")
      }
    }
  }

  @Test("is 3 between the cursor's cell and what is around it, or the cell is reversed", arguments: BuiltInThemes.names)
  func cursor(name: String) throws {
    let theme = try #require(ThemeCatalog().theme(named: name)).theme
    let cell = theme.style(.cursor)
    for ground in [Role.text, .currentRow] {
      let around = theme.style(ground)
      guard let contrast = Contrast.ratio(cell.background, around.background) else {
        #expect(cell.attributes.contains(.reverse), "\(cell)")
        continue
      }
      #expect(contrast >= 3, "on \(ground): \(contrast)")
    }
  }

  @Test("tints the cursor's row where the theme has colors of its own", arguments: BuiltInThemes.names)
  func row(name: String) throws {
    let theme = try #require(ThemeCatalog().theme(named: name)).theme
    guard case .rgb = theme.style(.text).background else { return }
    #expect(theme.style(.currentRow).background != theme.style(.text).background)
    #expect(theme.style(.currentRow).background != theme.style(.selection).background)
  }
}

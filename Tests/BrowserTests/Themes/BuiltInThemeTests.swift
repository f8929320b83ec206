import Browser
import Foundation
import Terminal
import TestSupport
import Testing

@Suite("The built-in themes", .gated)
struct BuiltInThemeTests {
  /// Those whose look is ours to answer for.
  static let ours = ["quarry-dark", "quarry-light", "high-contrast"]

  func theme(_ name: String) throws -> Theme {
    try #require(ThemeCatalog().theme(named: name)).theme
  }

  /// The roles whose text must be read.
  static let textRoles = Role.allCases.filter { $0 != .border }

  @Test("are the files of the folder, to the byte")
  func folder() throws {
    var root = URL(filePath: #filePath)
    for _ in 0..<4 { root.deleteLastPathComponent() }
    let folder = root.appending(path: "themes")
    let files = try FileManager.default.contentsOfDirectory(atPath: folder.path(percentEncoded: false)).sorted()
    #expect(files == BuiltInThemes.names.map { "\($0).toml" })
    for name in BuiltInThemes.names {
      let text = try String(contentsOf: folder.appending(path: "\(name).toml"), encoding: .utf8)
      #expect(BuiltInThemes.text(of: name) == text)
    }
  }

  @Test("load without a warning and say their names", arguments: BuiltInThemes.names)
  func load(name: String) throws {
    let found = try #require(ThemeCatalog().theme(named: name))
    #expect(found.warnings == [])
    #expect(try #require(BuiltInThemes.text(of: name)).contains("\nname = \"\(name)\"\n"))
  }

  @Test("give every color of 24 bits a stand-in for terminals of 16", arguments: BuiltInThemes.names)
  func standIns(name: String) throws {
    let theme = try theme(name)
    for role in Role.allCases {
      for color in [theme.style(role).foreground, theme.style(role).background] {
        guard case .rgb(_, _, _, let ansi) = color else { continue }
        #expect(ansi != nil, "\(role)")
      }
    }
  }

  @Test("make selection, hit, header and error differ from text, also without colors", arguments: BuiltInThemes.names)
  func states(name: String) throws {
    let theme = try theme(name)
    for role in [Role.selection, .match, .header, .error, .null, .muted] {
      #expect(theme.style(role) != theme.style(.text), "\(role)")
    }
    #expect(theme.style(.match, on: .selection) != theme.style(.selection))
  }

  @Test("of our own keep text at a contrast of 4.5 to 1 on its background", arguments: ours)
  func contrast(name: String) throws {
    let theme = try theme(name)
    for role in Self.textRoles {
      let style = theme.style(role)
      let contrast = try #require(Contrast.ratio(style.foreground, style.background))
      #expect(contrast >= (theme.name == "high-contrast" ? 7 : 4.5), "\(role): \(contrast)")
    }
  }

  @Test("of our own keep values readable in the selection and in the header", arguments: ours)
  func layered(name: String) throws {
    let theme = try theme(name)
    for base in [Role.selection, .header] {
      for role in Self.textRoles {
        let style = theme.style(role, on: base)
        let contrast = try #require(Contrast.ratio(style.foreground, style.background))
        #expect(contrast >= 3, "\(role) on \(base): \(contrast)")
      }
    }
  }

  @Test("of our own set the selection off from the rest", arguments: ours)
  func selection(name: String) throws {
    let theme = try theme(name)
    let contrast = try #require(Contrast.ratio(theme.style(.selection).background, theme.style(.text).background))
    #expect(contrast >= 1.4, "\(contrast)")
  }

  @Test("by others' palettes keep text readable", arguments: BuiltInThemes.names)
  func customary(name: String) throws {
    let theme = try theme(name)
    for role in Self.textRoles where theme.style(role).foreground != .standard {
      guard let contrast = Contrast.ratio(theme.style(role).foreground, theme.style(role).background) else { continue }
      #expect(contrast >= 2.9, "\(role): \(contrast)")
    }
  }

  @Test("include one without any color, which is the fallback")
  func mono() {
    for role in Role.allCases {
      let style = Theme.fallback.style(role)
      #expect(style.foreground == .standard && style.background == .standard)
    }
    #expect(Theme.fallback.name == "mono")
    let states = [Role.text, .selection, .match, .header, .error, .warning, .null].map { Theme.fallback.style($0).attributes.rawValue }
    #expect(Set(states).count == states.count)
  }
}

/// The contrast of WCAG 2 with the standard's own curve.
enum Contrast {
  static func ratio(_ left: Color, _ right: Color) -> Double? {
    guard let left = luminance(left), let right = luminance(right) else { return nil }
    return (max(left, right) + 0.05) / (min(left, right) + 0.05)
  }

  private static func luminance(_ color: Color) -> Double? {
    guard case .rgb(let red, let green, let blue, _) = color else { return nil }
    let light = [red, green, blue].map { component in
      let value = Double(component) / 255
      return value <= 0.04045 ? value / 12.92 : pow((value + 0.055) / 1.055, 2.4)
    }
    return 0.2126 * light[0] + 0.7152 * light[1] + 0.0722 * light[2]
  }
}

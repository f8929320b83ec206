import CursesTerminal
import Testing

@Suite struct ColorTests {
  @Test(
    arguments: [
      (0, 0, 0, 16), (255, 255, 255, 231), (255, 0, 0, 196), (0, 255, 0, 46), (0, 0, 255, 21), (95, 135, 175, 67), (8, 8, 8, 232),
      (128, 128, 128, 244),
      (238, 238, 238, 255), (250, 5, 3, 196),
    ] as [(UInt8, UInt8, UInt8, UInt8)])
  func theNearestOf256IsFound(_ red: UInt8, _ green: UInt8, _ blue: UInt8, _ index: UInt8) {
    #expect(NearestColor.index(red: red, green: green, blue: blue) == index)
  }

  @Test(
    arguments: [
      ("xterm-256color", 256, false, nil, ColorDepth.indexed), ("xterm-256color", 256, false, "truecolor", .direct),
      ("xterm-256color", 256, false, "24bit", .direct), ("xterm-256color", 256, false, "yes", .indexed),
      ("xterm-256color", 256, true, nil, .direct),
      ("xterm-direct", 16_777_216, false, nil, .direct), ("xterm-kitty", 256, false, nil, .direct), ("linux", 8, false, nil, .eight),
      ("rxvt", 16, false, nil, .sixteen), ("xterm", 88, false, nil, .sixteen), ("vt100", 0, false, nil, .none),
      ("vt100", -1, false, "", .none),
    ] as [(String, Int, Bool, String?, ColorDepth)])
  func theNumberOfColorsIsDetected(_ name: String, _ colors: Int, _ hasDirectColor: Bool, _ colorTerm: String?, _ depth: ColorDepth) {
    #expect(ColorDepth.detected(name: name, colors: colors, hasDirectColor: hasDirectColor, colorTerm: colorTerm) == depth)
  }
}

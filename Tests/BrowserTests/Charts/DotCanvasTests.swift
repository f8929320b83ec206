import Browser
import TestSupport
import Testing

@Suite("Dots and blocks", .gated)
struct DotCanvasTests {
  @Test("each dot of a cell is a dot of braille; nothing outside is drawn")
  func dots() {
    var canvas = DotCanvas(columns: 4, rows: 1, ink: .unicode)
    for y in 0..<4 { canvas.set(0, y, series: 0) }
    for y in 0..<4 { canvas.set(3, y, series: 0) }
    canvas.set(4, 0, series: 0)
    canvas.set(7, 3, series: 0)
    for (x, y) in [(-1, 0), (0, -1), (8, 0), (0, 4)] { canvas.set(x, y, series: 0) }
    #expect(canvas.text == "⡇⢸⠁⢀")
  }

  @Test("lines join their ends in both directions, and a cell goes by the series that drew on it last")
  func lines() {
    var canvas = DotCanvas(columns: 6, rows: 2, ink: .unicode)
    canvas.line(from: (0, 7), to: (11, 0), series: 0)
    #expect(canvas.text == "   ⣀⠔⠊\n⡠⠔⠉")
    canvas.line(from: (11, 4), to: (11, 0), series: 1)
    #expect(canvas.cell(5, 0)?.series == 1 && canvas.cell(4, 0)?.series == 0)
    #expect(canvas.cell(0, 0) == nil)
  }

  @Test("in ASCII a cell has two dots")
  func ascii() {
    var canvas = DotCanvas(columns: 4, rows: 1, ink: .ascii)
    for (x, y) in [(0, 0), (1, 1), (2, 0), (2, 1)] { canvas.set(x, y, series: 0) }
    #expect(canvas.text == "'.:")
  }

  @Test("bars are an eighth of a cell fine, and of little something is seen")
  func bars() {
    #expect([0, 0.01, 0.5, 2, 2.375].map { BlockBar.rightwards($0, ink: .unicode) } == ["", "▏", "▌", "██", "██▍"])
    #expect([0.1, 1, 1.5].map { BlockBar.leftwards($0, ink: .unicode) } == ["▐", "█", "▐█"])
    #expect(BlockBar.upwards(1.25, ink: .unicode) == ["█", "▂"])
    #expect(BlockBar.rightwards(2.6, ink: .ascii) == "###" && BlockBar.upwards(0.1, ink: .ascii) == ["#"])
  }
}

extension DotCanvas {
  /// The rows as text, without the blanks at the end of each.
  fileprivate var text: String {
    (0..<rows).map { row in
      let line = (0..<columns).map { cell($0, row)?.text ?? " " }.joined()
      return String(line.reversed().drop { $0 == " " }.reversed())
    }.joined(separator: "\n")
  }
}

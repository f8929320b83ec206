import Testing

@testable import Browser

@Suite("Columns side by side")
struct ColumnLayoutTests {
  @Test("the column under the cursor is in sight however many are frozen, and whatever room there is")
  func frozen() {
    for widths in [[6, 40, 12, 3], [40, 40, 40, 40], [3, 3, 80, 3], [10, 10, 10, 10]] {
      for frozen in 0...widths.count {
        var layout = ColumnLayout(widths: widths)
        if frozen > 0 { layout.toggleFreeze(upTo: frozen - 1) }
        for width in [1, 5, 20, 45, 90, 200] {
          for column in [0, 3, 1, 2, 0, 2, 3] {
            layout.reveal(column, width: width)
            let slot = layout.slots(width: width).first { $0.column == column }
            #expect(slot != nil, "column \(column) of \(widths), \(frozen) frozen, in \(width) cells")
            #expect(
              (slot?.width ?? 0) >= min(widths[column], width / 2), "column \(column) of \(widths), \(frozen) frozen, in \(width) cells")
          }
        }
      }
    }
  }

  @Test("those that are frozen stay in sight where there is room for them")
  func room() {
    var layout = ColumnLayout(widths: [8, 20, 30, 30])
    layout.toggleFreeze(upTo: 1)
    layout.reveal(3, width: 70)
    #expect(layout.slots(width: 70).map(\.column) == [0, 1, 3])
    layout.reveal(2, width: 50)
    #expect(layout.slots(width: 50).map(\.column).prefix(2) == [0, 2])
    #expect(layout.isScrolled == false)
    layout.reveal(0, width: 50)
    #expect(layout.slots(width: 50).map(\.column).prefix(2) == [0, 1])
  }
}

import QuarryEngine
import QuarryRows
import Terminal

/// Upright bars over ranges of values that have been counted, with the bounds of the ranges at their edges.
struct RangePlot {
  /// The ranges in their order.
  let ranges: [ValueCount]
  /// How dates are stored in the column; nil where its values are none.
  let dates: DateStorage?
  let size: Size
  let glyphs: Glyphs

  /// The rows that it needs: bars of two rows, the axis, and its labels.
  static let leastRows = 4
  /// The cells that a range takes at most.
  private static let widest = 16

  private var ink: ChartInk { glyphs == .ascii ? .ascii : .unicode }

  var picture: ChartPicture {
    var picture = ChartPicture(size: size)
    let greatest = ranges.lazy.map(\.count).max() ?? 0
    guard greatest > 0 else { return picture }
    let y = ChartAxis(roundedAround: 0...Double(greatest), count: max(1, (size.rows - 2) / 3), hasZero: true, isWhole: true)
    let frame = ChartFrame(size: size, y: y, ink: ink) { columns in
      cells(columns) * ranges.count
    } x: { columns in
      // In ranges, so that each begins where a cell does.
      let high = Double(ink.dots.columns * columns - 1) / Double(ink.dots.columns * cells(columns))
      return ChartAxis(low: 0, high: high, ticks: ticks)
    }
    frame.draw(into: &picture)
    let width = cells(frame.plot.columns)
    for (index, range) in ranges.enumerated() {
      let height = y.place(of: Double(range.count)) * Double(frame.plot.rows)
      for (offset, block) in BlockBar.upwards(height, ink: ink).enumerated() {
        let (column, row) = (frame.plot.column + index * width, frame.plot.endRow - 1 - offset)
        picture.write(String(repeating: block, count: max(1, width - (width > 2 ? 1 : 0))), column, row, .series1)
      }
    }
    return picture
  }

  /// Returns the cells of each range.
  private func cells(_ columns: Int) -> Int { max(1, min(Self.widest, columns / max(1, ranges.count))) }

  /// The bounds as numbers; nil if they are dates.
  private var bounds: [Double]? {
    let bins = ranges.compactMap(\.value.bin)
    let numbers = (bins.map(\.lower) + bins.suffix(1).map(\.upper)).compactMap(\.number)
    return dates == nil && numbers.count == ranges.count + 1 ? numbers : nil
  }

  /// The bounds of the ranges, each at the edge between two.
  private var ticks: [ChartTick] {
    if let bounds, let last = bounds.last, bounds.count > 1 {
      let magnitude = ChartMagnitude(size: max(bounds[0].magnitude, last.magnitude), step: bounds[1] - bounds[0])
      return bounds.enumerated().map { ChartTick(value: Double($0.offset), label: magnitude.text($0.element)) }
    }
    let starts = ranges.compactMap { $0.value.bin?.start(dates: dates, glyphs: glyphs) }
    let end = ranges.last?.value.bin?.end(dates: dates, glyphs: glyphs)
    return (starts + [end].compactMap(\.self)).enumerated().map { ChartTick(value: Double($0.offset), label: $0.element) }
  }
}

internal import Libc
import QuarryRows

/// Gathering the bins of a sample into the steps that a chart shows.
extension ChartBins {
  /// The unit that tells the times apart: days where all are at midnight.
  var writtenUnit: ChartTimeUnit {
    if case .time(let unit) = grain { return unit }
    return series.allSatisfy { $0.keys.allSatisfy { ChartTimeUnit.day.start(of: $0) == $0 } } ? .day : .second
  }

  /// Returns the unit of the calendar to gather by: the one wanted, or the finest of which there are `limit` at most; nothing is finer
  /// than what the sample holds.
  func gatheringUnit(_ wanted: ChartTimeUnit?, limit: Int) -> ChartTimeUnit {
    let finest = writtenUnit
    guard let range else { return finest }
    func fits(_ unit: ChartTimeUnit) -> Bool { (range.upperBound - range.lowerBound) / unit.length < Double(limit) }
    // A unit of which there are too many for any screen would take long to lay out.
    let fitting = ChartTimeUnit.allCases.filter { $0 >= finest }
    if let wanted, wanted >= finest, (range.upperBound - range.lowerBound) / wanted.length < 20_000 { return wanted }
    return fitting.first(where: fits) ?? .year
  }

  /// Returns a width of bins by the rule of Freedman and Diaconis, rounded, which gives at least 5 bins and at most `limit`.
  func binWidth(limit: Int) -> Double {
    let counts = series.first?.map { (x: $0.key, count: $0.value.count) }.sorted { $0.x < $1.x } ?? []
    guard let first = counts.first?.x, let last = counts.last?.x, first < last else { return 1 }
    let total = counts.reduce(0) { $0 + $1.count }
    let quartiles = [0.25, 0.75].map { part -> Double in
      var rank = Int((part * Double(total)).rounded(.up))
      return counts.first { entry in
        rank -= entry.count
        return rank <= 0
      }?.x ?? last
    }
    let spread = 2 * (quartiles[1] - quartiles[0]) / cbrt(Double(total))
    let isWhole = ChartSource.areWhole(counts.lazy.map(\.x))
    let wanted = spread > 0 ? (last / spread - first / spread) : Double(total).squareRoot()
    let count = wanted > 5 ? Int(min(wanted, Double(max(1, limit - 1)))) : max(1, min(5, limit - 1))
    let width = ChartAxis.step(spanning: first...last, count: count, isWhole: isWhole)
    guard case .decimal(let power) = grain else { return width }
    // Bins begin where steps of the sample do.
    let step = ChartGrain.decimal(power).step
    return width / step == (width / step).rounded() ? width : ChartAxis.step(spanning: 0...(2 * width), count: 1)
  }
}

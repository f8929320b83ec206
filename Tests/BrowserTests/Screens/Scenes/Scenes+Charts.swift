import Terminal
import Testing

/// Charts of the rows of a table, of a view and of a result.
extension Scene {
  private static let small = [Size(columns: 120, rows: 36), Size(columns: 80, rows: 24), Size(columns: 40, rows: 10)]

  static let charts = [
    Scene("chart", "Bars of the sums of categories", sizes: small) { driver, _ in
      driver.open("track")
      driver.play(["4 l g v Y", "'seconds'", "enter"])
    },
    Scene("chart-line", "A line of numbers over dates, and the values under the cursor", sizes: small) { driver, _ in
      driver.open("track")
      driver.play(["g v 9 right"])
    },
    Scene("chart-series", "Lines of several series over dates, added up by day") { driver, _ in
      driver.open("track")
      driver.play(["g v a C", "'genre'", "enter a"])
    },
    Scene("chart-scatter", "Points of two columns of numbers") { driver, _ in
      driver.open("album")
      driver.play(["4 l g v s X", "'year'", "enter"])
    },
    Scene("chart-histogram", "A histogram of a column, a bin of which is under the cursor") { driver, _ in
      driver.open("track")
      driver.play(["3 l g v 3 right"])
    },
    Scene("chart-columns", "The choice of a column of numbers") { driver, _ in
      driver.open("track")
      driver.play(["4 l g v Y"])
    },
    Scene("chart-result", "Bars of a result of SQL in the order of its rows") { driver, _ in
      driver.play(["f4", "'select a.name, count(*) - 1.5 as balance from artist a join album b on b.artist_id = a.id group by 1'"])
      driver.play(["f5 escape g v o"])
    },
    Scene("chart-left-out", "A chart that some rows have no place in") { driver, _ in
      driver.open("album")
      driver.play(["3 l g v"])
    },
  ]
}

import QuarryEngine
import Terminal
import Testing

/// What the data is like: counts, profile, facets.
extension Scene {
  static let insight = [
    Scene("counts", "The counts of a column, some marked") { driver, _ in
      driver.open("track")
      driver.play(["4 l #", "space space"])
    },
    Scene("counts-found", "A value that is found while it is typed, under a filter") { driver, _ in
      driver.open("track")
      driver.play(["&", "'seconds > 200'", "enter", "2 l #", "s /", "'k 2'"])
    },
    Scene("counts-kinds", "The counts of values of all kinds") { driver, _ in
      driver.open("event")
      driver.play(["$ #"])
    },
    Scene("counts-empty", "The counts of a table without rows", on: ["CREATE TABLE t(id INTEGER PRIMARY KEY, name TEXT)"]) { driver, _ in
      driver.play(["tab #"])
    },
    Scene("profile", "The profile of a table") { driver, _ in
      driver.open("track")
      driver.play(["g #", "3 j"])
    },
    Scene("profile-scrolled", "The profile of a table further right") { driver, _ in
      driver.open("event")
      driver.play(["g #", "5 l", "4 j"])
    },
    Scene("facets", "The facets of a table beside its rows") { driver, _ in
      driver.open("track")
      driver.play(["g f"])
    },
    Scene("facets-chosen", "Values of two columns chosen", sizes: insightSizes) { driver, _ in
      driver.open("track")
      driver.play(["g f", "/", "'genre'", "enter", "space j space", "] space"])
    },
    Scene("facets-left", "The rows with the keys, and the facets beside them") { driver, _ in
      driver.open("album")
      driver.play(["g f", "tab 2 j"])
    },
    Scene("groups", "The groups of a foreign key, with a sum") { driver, _ in
      driver.open("track")
      driver.play(["l g G", "a", "'sum(seconds)'", "enter"])
    },
    Scene("groups-values", "The values that can be shown for each group") { driver, _ in
      driver.open("track")
      driver.play(["4 l g G", "a"])
    },
    Scene("pivot", "A pivot of albums and genres") { driver, _ in
      driver.open("track")
      driver.play(["l g G", "g G", "'genre'", "enter", "g P"])
    },
    Scene("help-groups", "The keys in groups") { driver, _ in driver.play(["tab g G", "?"]) },
    Scene("help-counts", "The keys in the counts") { driver, _ in driver.play(["tab #", "?"]) },
    Scene("help-facets", "The keys in the facets") { driver, _ in driver.play(["tab g f", "?"]) },
    Scene("help-profile", "The keys in the profile") { driver, _ in driver.play(["tab g #", "?"]) },
  ]

  private static let insightSizes = [Size(columns: 120, rows: 36), Size(columns: 80, rows: 24), Size(columns: 40, rows: 10)]
}

import QuarryRows
import TestSupport

/// Random groups and pivots of the rows of ``SwiftViews``.
struct SwiftGroups {
  /// A table with texts about its groups, in which equal values always look the same.
  private struct Part {
    var table: String
    var filters: [String]
    var levels: [String]
    var aggregates: [String]
  }

  private static let parts = [
    Part(
      table: "track",
      filters: ["", "", "milliseconds > :least", "album_id.Title is not null and id < 33", "explicit or code.weight > 0"],
      levels: [
        "album_id", "album_id.Title", "album_id.artist_id.name", "explicit", "code.weight", "year(at)", "month(at)", "quarter(at)",
        "week(album_id.released)", "range(id, 7)", "length(name)", "UnitPrice", "typeof(note)", "note", "rating", "upper(name)",
        "count(line)", "size = id % 3", "at", "data.price", "exists(line)",
      ],
      aggregates: [
        "count(name)", "count(distinct code)", "sum(milliseconds)", "avg(UnitPrice)", "total(UnitPrice)", "min(name)", "max(at)",
        "sum(id) / count", "sum((id > 5))", "m = max(length(name))", "sum(album_id.AlbumId)", "sum(count(line))",
        "max(sum(line.quantity))", "min(note)", "max(distinct note)", "sum(distinct id)", "min(cover)", "max(explicit)",
        "count * 2 + min(id)", "max(album_id.artist_id.name)", "round(avg(id), 2)", "coalesce(sum(UnitPrice), 0)",
      ]),
    Part(
      table: "line", filters: ["", "quantity > 3", "track_id.name ~ love"],
      levels: ["quantity", "price", "track_id.album_id.Title", "range(price, 2.5)", "track_id.explicit", "track_id.data.price"],
      aggregates: ["sum(quantity * price)", "min(price)", "count(distinct track_id)", "max(track_id.name)"]),
    Part(
      table: "player", filters: ["", "salary is not null"], levels: ["city", "team.name", "mentor.city", "mentor.team.boss"],
      aggregates: ["max(salary)", "min(team.name)", "count(mentor)", "total(pid)"]),
    Part(
      table: "Row", filters: ["", "self is not null"], levels: ["class", "\"1st\"", "a_b", "track.name", "é日本"],
      aggregates: ["max(\"a b\")", "min(self)", "max(class)", "sum(track.id)", "n = count(\"count\")"]),
    Part(
      table: "long", filters: ["", "milliseconds > 150"], levels: ["milliseconds % 4", "substr(name, 1, 1)"],
      aggregates: ["sum(milliseconds)", "min(name)"]),
  ]

  let table: String
  let filter: String
  let shape: GroupShape
  let view: RowView
  let order: UInt64
  /// Whether all columns are shown.
  let isWhole: Bool

  /// Chooses groups; each third ones are a pivot.
  init(_ number: Int, _ random: inout SplitMix) {
    let part = random.below(2) == 0 ? Self.parts[0] : Self.parts[random.below(Self.parts.count)]
    func some(_ texts: [String], _ bound: Int) -> [String] { Array(texts.shuffled(using: &random).prefix(random.below(bound))) }
    let levels = some(part.levels, 4)
    let isPivot = number % 3 == 2
    var others = part.levels.filter { !levels.contains($0) }
    // A pivot of 60 values and others takes the compiler some seconds.
    if number == 2 { others = ["price", "note"].filter(others.contains) + others } else { others.shuffle(using: &random) }
    shape = GroupShape(
      levels: levels, aggregates: isPivot ? ["count"] + some(part.aggregates, 2) : ["count"] + some(part.aggregates, 5),
      across: isPivot ? others.first : nil)
    table = part.table
    filter = part.filters[random.below(part.filters.count)]
    let names = levels.map { $0.hasPrefix("size") ? "size" : $0 }
    let counts = ["count > 1", "count between 1 and :least", "hex(cast(count as text)) <> '31'", "count / 2 >= 1 or count = 1", ""]
    let conditions = isPivot ? [] : counts
    let known = names.first.map { ["\($0) is not null", "typeof(\($0)) <> 'null'"] } ?? []
    let filters = some(conditions + known, 3).filter { !$0.isEmpty }.map { "(\($0))" }
    let keys = (isPivot || random.below(2) == 0 ? [] : ["-count"]) + names
    view = RowView(
      filter: filters.joined(separator: " and "), sort: keys.joined(separator: ", "), arguments: SwiftViews.arguments,
      columns: isPivot || random.below(3) > 0 ? [] : ["count * 2", "third = count / 3.0"])
    order = random.next()
    isWhole = number == 2
  }
}

/// The lines before the header of a delimited text that are no records: a title, a comment.
///
///     Extract of 2025-01-06
///     id|plant|owner
///     1|North|A
package struct TitleLines: Hashable {
  /// How many there are.
  package var count = 0
  /// The line on which the first title stands, from 1.
  var first = 1
  /// The first title.
  var text = ""

  /// The first title for a sentence.
  var shownText: String { text.count > 60 ? text.prefix(60) + "…" : text }

  /// The most lines that titles take.
  private static let most = 8

  /// No lines.
  package init() {}

  /// Takes records that are titles.
  init(_ records: ArraySlice<DialectDetection.Record>) {
    count = records.count
    first = records.first?.line ?? 1
    text = String(decoding: records.first?.fields.first ?? [], as: UTF8.self)
  }

  /// Returns how many of the first records of a text are titles: those of one field, before records of several that agree.
  ///
  /// One column whose texts have separators in them looks the same, so there has to be a reason: a mark of a comment, an empty line after the
  /// titles, a header of three columns, or one above numbers.
  static func count(in records: [DialectDetection.Record]) -> Int {
    let count = records.prefix { $0.fields.count == 1 }.count
    let body = records.dropFirst(count)
    guard (1...most).contains(count), let head = body.first else { return 0 }
    let width = head.fields.count
    let agreeing = body.count { $0.fields.count == width }
    guard width > 1, agreeing > 1, agreeing * 3 >= body.count * 2 else { return 0 }
    if head.followsBlank || isComment(records[0].fields[0]) { return count }
    let header = HeaderDetection(head.fields, above: body.dropFirst().map(\.fields))
    return header.hasNameAboveValues || (width > 2 && header.isHeader(knowing: [])) ? count : 0
  }

  private static func isComment(_ field: [UInt8]) -> Bool { ["#", "//", "--", "%", ";"].contains { field.starts(with: $0.utf8) } }
}

/// The title and comment lines before the header of a delimited text.
///
///     Extract of 2025-01-06
///     id|plant|owner
///     1|North|A
package struct TitleLines: Hashable {
  /// The number of lines.
  package var count = 0
  /// The line of the first title, counted from 1.
  var first = 1
  /// The first title.
  var text = ""

  /// The first title, shortened for use in a sentence.
  var shownText: String { text.count > 60 ? text.prefix(60) + "…" : text }

  /// The maximum number of title lines.
  private static let most = 8

  /// Creates a value without lines.
  package init() {}

  /// Creates a value from records that are titles.
  init(_ records: ArraySlice<DialectDetection.Record>) {
    count = records.count
    first = records.first?.line ?? 1
    text = String(decoding: records.first?.fields.first ?? [], as: UTF8.self)
  }

  /// Returns the number of leading records that are titles: records of one field before records with several fields that agree.
  ///
  /// A single column of texts that contain separators looks the same. There must therefore be another sign: a comment mark, an empty line
  /// after the titles, a header with three columns, or a header above numbers.
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

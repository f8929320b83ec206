/// The text of a `config.toml`, in which single settings change and everything else remains: comments, order, other entries.
package struct SettingsText {
  private let file: String
  private var bytes: [UInt8]

  /// The text after the changes.
  var text: String { String(decoding: bytes, as: UTF8.self) }

  private init(_ text: String, file: String) {
    self.file = file
    bytes = Array(text.utf8)
  }

  /// Returns the text with changed settings.
  ///
  /// Both texts are parsed: the result has exactly the changes.
  ///
  /// - Parameters:
  ///   - changes: The new value of each setting; nil removes its line, so that the default applies.
  ///   - text: The former text; empty if there is no file.
  ///   - file: The path of the file, for messages.
  /// - Throws: `Problem` if the text has invalid lines, or if the settings cannot be changed in it.
  package static func changing(_ changes: [SettingKey: SettingValue?], in text: String, file: String) throws(Problem) -> String {
    let before = ConfigurationDocument(text: text, file: file)
    if let fault = before.warnings.first { throw Problem(unreadable: fault) }
    var edited = SettingsText(text, file: file)
    for (key, change) in changes.inOrder {
      if let value = change { edited.set(key, to: value) } else { edited.remove(key) }
    }
    let after = ConfigurationDocument(text: edited.text, file: file)
    let settings = Settings(fileText: edited.text, file: file)
    let isRight = changes.allSatisfy { key, value in value == settings.fileValue(of: key) }
    guard after.warnings.isEmpty, isRight, before.values(without: changes.keys) == after.values(without: changes.keys) else {
      let names = changes.inOrder.map(\.key.title).joined(separator: ", ")
      throw Problem("\(names) cannot be changed in “\(file)” without changing other lines: edit the file; nothing was written")
    }
    return edited.text
  }

  // MARK: Editing

  private mutating func replace(_ range: Range<Int>, with text: String) {
    bytes.replaceSubrange(range, with: Array(text.utf8))
  }

  private mutating func set(_ key: SettingKey, to value: SettingValue) {
    let places = ConfigurationPlaces(bytes)
    let found = places.assignments.filter { key.isAssigned(at: $0.path) }
    // From the last to the first, so that the places stay valid.
    for assignment in found.reversed() { replace(assignment.value, with: value.description) }
    if found.isEmpty { insert(key, value, places) }
  }

  private mutating func remove(_ key: SettingKey) {
    while true {
      let places = ConfigurationPlaces(bytes)
      guard let assignment = places.assignments.last(where: { key.isAssigned(at: $0.path) }) else { return }
      replace(assignment.lines ?? places.extentToRemove(assignment), with: "")
    }
  }

  private mutating func insert(_ key: SettingKey, _ value: SettingValue, _ places: ConfigurationPlaces) {
    let (path, entry) = (key.section, "\(key.name) = \(value)")
    if let table = places.inlineTables.last(where: { $0.path == path }) {
      if let last = table.entries.last { return replace(last.upperBound..<last.upperBound, with: ", \(entry)") }
      return replace(table.braces, with: "{ \(entry) }")
    }
    if let head = places.heads.first(where: { $0.path == path && !path.isEmpty }) { return insertLine(entry, at: places.end(of: head)) }
    let line = "\(key.title) = \(value)"
    if case .label = key, !places.assignments.contains(where: { $0.path.first == SettingKey.labels }) {
      return appendSection("[\(SettingKey.labels)]", entry)
    }
    if let place = places.end(ofTemplateFor: key, in: bytes) ?? places.endOfTopAssignments { return insertLine(line, at: place) }
    guard let place = places.startOfFirstSection else { return insertLine(line, at: bytes.count) }
    replace(place..<place, with: line + lineEnding + lineEnding)
  }

  /// Adds a table with one entry at the end, below an empty line.
  private mutating func appendSection(_ head: String, _ entry: String) {
    let ending = lineEnding
    if !bytes.isEmpty, !bytes.elementsEqual(ConfigurationPlaces.byteOrderMark) { insertLine("", at: bytes.count) }
    bytes += Array("\(head)\(ending)\(entry)\(ending)".utf8)
  }

  /// Inserts a line at the start of another one, or at the end of the text.
  private mutating func insertLine(_ line: String, at place: Int) {
    let isAtStart = place == 0 || bytes[..<place].elementsEqual(ConfigurationPlaces.byteOrderMark)
    let isAfterLine = isAtStart || bytes[place - 1] == UInt8(ascii: "\n")
    replace(place..<place, with: (isAfterLine ? "" : lineEnding) + line + lineEnding)
  }

  private var lineEnding: String {
    guard let feed = bytes.firstIndex(of: UInt8(ascii: "\n")), feed > 0, bytes[feed - 1] == UInt8(ascii: "\r") else { return "\n" }
    return "\r\n"
  }
}

extension [SettingKey: SettingValue?] {
  /// The changes in the order of the form: the settings, and then the labels by the names of their tables.
  fileprivate var inOrder: [(key: SettingKey, value: SettingValue?)] {
    let names = SettingName.allCases.map(SettingKey.setting)
    let labels = keys.filter { !names.contains($0) }.sorted { $0.title < $1.title }
    return (names + labels).compactMap { key in self[key].map { (key, $0) } }
  }
}

extension ConfigurationPlaces {
  /// The start of the first table, or of the comments directly above it; nil without tables.
  fileprivate var startOfFirstSection: Int? {
    guard var start = heads.first?.line.lowerBound else { return nil }
    while let comment = comments.last(where: { $0.upperBound == start }) { start = comment.lowerBound }
    return start
  }

  private var topEnd: Int { heads.first?.line.lowerBound ?? .max }

  /// The end of the last assignment outside of all tables; nil without one.
  fileprivate var endOfTopAssignments: Int? {
    assignments.compactMap(\.lines).filter { $0.upperBound <= topEnd }.map(\.upperBound).max()
  }

  /// Returns the end of the last assignment of a table, or of its head.
  fileprivate func end(of head: Head) -> Int {
    let next = heads.map(\.line.lowerBound).filter { $0 > head.line.lowerBound }.min() ?? .max
    let lines = assignments.compactMap(\.lines).filter { $0.lowerBound >= head.line.upperBound && $0.upperBound <= next }
    return lines.map(\.upperBound).max() ?? head.line.upperBound
  }

  /// Returns the end of the comment that contains the default of a setting, as in the output of `quarry config --default`.
  fileprivate func end(ofTemplateFor key: SettingKey, in bytes: [UInt8]) -> Int? {
    comments.first { comment in
      guard comment.upperBound <= topEnd else { return false }
      let text = String(decoding: bytes[comment], as: UTF8.self)
      let parts = text.drop { $0 == "#" || $0.isWhitespace }.split(separator: "=", maxSplits: 1)
      return parts.count == 2 && parts[0].filter { !$0.isWhitespace } == key.title
    }?.upperBound
  }

  /// Returns the bytes to remove for an entry of an inline table: the entry, and one of the commas beside it.
  fileprivate func extentToRemove(_ assignment: Assignment) -> Range<Int> {
    for table in inlineTables {
      guard let index = table.entries.firstIndex(of: assignment.extent) else { continue }
      if index > 0 { return table.entries[index - 1].upperBound..<assignment.extent.upperBound }
      guard table.entries.count > 1 else { return assignment.extent }
      return assignment.extent.lowerBound..<table.entries[1].lowerBound
    }
    return assignment.extent
  }
}

extension ConfigurationDocument {
  /// Returns the values by their paths, without those of some keys.
  fileprivate func values(without keys: some Collection<SettingKey>) -> [[String]: Value] {
    var values: [[String]: Value] = [:]
    Self.collect(entries, [], into: &values)
    return values.filter { path, _ in !keys.contains { $0.isAssigned(at: path) } }
  }

  private static func collect(_ entries: [Entry], _ path: [String], into values: inout [[String]: Value]) {
    for entry in entries {
      if case .table(let inner) = entry.value {
        collect(inner, path + [entry.key], into: &values)
      } else {
        values[path + [entry.key]] = entry.value.withoutLines
      }
    }
  }
}

extension ConfigurationDocument.Value {
  /// The value without the lines of its entries, which move if other lines are added.
  fileprivate var withoutLines: Self {
    switch self {
    case .list(let values): .list(values.map(\.withoutLines))
    case .table(let entries): .table(entries.map { .init(key: $0.key, value: $0.value.withoutLines) })
    default: self
    }
  }
}

extension Problem {
  /// Describes a fault that prevents changes of a configuration file.
  init(unreadable fault: ConfigurationWarning) {
    let place = fault.line.map { "line \($0) of “\(fault.file)”" } ?? "“\(fault.file)”"
    // The message is that of reading, which goes on without the line.
    let reason = ["; the line is ignored", "; it is ignored", " and is ignored"].reduce(fault.message) { $0.replacing($1, with: "") }
    self.init("\(place): \(reason). Correct the file first: settings cannot be written to it")
  }
}

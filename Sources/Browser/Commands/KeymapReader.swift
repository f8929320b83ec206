internal import QuarryEngine
internal import Terminal

/// A reader that applies a keymap file to the default keys.
struct KeymapReader {
  private typealias Entry = ConfigurationDocument.Entry

  /// A line of the file: keys and their command, or no command for unbound keys.
  private struct Line {
    var entry: Entry
    var keys: [Key]
    var command: Command?
  }

  let file: String
  let commands: CommandList
  private(set) var warnings: [ConfigurationWarning] = []

  /// Returns `defaults` as overridden by `text`.
  mutating func layers(of text: String, over defaults: [KeyContext: KeymapLayer]) -> [KeyContext: KeymapLayer] {
    let document = ConfigurationDocument(text: text, file: file)
    warnings = document.warnings
    var layers = defaults
    for entry in document.entries {
      guard let (context, entries) = table(entry) else { continue }
      apply(lines(of: entries, in: context), to: &layers[context, default: KeymapLayer()], in: context)
    }
    warnings.sort { ($0.line ?? 0) < ($1.line ?? 0) }
    return layers
  }

  private mutating func warn(_ entry: Entry, _ message: String) {
    warnings.append(ConfigurationWarning(file: file, line: entry.line, message: message))
  }

  private mutating func table(_ entry: Entry) -> (KeyContext, [Entry])? {
    let contexts = commands.contexts.map(\.name)
    guard case .table(let entries) = entry.value else {
      warn(entry, "\"\(entry.key)\" is outside every table; put it under one of \(contexts.map { "[\($0)]" }.joined(separator: " "))")
      return nil
    }
    guard let context = commands.context(named: entry.key) else {
      let offer = NearestNames.to(entry.key, among: contexts).first.map { "did you mean [\($0)]?" }
      warn(entry, "there is no table [\(entry.key)]; \(offer ?? "there are \(contexts.map { "[\($0)]" }.joined(separator: " "))")")
      return nil
    }
    return (context, entries)
  }

  private mutating func lines(of entries: [Entry], in context: KeyContext) -> [Line] {
    var lines: [Line] = []
    for entry in entries {
      guard let line = line(entry, in: context) else { continue }
      if let rival = lines.first(where: { isRival($0, of: line) }) {
        warn(line.entry, complaint(about: line, beside: rival, in: context))
      } else {
        lines.append(line)
      }
    }
    return lines
  }

  private mutating func line(_ entry: Entry, in context: KeyContext) -> Line? {
    guard case .text(let name) = entry.value else {
      warn(entry, "\"\(entry.key)\" is bound to \(entry.value.kind); write the name of a command in quotes, or \"\" for none")
      return nil
    }
    guard let keys = keys(entry, in: context) else { return nil }
    if name.isEmpty { return Line(entry: entry, keys: keys, command: nil) }
    guard let command = commands.command(named: name) else {
      let nearest = NearestNames.to(name, among: commands.declarations.map(\.command.rawValue)).first
      warn(entry, "there is no command \"\(name)\"; \(nearest.map { "did you mean \"\($0)\"?" } ?? "`quarry keys` lists the commands")")
      return nil
    }
    return Line(entry: entry, keys: keys, command: command)
  }

  private mutating func keys(_ entry: Entry, in context: KeyContext) -> [Key]? {
    do {
      let keys = try KeyNotation.keys(of: entry.key)
      guard let obstacle = keys.first.flatMap({ context.obstacle(to: $0) }) else { return keys }
      warn(entry, "\"\(entry.key)\" cannot be bound here: \(obstacle)")
    } catch {
      warn(entry, error.description)
    }
    return nil
  }

  /// Returns whether two lines conflict.
  ///
  /// A sequence may continue an unbound prefix.
  private func isRival(_ earlier: Line, of later: Line) -> Bool {
    if earlier.command == nil || later.command == nil { return earlier.keys == later.keys }
    return earlier.keys.overlaps(later.keys)
  }

  private func complaint(about line: Line, beside rival: Line, in context: KeyContext) -> String {
    let location = rival.entry.line.map { " (line \($0))" } ?? ""
    let keys = KeyNotation.text(of: line.keys)
    let others = KeyNotation.text(of: rival.keys)
    if line.keys == rival.keys { return "\"\(keys)\" is bound twice in [\(context.name)]\(location); the first line wins" }
    let isLonger = line.keys.starts(with: rival.keys)
    let relation = isLonger ? "begins with \"\(others)\"" : "is a prefix of \"\(others)\""
    return "\"\(keys)\" \(relation)\(location), so only one of them can be reached; the first line wins"
  }

  private mutating func apply(_ lines: [Line], to layer: inout KeymapLayer, in context: KeyContext) {
    for line in lines where line.command == nil { layer.unbind(line.keys, hiding: context != .everywhere) }
    var bindings: [Keymap.Binding] = []
    // Reads from the last line to the first, so that the first key of a command comes first.
    for line in lines.reversed() {
      guard let command = line.command else { continue }
      let hidden = layer.rivals(of: line.keys).filter { $0.keys != line.keys && !bindings.contains($0) }
      if !hidden.isEmpty { warn(line.entry, complaint(about: line.keys, hiding: hidden)) }
      let binding = Keymap.Binding(keys: line.keys, command: command)
      bindings.append(binding)
      layer.prepend(binding)
    }
  }

  private func complaint(about keys: [Key], hiding hidden: [Keymap.Binding]) -> String {
    let names = hidden.map { "\"\(KeyNotation.text(of: $0.keys))\" (\($0.command.rawValue))" }.joined(separator: ", ")
    let unbinding = hidden.map { "\"\(KeyNotation.text(of: $0.keys))\" = \"\"" }.joined(separator: ", ")
    return "\"\(KeyNotation.text(of: keys))\" overrides \(names); if you mean that, unbind the default too: \(unbinding)"
  }
}

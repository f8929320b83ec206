/// Merging the changes that two programs have made to one memory.
extension SessionMemory {
  /// Returns `theirs` with the changes of this memory since `base`.
  ///
  /// If both have changed a value, this memory's value is used; texts in the editor are all preserved.
  func merged(into theirs: SessionMemory, since base: SessionMemory) -> SessionMemory {
    guard theirs != base else { return self }
    var merged = theirs
    merged.views = Self.merged(views, into: theirs.views, since: base.views) { mine, _, _ in mine }
    merged.keptFilters = Self.merged(keptFilters, into: theirs.keptFilters, since: base.keptFilters) { mine, theirs, base in
      Self.lastOfEach(Self.merged(mine ?? [], into: theirs ?? [], since: base ?? []), by: \.name)
    }
    merged.written = Self.merged(written ?? [:], into: theirs.written ?? [:], since: base.written ?? [:]) { mine, theirs, base in
      (mine ?? WrittenTexts()).merged(into: theirs ?? WrittenTexts(), since: base ?? WrittenTexts())
    }
    merged.buffers = Self.merged(buffers ?? [], into: theirs.buffers ?? [], since: base.buffers ?? [])
    if commands != base.commands { merged.commands = commands }
    let arguments = Self.merged(arguments ?? [], into: theirs.arguments ?? [], since: base.arguments ?? [])
    merged.arguments = Array(Self.lastOfEach(arguments, by: \.sql).suffix(Self.historyLimit))
    return merged
  }

  /// Merges a dictionary key by key; `join` decides if both have changed a value.
  private static func merged<Value: Equatable>(
    _ mine: [String: Value], into theirs: [String: Value], since base: [String: Value], _ join: (Value?, Value?, Value?) -> Value?
  ) -> [String: Value] {
    var merged = theirs
    for key in Set(mine.keys).union(base.keys) where mine[key] != base[key] {
      merged[key] = theirs[key] == base[key] ? mine[key] : join(mine[key], theirs[key], base[key])
    }
    return merged
  }

  /// Merges a list: items removed from `mine` are removed, and new items of `mine` are appended.
  fileprivate static func merged<Item: Hashable>(_ mine: [Item], into theirs: [Item], since base: [Item]) -> [Item] {
    guard theirs != base else { return mine }
    let removed = Set(base).subtracting(mine)
    let kept = theirs.filter { !removed.contains($0) }
    let known = Set(base).union(kept)
    return kept + mine.filter { !known.contains($0) }
  }

  private static func lastOfEach<Item>(_ items: [Item], by key: (Item) -> String) -> [Item] {
    var seen: Set<String> = []
    return items.reversed().filter { seen.insert(key($0)).inserted }.reversed()
  }
}

extension SessionMemory.WrittenTexts {
  fileprivate func merged(into theirs: Self, since base: Self) -> Self {
    Self(filters: filters.merged(into: theirs.filters, since: base.filters), sorts: sorts.merged(into: theirs.sorts, since: base.sorts))
  }
}

extension SessionMemory.WrittenTexts.History {
  fileprivate func merged(into theirs: Self, since base: Self) -> Self {
    // These lists begin with the newest text, but merging appends new items.
    let all = SessionMemory.merged(applied.reversed(), into: theirs.applied.reversed(), since: base.applied.reversed())
    return Self(applied: Array(all.reversed().prefix(SessionMemory.historyLimit)), draft: draft == base.draft ? theirs.draft : draft)
  }
}

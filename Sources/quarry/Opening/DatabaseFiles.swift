internal import QuarryEngine

/// The files of a command line as one database: the first is `main`, the others are attached under their stems.
struct DatabaseFiles {
  var paths: [String]
  var isReadOnly = true
  var isImmutable = false

  /// SQLite attaches so many databases to one connection.
  static let attachedLimit = 10

  /// Opens a connection to all of them; where one is locked, says so and waits.
  ///
  /// - Parameter givesWay: whether what runs on it lets what others wait for go first.
  func open(label: String = "quarry", givesWay: Bool = false) throws -> DatabaseQueue {
    do {
      return try open(label: label, busyTimeout: .milliseconds(300), givesWay: givesWay)
    } catch let error as DatabaseOpenError where error.kind == .isLocked {
      StandardError.write("quarry: “\(error.path)” is locked by another program; waiting until it is free (^C stops that)\n")
      return try open(label: label, busyTimeout: .seconds(3600), givesWay: givesWay)
    }
  }

  /// Opens a connection to all of them; where one stays locked for longer than `busyTimeout`, throws.
  func open(label: String, busyTimeout: Duration, givesWay: Bool = false) throws -> DatabaseQueue {
    var configuration = Configuration()
    configuration.isReadonly = isReadOnly
    configuration.isImmutable = isImmutable
    configuration.busyTimeout = busyTimeout
    configuration.label = label
    configuration.givesWay = givesWay
    let queue = try DatabaseQueue(path: paths.first ?? ":memory:", configuration: configuration)
    try queue.withoutTransaction { db in
      db.busyTimeout = max(busyTimeout, Configuration().busyTimeout)
      for (name, path) in zip(AttachedNames.names(for: Array(paths.dropFirst())), paths.dropFirst()) {
        try db.attach(path: path, as: name)
      }
    }
    return queue
  }
}

/// The names under which files are attached.
enum AttachedNames {
  /// Returns the stem of each path, with a number after those that would not be unique: `sales`, `sales2`.
  static func names(for paths: [String]) -> [String] {
    var taken: Set<String> = ["main", "temp"]
    return paths.map { path in
      let stem = stem(of: path)
      let candidates = [stem] + (2...paths.count + 2).map { "\(stem)\($0)" }
      let name = candidates.first { !taken.contains($0.lowercased()) } ?? stem
      taken.insert(name.lowercased())
      return name
    }
  }

  private static func stem(of path: String) -> String {
    let file = path.split(separator: "/").last.map(String.init) ?? path
    let stem = file.lastIndex(of: ".").map { String(file[..<$0]) } ?? file
    return stem.isEmpty ? file : stem
  }
}

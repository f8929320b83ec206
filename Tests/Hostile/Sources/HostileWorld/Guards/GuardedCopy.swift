public import Foundation

/// A private copy of the package, in which guards can be removed.
///
/// It is built once. Each guard becomes a choice in its line, which looks into a file for the guard that is to be missing, so that the same
/// program is tried with each guard missing in turn.
public struct GuardedCopy {
  public struct StaleGuard: Error, CustomStringConvertible {
    public let description: String
  }

  let folder: URL
  private let root: URL
  private var file: URL { folder.appending(path: ".missing-guard") }

  /// - Parameters:
  ///   - root: The folder of the package.
  ///   - folder: The folder of the copy. One that exists is brought up to date.
  public init(of root: URL, in folder: URL) {
    (self.root, self.folder) = (root, folder)
  }

  /// Copies the sources with choices for guards.
  ///
  /// - Throws: ``StaleGuard`` if a guard is not in its file, and errors of files.
  public func write(_ guards: [Guard]) throws {
    var texts: [String: String] = [:]
    for item in guards {
      let path = "Sources/\(item.file)"
      let text = try texts[path] ?? String(contentsOf: root.appending(path: path), encoding: .utf8)
      texts[path] = try Self.choice(item, in: text)
    }
    for target in Set(guards.map(\.target)) { texts["Sources/\(target)/MissingGuard.swift"] = Self.lookup(file.path) }
    try copyOthers(than: Set(texts.keys))
    for (path, text) in texts { try Self.replace(folder.appending(path: path), with: Data(text.utf8)) }
  }

  /// Makes a guard missing in the programs that start from now on; nil for none.
  func remove(_ item: Guard?) throws {
    try Data((item?.name ?? "").utf8).write(to: file)
  }

  /// Returns a text in which the guard is a choice.
  static func choice(_ item: Guard, in text: String) throws -> String {
    guard text.ranges(of: item.line).count == 1, item.line.ranges(of: item.text).count == 1 else {
      throw StaleGuard(description: "the guard “\(item.name)” does not stand once in \(item.file): \(item.line)")
    }
    let choice = "(isGuardMissing(\"\(item.name)\") ? (\(item.replacement)) : (\(item.text)))"
    return text.replacing(item.line, with: item.line.replacing(item.text, with: choice))
  }

  private static func lookup(_ path: String) -> String {
    """
    #if canImport(Darwin)
      import Darwin
    #elseif canImport(Glibc)
      import Glibc
    #else
      import Musl
    #endif

    private let missingGuard: String = {
      guard let file = fopen("\(path)", "r") else { return "" }
      defer { fclose(file) }
      var name = [UInt8](repeating: 0, count: 256)
      let count = fread(&name, 1, name.count, file)
      return String(decoding: name[..<count], as: UTF8.self)
    }()

    func isGuardMissing(_ name: String) -> Bool { missingGuard == name }

    """
  }

  // MARK: Files

  /// Copies all files but some; what is built, and the history, are not copied.
  private func copyOthers(than changed: Set<String>) throws {
    guard folder.standardizedFileURL != root.standardizedFileURL else {
      throw StaleGuard(description: "the copy would replace the sources: name another folder")
    }
    let items = try FileManager.default.contentsOfDirectory(atPath: root.path).filter {
      ![".git", "dist"].contains($0) && !$0.hasPrefix(".build")
    }
    for item in items {
      let path = root.appending(path: item)
      var isFolder: ObjCBool = false
      guard FileManager.default.fileExists(atPath: path.path, isDirectory: &isFolder) else { continue }
      let names = isFolder.boolValue ? try FileManager.default.subpathsOfDirectory(atPath: path.path).map { "\(item)/\($0)" } : [item]
      for name in names where !changed.contains(name) && !name.contains("/.build/") { try copy(name) }
    }
  }

  private func copy(_ name: String) throws {
    var isFolder: ObjCBool = false
    let source = root.appending(path: name).path
    if let target = try? FileManager.default.destinationOfSymbolicLink(atPath: source) { return try link(name, to: target) }
    guard FileManager.default.fileExists(atPath: source, isDirectory: &isFolder), !isFolder.boolValue else { return }
    guard let bytes = FileManager.default.contents(atPath: source) else { return }
    try Self.replace(folder.appending(path: name), with: bytes)
    // Scripts must stay executable.
    let permissions = try FileManager.default.attributesOfItem(atPath: source)[.posixPermissions]
    try FileManager.default.setAttributes([.posixPermissions: permissions ?? 0o644], ofItemAtPath: folder.appending(path: name).path)
  }

  private func link(_ name: String, to target: String) throws {
    let url = folder.appending(path: name)
    if (try? FileManager.default.destinationOfSymbolicLink(atPath: url.path)) == target { return }
    try FileManager.default.createDirectory(at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
    try? FileManager.default.removeItem(at: url)
    try FileManager.default.createSymbolicLink(atPath: url.path, withDestinationPath: target)
  }

  /// Writes a file if its content differs, so that only what has changed is compiled again.
  private static func replace(_ url: URL, with bytes: Data) throws {
    if FileManager.default.contents(atPath: url.path) == bytes { return }
    try FileManager.default.createDirectory(at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
    try bytes.write(to: url)
  }
}

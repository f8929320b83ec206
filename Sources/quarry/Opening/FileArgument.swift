internal import ArgumentParser
internal import Browser
internal import QuarryEngine
internal import QuarrySources
internal import Synchronization

/// A file argument of the command line.
enum FileArgument {
  /// The access options in the URIs of the command line.
  static let uriAccess = Mutex((isReadOnly: false, isImmutable: false))

  /// Returns the path to open for a word: the path of a `file:` URI, the path in a remote request, or else the word itself.
  ///
  ///     file:///srv/my%20app.db   ->   /srv/my app.db
  ///
  /// `mode=ro` and `immutable=1` in a URI have the same effect as `--read-only` and `--immutable`.
  ///
  /// - Throws: `ValidationError` for an empty word, and for any other option of a URI.
  @Sendable static func path(_ word: String) throws -> String {
    // An unset shell variable would otherwise create a temporary database that cannot be found again.
    if word.isEmpty { throw ValidationError("it is empty: name a file") }
    guard word.hasPrefix("file:"), !PathText.exists(PathText.bytes(word)) else { return SSHSession.path(word) }
    return try path(ofURI: word)
  }

  private static func path(ofURI word: String) throws -> String {
    let parts = word.dropFirst("file:".count).prefix { $0 != "#" }.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
    var path = parts[0]
    if path.hasPrefix("//") {
      let authority = path.dropFirst(2).prefix { $0 != "/" }
      guard authority.isEmpty || authority == "localhost" else {
        throw ValidationError("a file: URI names a file on this machine: write \(authority):\(path.dropFirst(2 + authority.count))")
      }
      path = path.dropFirst(2 + authority.count)
    }
    let options = parts.count > 1 ? parts[1].split(separator: "&") : []
    for option in options {
      switch option {
      case "mode=rw", "mode=rwc": break
      case "mode=ro": uriAccess.withLock { $0.isReadOnly = true }
      case "immutable=1": uriAccess.withLock { $0.isImmutable = true }
      default: throw ValidationError("“\(option)” is not supported in a URI: omit it")
      }
    }
    guard let bytes = PercentEncoding.bytes(of: path), !bytes.isEmpty else {
      throw ValidationError(path.isEmpty ? "it names no file" : "% in a URI needs two hexadecimal digits after it; % itself is %25")
    }
    return PathText.text(bytes)
  }
}

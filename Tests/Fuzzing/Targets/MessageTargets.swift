internal import QuarryChanges
internal import QuarryCluster

extension FuzzTarget {
  static let messages = [FuzzTarget("dqlite", dqlite), FuzzTarget("diff-message", diffMessage)]

  /// The messages of a node are read, with all that can be made of each.
  private static func dqlite(_ bytes: [UInt8]) throws -> String? {
    var (frames, pieces) = (DqliteFrames(), DqliteFrames())
    frames.append(bytes)
    var found: [DqliteFrame] = []
    for start in stride(from: 0, to: bytes.count, by: 5) {
      pieces.append(bytes[start..<min(start + 5, bytes.count)])
      while let frame = try? pieces.next() { found.append(frame) }
    }
    var reader = DqliteRowReader()
    for expected in found {
      guard let frame = try? frames.next(), frame == expected else { return "other messages in pieces of 5 bytes" }
      _ = try? DqliteResponse(frame)
      _ = try? DqliteFailure(frame.body)
      var values: [RemoteValue] = []
      _ = try? reader.read(frame, into: &values)
    }
    return (try? frames.next()) == nil ? nil : "fewer messages in pieces of 5 bytes"
  }

  /// The messages between two comparisons lie inside what was received.
  private static func diffMessage(_ bytes: [UInt8]) throws -> String? {
    var rest = bytes[...]
    while let message = DiffMessage.take(from: &rest) {
      guard rest.endIndex == bytes.count else { return "a message ends after the bytes" }
      _ = try? message.bytes
    }
    return nil
  }
}

internal import QuarryEngine
package import QuarryFiles

extension ImportProgress {
  /// The progress in words: the percentage read if the size is known, otherwise the amount; the rate; the remaining time.
  ///
  ///     45 %, 120 MB/s, 3 s left
  ///     1,204,000 rows, 85 MB, 20 MB/s
  package var words: String {
    var parts: [String] = []
    if let byteCount, byteCount > 0 {
      parts.append("\(min(100, 100 * bytes / byteCount)) %")
    } else {
      parts += [Plural.of(rows, "row"), BlobKind.size(bytes)]
    }
    if let rate = bytesPerSecond { parts.append(BlobKind.size(Int(rate)) + "/s") }
    if let left = remaining?.components.seconds, left > 0 {
      parts.append(left < 100 ? "\(left) s left" : "\((left + 30) / 60) min left")
    }
    return parts.joined(separator: ", ")
  }
}

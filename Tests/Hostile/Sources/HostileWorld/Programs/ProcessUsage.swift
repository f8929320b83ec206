import Foundation

/// What a program has of the system; all 0 where the system does not tell.
struct ProcessUsage {
  /// The resident memory in KiB.
  let memory: Int
  let threads: Int
  let descriptors: Int

  init(_ identifier: pid_t) {
    let status = FileManager.default.contents(atPath: "/proc/\(identifier)/status").map { String(decoding: $0, as: UTF8.self) } ?? ""
    func number(_ name: String) -> Int {
      status.split(separator: "\n").first { $0.hasPrefix(name) }.flatMap { Int($0.filter(\.isNumber)) } ?? 0
    }
    (memory, threads) = (number("VmRSS:"), number("Threads:"))
    descriptors = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/\(identifier)/fd"))?.count ?? 0
  }
}

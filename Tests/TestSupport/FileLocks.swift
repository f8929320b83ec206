import Foundation

/// The locks that this process has on a database file and on its shared memory, as the system lists them: `READ 120 120`.
///
/// SQLite takes such locks by `fcntl`. They are empty where the system has no `/proc/locks`.
public func heldLocks(onDatabase path: String) -> [String] {
  let inodes = ["", "-shm"].compactMap { suffix -> Int? in
    var status = stat()
    return stat(path + suffix, &status) == 0 ? Int(status.st_ino) : nil
  }
  guard let list = try? String(contentsOfFile: "/proc/locks", encoding: .utf8) else { return [] }
  return list.split(separator: "\n").compactMap { line in
    // 4: POSIX  ADVISORY  READ  1234 fd:01:5678 1073741826 1073742335
    let words = line.split(separator: " ")
    guard words.count >= 8, words[1] == "POSIX", Int(words[4]) == Int(getpid()),
      let inode = words[5].split(separator: ":").last.flatMap({ Int($0) }), inodes.contains(inode)
    else { return nil }
    return "\(inode) \(words[3]) \(words[6]) \(words[7])"
  }.sorted()
}

/// The number of descriptors that this process has of a file.
public func descriptorCount(ofFile path: String) throws -> Int {
  let real = URL(fileURLWithPath: path).resolvingSymlinksInPath().path
  let numbers = try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd")
  return numbers.count { (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/fd/\($0)")) == real }
}

import Foundation
import Testing

/// Local dqlite nodes, each in a separate process, that a test starts, kills, suspends and stops.
///
///     let nodes = try DqliteNodes(count: 3)
///     defer { nodes.end() }
///     nodes.kill(try nodes.leader())
///
/// The first test that needs the program compiles it with the C library. The configured network latency is so high that a node counts as
/// dead only after three seconds without a sign of it. A busy machine does not delay a node for so long.
public final class DqliteNodes: @unchecked Sendable {
  // Sendable because only the test that created it calls it.

  /// Whether the library and a compiler are installed.
  public static let areInstalled = FileManager.default.fileExists(atPath: "/usr/include/dqlite.h") && compiler != nil
  /// The message of a skipped test.
  public static let missing = "nodes of dqlite need a C compiler and Debian's libdqlite-dev"

  private static let compiler = ["/usr/bin/cc", "/usr/bin/clang"].first { FileManager.default.isExecutableFile(atPath: $0) }
  /// The required id of the first node of a cluster.
  private static let firstID: UInt64 = 0x2dc1_7185_8c31_55be

  public struct Failure: Error {
    public var reason: String
  }

  /// The addresses by which the nodes know each other.
  public let addresses: [String]
  private let listening: [String]
  private let folder: URL
  private var programs: [ChildProcess?] = []
  private var hanging: Set<Int> = []

  /// Starts nodes, and waits until each is a voter.
  ///
  /// - Parameter advertised: The address of a single node if it differs from its own, for example that of a proxy.
  public init(count: Int, advertised: String? = nil) throws {
    TestGate.expectPassed(toHold: "a node")
    listening = try (0..<count).map { _ in "127.0.0.1:\(try FreePort.take())" }
    addresses = advertised.map { [$0] } ?? listening
    folder = FileManager.default.temporaryDirectory.appendingPathComponent("quarry-nodes-" + UUID().uuidString)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    do {
      for index in 0..<count { programs.append(try start(index)) }
      for index in 1..<max(1, count) {
        let id = UInt64(index + 1)
        try ask(0, 12, DqliteBytes.word(id) + DqliteBytes.text(addresses[index]))
        try ask(0, 13, DqliteBytes.word(id) + DqliteBytes.word(0))
      }
    } catch {
      end()
      throw error
    }
  }

  deinit { end() }

  /// Returns the address with all nodes and a database.
  public func url(_ database: String = "test") -> String {
    "dqlite://\(addresses.joined(separator: ","))/\(database)"
  }

  /// Returns the port of a node.
  public func port(of index: Int) -> Int { Int(listening[index].split(separator: ":")[1]) ?? 0 }

  /// Returns the index of the leader, once two nodes agree or the only node reports it.
  ///
  /// Ignores suspended nodes.
  public func leader() throws -> Int {
    var leader: Int?
    try Waiting.wait(for: "a leader") {
      leader = agreedLeader()
      return leader != nil
    }
    guard let leader else { throw Failure(reason: "no leader") }
    return leader
  }

  private func agreedLeader() -> Int? {
    let running = addresses.indices.filter { programs[$0] != nil && !hanging.contains($0) }
    let named = running.compactMap { try? leader(namedBy: $0) }
    return running.first { index in
      named.count { $0 == addresses[index] } > addresses.count / 2 && (try? leader(namedBy: index)) == addresses[index]
    }
  }

  /// The number of nodes that answer.
  public var runningCount: Int { addresses.indices.count { (try? leader(namedBy: $0)) != nil } }

  /// Kills a node, like a crash.
  public func kill(_ index: Int) {
    programs[index]?.send(SIGKILL)
    programs[index]?.wait()
    programs[index] = nil
    hanging.remove(index)
  }

  /// Stops a node in order, so that another one leads at once.
  public func stop(_ index: Int) {
    programs[index]?.send(SIGTERM)
    programs[index]?.wait()
    programs[index] = nil
  }

  /// Suspends a node: its connections stay open, but it does not answer.
  public func hang(_ index: Int) {
    hanging.insert(index)
    programs[index]?.stop()
  }

  /// Resumes a suspended node.
  public func resume(_ index: Int) {
    programs[index]?.send(SIGCONT)
    hanging.remove(index)
  }

  /// Restarts a killed or stopped node.
  public func restart(_ index: Int) throws { programs[index] = try start(index) }

  /// Transfers the leadership to another node.
  public func transferLeadership(to index: Int) throws {
    try ask(try leader(), 17, DqliteBytes.word(id(index)))
  }

  /// Kills all nodes and removes their files.
  public func end() {
    for index in programs.indices { kill(index) }
    try? FileManager.default.removeItem(at: folder)
  }

  private func id(_ index: Int) -> UInt64 { index == 0 ? Self.firstID : UInt64(index + 1) }

  private func start(_ index: Int) throws -> ChildProcess {
    let data = folder.appendingPathComponent("\(index)").path
    try FileManager.default.createDirectory(atPath: data, withIntermediateDirectories: true)
    let program = try ChildProcess(
      [try Self.program.get(), "\(id(index))", addresses[index], listening[index], data], input: .pipe, output: .pipe)
    guard try program.output?.read(upToCount: 1) != nil else {
      throw Failure(reason: "node \(index) does not start on \(listening[index]): \(program.wait())")
    }
    return program
  }

  private func leader(namedBy index: Int) throws -> String {
    let answer = try ask(index, 0, DqliteBytes.word(0))
    return String(decoding: answer.dropFirst(8).prefix { $0 != 0 }, as: UTF8.self)
  }

  @discardableResult
  private func ask(_ index: Int, _ type: UInt8, _ body: [UInt8]) throws -> [UInt8] {
    try DqliteBytes.ask(port: port(of: index), type, body)
  }

  /// The program of a node, compiled once.
  private static let program = Result {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("quarry-node-" + UUID().uuidString)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    let (source, program) = (folder.appendingPathComponent("node.c").path, folder.appendingPathComponent("node").path)
    try Data(code.utf8).write(to: URL(fileURLWithPath: source))
    guard let compiler else { throw Failure(reason: missing) }
    let compilation = try ChildProcess([compiler, "-o", program, source, "-ldqlite"])
    guard compilation.wait() == .exit(0) else { throw Failure(reason: "the program of a node does not compile") }
    return program
  }

  private static let code = """
    #include <dqlite.h>
    #include <signal.h>
    #include <stdio.h>
    #include <stdlib.h>
    #include <unistd.h>

    static void wake(int number) {}

    int main(int count, char **words) {
      dqlite_node *node;
      struct sigaction ending = {.sa_handler = wake};
      char byte;
      signal(SIGPIPE, SIG_IGN);
      sigaction(SIGTERM, &ending, NULL);
      if (count != 5 || dqlite_node_create(strtoull(words[1], NULL, 10), words[2], words[4], &node) != 0) return 1;
      if (dqlite_node_set_bind_address(node, words[3]) != 0 || dqlite_node_set_network_latency_ms(node, 200) != 0) return 1;
      if (dqlite_node_start(node) != 0) return 1;
      puts("ready");
      fflush(stdout);
      // Until a signal comes, or the test is gone.
      while (read(0, &byte, 1) > 0) {}
      dqlite_node_stop(node);
      dqlite_node_destroy(node);
      return 0;
    }
    """
}

import COpenSSL
import Foundation
import QuarryCluster
import Synchronization
import TestSupport
import Testing

/// A node behind TLS as the programs that use dqlite set it up: one certificate for all, presented by both sides.
@Suite(.gated, .enabled(if: DqliteNodes.areInstalled && TestCertificate.canBeMade, "needs nodes of dqlite, and openssl"))
struct DqliteTLSTests {
  /// Runs a test with a node that is reached through TLS alone, and a certificate with its key in a folder.
  private func withNode(names: String = "DNS:cluster.test", _ body: (String, URL) async throws -> Void) async throws {
    try await withTemporaryFolder { folder in
      let proxy = try TLSProxy(certificate: try TestCertificate.make("cluster", names: names, in: folder))
      defer { proxy.end() }
      let nodes = try DqliteNodes(count: 1, advertised: proxy.address)
      defer { nodes.end() }
      proxy.target.port.withLock { $0 = nodes.port(of: 0) }
      try await body(proxy.address, folder)
    }
  }

  private func rows(_ address: String, _ sql: String = "SELECT 1") async throws -> [[String]] {
    let cluster = try DqliteCluster(DqliteAddress(address), limits: .patient)
    defer { cluster.close() }
    return try await cluster.session(for: "rows", isReadOnly: true).rows(sql)
  }

  /// Returns what an address is refused with.
  private func refusal(_ address: String) async -> String {
    do {
      return "no error, but \(try await rows(address))"
    } catch {
      return (error as? RemoteError)?.message ?? "\(error)"
    }
  }

  @Test("The certificate is presented and checked, by the first name that it is for")
  func mutual() async throws {
    try await withNode { address, folder in
      let files = "cert=\(folder.path)/cluster.crt&key=\(folder.path)/cluster.key"
      for name in ["", "&servername=cluster.test"] {
        let rows = try await rows("dqlite://\(address)/test?\(files)\(name)")
        #expect(rows == [["1"]])
      }
      for name in ["other.test", "10.0.0.1"] {
        let other = await refusal("dqlite://\(address)/test?\(files)&servername=\(name)")
        #expect(other.contains("another name"), "\(other)")
      }
    }
  }

  @Test("A certificate without a name is checked as a whole, or by its IP address")
  func nameless() async throws {
    try await withNode(names: "IP:10.9.8.7") { address, folder in
      for name in ["", "&servername=10.9.8.7"] {
        let files = "cert=\(folder.path)/cluster.crt&key=\(folder.path)/cluster.key"
        let rows = try await rows("dqlite://\(address)/test?\(files)\(name)")
        #expect(rows == [["1"]])
      }
    }
  }

  @Test("Rows of many records")
  func longAnswer() async throws {
    try await withNode { address, folder in
      let url = "dqlite://\(address)/test?cert=\(folder.path)/cluster.crt&key=\(folder.path)/cluster.key"
      let sql = "WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n WHERE x < 50000) SELECT x, 'row ' || x FROM n"
      let rows = try await rows(url, sql)
      #expect(rows == (1...50_000).map { ["\($0)", "row \($0)"] })
    }
  }

  @Test("A wrong certificate, none, a key of another one, and TLS where there is none, each say what to do")
  func faults() async throws {
    try await withNode { address, folder in
      try TestCertificate.make("other", names: "DNS:cluster.test", in: folder)
      let wrong = await refusal("dqlite://\(address)/test?cert=\(folder.path)/other.crt&key=\(folder.path)/other.key")
      #expect(wrong.contains("different certificate"), "\(wrong)")
      let plain = await refusal("dqlite://\(address)/test")
      #expect(plain.contains("cert="), "\(plain)")
      let pair = try DqliteAddress("dqlite://\(address)/test?cert=\(folder.path)/cluster.crt&key=\(folder.path)/other.key")
      let error = #expect(throws: DqliteAddressError.self) { try DqliteCluster(pair) }
      #expect(error?.kind == .unusablePair("they do not belong to each other"))
      #expect(error?.description.contains("cannot be used together") == true)
      let long = String(repeating: "long.", count: 60)
      for name in [long, "a%20b"] {
        let address = try DqliteAddress(
          "dqlite://\(address)/test?cert=\(folder.path)/cluster.crt&key=\(folder.path)/cluster.key&servername=\(name)")
        let unnamed = #expect(throws: DqliteAddressError.self) { try DqliteCluster(address) }
        #expect(unnamed?.kind == .serverName(name == long ? long : "a b"))
      }
      let nodes = try DqliteNodes(count: 1)
      defer { nodes.end() }
      let open = await refusal(nodes.url() + "?cert=\(folder.path)/cluster.crt&key=\(folder.path)/cluster.key")
      #expect(open.contains("leave cert= and key= out"), "\(open)")
    }
  }
}

/// What a server may do to the handshake of TLS, or to what follows it.
@Suite(.gated, .enabled(if: TestCertificate.canBeMade, "needs openssl"))
struct TLSFaultTests {
  /// Asks a server that is reached through TLS, and returns what it answers or how that failed.
  private func answer(
    _ options: TLSProxy.Options = TLSProxy.Options(), client: String = "cluster", in folder: URL, servername: String? = nil,
    _ play: @escaping @Sendable (ScriptedServer.Connection) -> Void
  ) async throws -> String {
    let server = try ScriptedServer(play)
    defer { server.end() }
    let proxy = try TLSProxy(certificate: folder.appendingPathComponent("cluster").path, options)
    defer { proxy.end() }
    proxy.target.port.withLock { $0 = Int(server.address.split(separator: ":")[1]) ?? 0 }
    return try await message(proxy.address, client: client, in: folder, servername: servername)
  }

  private func message(
    _ address: String, client: String = "cluster", in folder: URL, servername: String? = nil, within limit: Duration = Waiting.limit
  ) async throws -> String {
    let files = "cert=\(folder.path)/\(client).crt&key=\(folder.path)/\(client).key" + (servername.map { "&servername=\($0)" } ?? "")
    let tls = try DqliteTLS(DqliteAddress("dqlite://\(address)/test?\(files)"))
    do {
      let node = try #require(DqliteNode(address))
      let channel = try await DqliteChannel.connect(to: node, tls: tls, within: limit)
      defer { channel.close() }
      return "\(try await channel.ask([.leader], within: Waiting.limit))"
    } catch let error as RemoteError {
      return "\(error.kind), \(error.outcome): \(error.message)"
    }
  }

  private static let leader: @Sendable (ScriptedServer.Connection) -> Void = { connection in
    connection.greet()
    guard connection.next() != nil else { return }
    connection.send(DqliteBytes.message(1, DqliteBytes.word(1) + DqliteBytes.text("10.0.0.1:9001")))
    connection.waitForEnd()
  }

  @Test("Both versions of TLS that are allowed carry an answer", arguments: [TLS1_2_VERSION, TLS1_3_VERSION])
  func versions(_ version: Int32) async throws {
    try await withTemporaryFolder { folder in
      try TestCertificate.make("cluster", names: "DNS:cluster.test", in: folder)
      let answer = try await answer(.init(version: version), in: folder, Self.leader)
      #expect(answer.contains("10.0.0.1:9001"), "\(answer)")
    }
  }

  @Test("A server that does not accept the certificate", arguments: [TLS1_2_VERSION, TLS1_3_VERSION])
  func rejected(_ version: Int32) async throws {
    try await withTemporaryFolder { folder in
      try TestCertificate.make("cluster", names: "DNS:cluster.test", in: folder)
      let other = try TestCertificate.make("other", names: "DNS:cluster.test", in: folder)
      let answer = try await answer(.init(clients: other, version: version), in: folder, Self.leader)
      // The alert is lost where the client has sent a request by the time that the server closes.
      #expect(answer.contains("not accept th"), "\(answer)")
      #expect(answer.hasPrefix("refused, didNotRun"))
    }
  }

  @Test("A certificate that has expired, one for another name, and one for another address")
  func certificates() async throws {
    try await withTemporaryFolder { folder in
      let path = try TestCertificate.make("cluster", names: "DNS:cluster.test,IP:10.9.8.7", in: folder)
      let right = try await answer(in: folder, servername: "10.9.8.7", Self.leader)
      #expect(right.contains("10.0.0.1:9001"), "\(right)")
      for name in ["10.9.8.6", "::1", "other.test"] {
        let wrong = try await answer(in: folder, servername: name, Self.leader)
        #expect(wrong.hasPrefix("refused, didNotRun") && wrong.contains("another name"), "\(wrong)")
      }
      try TestCertificate.expire(path)
      let expired = try await answer(in: folder, Self.leader)
      #expect(expired.hasPrefix("refused, didNotRun") && expired.contains("has expired"), "\(expired)")
    }
  }

  @Test("A connection that ends within an answer, with the farewell of TLS or without", arguments: [false, true])
  func truncated(_ isUnclean: Bool) async throws {
    try await withTemporaryFolder { folder in
      try TestCertificate.make("cluster", names: "DNS:cluster.test", in: folder)
      let answer = try await answer(.init(isUnclean: isUnclean), in: folder) { connection in
        connection.greet()
        _ = connection.next()
        connection.send(Array(DqliteBytes.message(1, DqliteBytes.word(1) + DqliteBytes.text("10.0.0.1:9001")).prefix(20)))
      }
      #expect(answer.hasPrefix("unavailable, unknown") && answer.contains("was lost"), "\(answer)")
    }
  }

  @Test("What answers the handshake with something else")
  func strangers() async throws {
    try await withTemporaryFolder { folder in
      try TestCertificate.make("cluster", names: "DNS:cluster.test", in: folder)
      let cases: [(bytes: [UInt8], part: String)] = [
        (Array("HTTP/1.1 400 Bad Request\r\n\r\n".utf8), "does not use TLS"), (Array("SSH-2.0-OpenSSH\r\n".utf8), "does not use TLS"),
        ([0x15, 3, 1, 0, 2, 2, 40], "does not accept the certificate"), ([0x15, 3, 1, 0, 2, 2, 70], "protocol version"),
        ([], "ended the connection"),
        ([0x16, 3, 3, 0, 4, 2, 0, 0, 0], "ended the connection"), ([0x16, 3, 3, 0xFF, 0xFF], "ended the connection"),
        ([UInt8](repeating: 0x16, count: 1 << 16), "TLS"), ([UInt8](repeating: 0xAA, count: 1 << 16), "does not use TLS"),
      ]
      for (bytes, part) in cases {
        let server = try ScriptedServer { connection in
          connection.send(bytes)
          connection.end()
        }
        defer { server.end() }
        let answer = try await message(server.address, in: folder)
        #expect(answer.hasPrefix("refused, didNotRun") && answer.contains(part), "\(bytes.prefix(8)): \(answer)")
      }
    }
  }

  @Test("A server that accepts the connection and never shakes hands")
  func silent() async throws {
    try await withTemporaryFolder { folder in
      try TestCertificate.make("cluster", names: "DNS:cluster.test", in: folder)
      let server = try ScriptedServer { $0.waitForEnd() }
      defer { server.end() }
      let answer = try await message(server.address, in: folder, within: .milliseconds(200))
      #expect(answer.hasPrefix("unavailable, didNotRun") && answer.contains("did not answer within"), "\(answer)")
    }
  }

  @Test("Files that are no certificate, no key, or a key with a passphrase")
  func files() throws {
    try withTemporaryFolder { folder in
      let path = try TestCertificate.make("cluster", names: "DNS:cluster.test", in: folder)
      let encryption = ["ec", "-in", path + ".key", "-aes128", "-passout", "pass:secret", "-out", path + ".secret"]
      try #require(ChildProcess([TestCertificate.openssl] + encryption).wait() == .exit(0))
      try Data("no certificate".utf8).write(to: URL(fileURLWithPath: path + ".none"))
      try Data("-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n".utf8).write(to: URL(fileURLWithPath: path + ".damaged"))
      for (certificate, key, kind) in [
        (".none", ".key", DqliteAddressError.Kind.notPEM(path: path + ".none", isKey: false)),
        (".damaged", ".key", .notPEM(path: path + ".damaged", isKey: false)), (".key", ".key", .notPEM(path: path + ".key", isKey: false)),
        (".crt", ".crt", .notPEM(path: path + ".crt", isKey: true)), (".crt", ".secret", .notPEM(path: path + ".secret", isKey: true)),
      ] {
        let address = try DqliteAddress("dqlite://10.0.0.1:1/test?cert=\(path)\(certificate)&key=\(path)\(key)")
        let error = #expect(throws: DqliteAddressError.self) { try DqliteTLS(address) }
        #expect(error?.kind == kind)
      }
    }
  }
}

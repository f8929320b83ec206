import Foundation
import QuarryCluster
import QuarryFiles
import TestSupport
import Testing

/// What a person writes to name a cluster's database.
@Suite(.gated) struct DqliteAddressTests {
  @Test("Nodes and a database")
  func nodes() throws {
    let address = try DqliteAddress("dqlite://10.0.0.1:9001,node-2:9002,[fe80::1]:9003/demo")
    #expect(address.nodes == [.host("10.0.0.1", port: 9001), .host("node-2", port: 9002), .host("fe80::1", port: 9003)])
    #expect(address.database == "demo")
    #expect(address.certificate == nil)
    #expect(address.description == "dqlite://10.0.0.1:9001,node-2:9002,[fe80::1]:9003/demo")
    #expect(try DqliteAddress("DQLITE://@snap.demo/x").nodes == [.abstract("snap.demo")])
    #expect(try DqliteAddress("dqlite://a:1/caf%C3%A9%2F1").database == "café/1")
  }

  @Test("A server list, a certificate and a key")
  func options() throws {
    let address = try DqliteAddress("dqlite:///k8s?servers=file:///var/a%20b/cluster.yaml&cert=c.crt&key=c.key&servername=k8s")
    #expect(address.nodes.isEmpty && address.database == "k8s")
    #expect(address.serverList == "/var/a b/cluster.yaml")
    #expect(address.certificate == "c.crt" && address.key == "c.key" && address.serverName == "k8s")
    // What is shown and kept has no path of a key.
    #expect(address.description == "dqlite:///k8s?servers=/var/a b/cluster.yaml")
  }

  @Test(
    "What is wrong says so, and what to write",
    arguments: [
      ("dqlite:demo", DqliteAddressError.Kind.form),
      ("dqlite:///demo", .noNodes),
      ("dqlite://10.0.0.1/demo", .node("10.0.0.1")),
      ("dqlite://10.0.0.1:9001,/demo", .node("")),
      ("dqlite://::1:9001/demo", .node("::1:9001")),
      ("dqlite://a:99999/demo", .node("a:99999")),
      ("dqlite://a:1", .noDatabase),
      ("dqlite://a:1/", .noDatabase),
      ("dqlite://a:1/:memory:", .databaseName(":memory:")),
      ("dqlite://a:1/file:x?mode=memory", .option("mode")),
      ("dqlite://a:1/file:x", .databaseName("file:x")),
      ("dqlite://a:1/a/b", .databaseName("a/b")),
      ("dqlite://me:secret@a:1/x", .password),
      ("dqlite://a:1/x?password=p", .password),
      ("dqlite://a:1/x?cert=c", .onlyOne(of: "cert")),
      ("dqlite://a:1/x?key=k", .onlyOne(of: "key")),
      ("dqlite://a:1/x?cert=c&key=-----BEGIN%20PRIVATE%20KEY-----", .contents(of: "key")),
      ("dqlite://a:1/x?tls=1", .option("tls")),
      ("dqlite://a:1/x?servers=", .emptyOption("servers")),
      ("dqlite://a:1/x?servername=n", .serverNameWithoutCertificate),
      ("dqlite://a:1/%zz", .escape("%zz")), ("dqlite://a:1/%+f", .escape("%+f")),
      ("dqlite://a:1/%00", .escape("%00")),
    ])
  func faults(_ text: String, _ kind: DqliteAddressError.Kind) throws {
    let error = #expect(throws: DqliteAddressError.self) { try DqliteAddress(text) }
    #expect(error?.kind == kind)
    let sentence = try #require(error).description
    #expect(sentence.hasSuffix(".") && !sentence.contains("secret") && !sentence.contains("PRIVATE"))
  }
}

/// The files in which nodes keep the addresses of all.
@Suite(.gated) struct DqliteServerListTests {
  @Test("The form that Go writes, and a single node")
  func forms() throws {
    let list = """
      - Address: 127.0.0.1:9101
        ID: 3297041220608546238
        Role: 0
      - Address: "[::1]:9102"  # the second
        ID: 2
        Role: 1
      - Address: node3
        ID: 3
        Role: 2
      """
    #expect(
      try DqliteServerList.nodes(in: list, path: "l") == [
        .host("127.0.0.1", port: 9101), .host("::1", port: 9102), .host("node3", port: 8080),
      ])
    #expect(try DqliteServerList.nodes(in: "Address: a:1\nID: 1\nRole: 0\n", path: "l") == [.host("a", port: 1)])
  }

  @Test("A line that is not understood is named, and a list without nodes")
  func faults() {
    func kind(_ text: String) -> DqliteAddressError.Kind? {
      do throws(DqliteAddressError) { _ = try DqliteServerList.nodes(in: text, path: "l") } catch { return error.kind }
      return nil
    }
    #expect(kind("- Address: a:1\n  Port: 3\n") == .serverList(path: "l", line: 2))
    #expect(kind("{\"a\": 1}") == .serverList(path: "l", line: 1))
    #expect(kind("- Address: a:b\n") == .serverList(path: "l", line: 1))
    #expect(kind("# nothing\n[]\n") == .emptyServerList(path: "l"))
  }

  @Test("Files that are not there, or are something else, are named")
  func files() throws {
    try withTemporaryFolder { folder in
      let text = folder.appendingPathComponent("text").path
      try Data("no PEM".utf8).write(to: URL(fileURLWithPath: text))
      func kind(_ address: String) throws -> DqliteAddressError.Kind? {
        let address = try DqliteAddress(address)
        let error = #expect(throws: DqliteAddressError.self) { try DqliteCluster(address) }
        return error?.kind
      }
      #expect(try kind("dqlite:///x?servers=\(text).none") == .unreadable(FileReadError(kind: .noSuchFile, path: text + ".none")))
      #expect(try kind("dqlite:///x?servers=\(text)") == .serverList(path: text, line: 1))
      #expect(try kind("dqlite://a:1/x?cert=\(text)&key=\(text)") == .notPEM(path: text, isKey: false))
    }
  }
}

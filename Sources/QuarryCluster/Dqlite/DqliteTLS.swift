/// The TLS settings of connections to a cluster, with one certificate and key for all nodes and clients.
///
/// The client presents the certificate and trusts no other.
package struct DqliteTLS: Sendable {
  let context: TLSContext
  /// The host name or IP address to verify in the nodes' certificate.
  ///
  /// Nil if the certificate has no name and is compared as a whole.
  let serverName: String?

  /// Reads the files in an address.
  ///
  /// Returns nil if there are none, so that connections are not encrypted.
  ///
  /// - Throws: ``DqliteAddressError``
  package init?(_ address: DqliteAddress) throws(DqliteAddressError) {
    guard let certificatePath = address.certificate, let keyPath = address.key else { return nil }
    let certificates = try Self.certificates(certificatePath)
    let key = try Self.key(keyPath)
    serverName = address.serverName ?? certificates.first.flatMap(\.firstName)
    do {
      context = try TLSContext(certificates, key)
    } catch {
      switch error {
      case .mismatch: throw DqliteAddressError(.unusablePair("they do not belong to each other"))
      case .unusable(let words): throw DqliteAddressError(.unusablePair(words))
      }
    }
    if let serverName, (try? TLSStream(context, serverName: serverName)) == nil {
      throw DqliteAddressError(.serverName(serverName))
    }
  }

  private static func certificates(_ path: String) throws(DqliteAddressError) -> [TLSCertificate] {
    guard let certificates = TLSCertificate.read(try DqliteServerList.contents(of: path)), !certificates.isEmpty else {
      throw DqliteAddressError(.notPEM(path: path, isKey: false))
    }
    return certificates
  }

  private static func key(_ path: String) throws(DqliteAddressError) -> TLSKey {
    guard let key = TLSKey(try DqliteServerList.contents(of: path)) else {
      throw DqliteAddressError(.notPEM(path: path, isKey: true))
    }
    return key
  }
}

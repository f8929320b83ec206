import COpenSSL
import Foundation
import TestSupport
import Testing

/// Certificates as a cluster has them, signed by their own key, made by the program `openssl`.
enum TestCertificate {
  static let openssl = "/usr/bin/openssl"
  static let canBeMade = FileManager.default.isExecutableFile(atPath: openssl)

  /// Makes a certificate and its key, `name.crt` and `name.key`.
  ///
  /// - Parameter names: What it is for, as `DNS:cluster.test` or `IP:10.9.8.7`.
  /// - Returns: The path of both, without their endings.
  @discardableResult
  static func make(_ name: String, names: String, in folder: URL) throws -> String {
    let path = folder.appendingPathComponent(name).path
    let command = [
      openssl, "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "2", "-subj", "/CN=\(name)",
      "-addext", "subjectAltName=\(names)", "-keyout", path + ".key", "-out", path + ".crt",
    ]
    try #require(ChildProcess(command).wait() == .exit(0))
    return path
  }

  /// Signs a certificate anew so that it has expired an hour ago, which the program cannot.
  static func expire(_ path: String) throws {
    let file = try #require(BIO_new_file(path + ".crt", "r"))
    let certificate = try #require(PEM_read_bio_X509(file, nil, nil, nil))
    defer { X509_free(certificate) }
    BIO_free(file)
    let keyFile = try #require(BIO_new_file(path + ".key", "r"))
    let key = try #require(PEM_read_bio_PrivateKey(keyFile, nil, nil, nil))
    defer { EVP_PKEY_free(key) }
    BIO_free(keyFile)
    X509_gmtime_adj(X509_getm_notBefore(certificate), -7200)
    X509_gmtime_adj(X509_getm_notAfter(certificate), -3600)
    try #require(X509_sign(certificate, key, EVP_sha256()) > 0)
    let output = try #require(BIO_new_file(path + ".crt", "w"))
    defer { BIO_free(output) }
    try #require(PEM_write_bio_X509(output, certificate) == 1)
  }
}

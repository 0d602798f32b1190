import { createHash, X509Certificate } from 'node:crypto'

/** A certificate's public key as Chromium is told to believe it: its SHA-256, in base64. */
export function keyPinOf(certificate: string): string {
  const key = new X509Certificate(certificate).publicKey.export({ type: 'spki', format: 'der' })
  return createHash('sha256').update(key).digest('base64')
}

import {
  createHash,
  createPrivateKey,
  createPublicKey,
  generateKeyPairSync,
  type KeyObject,
} from 'node:crypto'
import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { makeCertificate } from './certificate.ts'

type Authority = { certificate: string; keys: { publicKey: KeyObject; privateKey: KeyObject } }

/** What a TLS server of these names presents, and what its clients trust. */
export type ServerIdentity = {
  key: string
  /** The server's certificate and the authority's. */
  chain: string
  authority: {
    certificate: string
    /** SHA-256 of the authority's public key, in base64: what Chromium's list of keys takes. */
    keyPin: string
  }
}

const authorityName = 'Prokura sandbox'
const authorityDays = 3650
const serverDays = 397

/** The authority is kept in the folder, so that who trusts it may go on after a restart; the server's key lives as long as the process. */
export function makeServerIdentity(stateDir: string, names: readonly string[], now: Date): ServerIdentity {
  const authority = readAuthority(stateDir) ?? makeAuthority(stateDir, now)
  const { publicKey, privateKey } = newKeys()
  const certificate = makeCertificate({
    subject: names[0] ?? '',
    subjectKey: publicKey,
    issuer: authorityName,
    issuerKeys: authority.keys,
    validDays: serverDays,
    now,
    names,
  })
  return {
    key: pem(privateKey),
    chain: certificate + authority.certificate,
    authority: { certificate: authority.certificate, keyPin: pinOf(authority.keys.publicKey) },
  }
}

function readAuthority(stateDir: string): Authority | undefined {
  try {
    const kept = readFileSync(fileIn(stateDir), 'utf8')
    const privateKey = createPrivateKey(kept)
    const certificate = kept.slice(kept.indexOf('-----BEGIN CERTIFICATE-----'))
    return { certificate, keys: { privateKey, publicKey: createPublicKey(privateKey) } }
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined
    throw error
  }
}

function makeAuthority(stateDir: string, now: Date): Authority {
  const keys = newKeys()
  const certificate = makeCertificate({
    subject: authorityName,
    subjectKey: keys.publicKey,
    issuer: authorityName,
    issuerKeys: keys,
    validDays: authorityDays,
    now,
    names: [],
  })
  mkdirSync(stateDir, { recursive: true, mode: 0o700 })
  const file = fileIn(stateDir)
  // Never half of it under its name.
  writeFileSync(`${file}.new`, pem(keys.privateKey) + certificate, { mode: 0o600 })
  renameSync(`${file}.new`, file)
  return { certificate, keys }
}

function fileIn(stateDir: string): string {
  return join(stateDir, 'authority.pem')
}

function newKeys() {
  return generateKeyPairSync('ec', { namedCurve: 'prime256v1' })
}

function pem(key: KeyObject): string {
  return key.export({ type: 'pkcs8', format: 'pem' }).toString()
}

function pinOf(key: KeyObject): string {
  return createHash('sha256')
    .update(key.export({ type: 'spki', format: 'der' }))
    .digest('base64')
}

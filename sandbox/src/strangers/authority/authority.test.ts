import { createHash, X509Certificate } from 'node:crypto'
import { statSync } from 'node:fs'
import { join } from 'node:path'
import { createServer, connect as tlsConnect } from 'node:tls'
import { expect, onTestFinished, test } from 'vitest'
import { temporaryFolder } from '../../../test/run-sandbox.ts'
import { makeServerIdentity } from './authority.ts'

const names = ['classic.shop.test', 'page.pay.test']

function identity() {
  const folder = temporaryFolder()
  onTestFinished(folder.remove)
  return { folder: folder.path, made: makeServerIdentity(folder.path, names, new Date()) }
}

test('the authority vouches for these names, is one, and says so in a certificate that others can read', () => {
  const { made } = identity()
  const [server, authority] = [
    new X509Certificate(made.chain),
    new X509Certificate(made.authority.certificate),
  ]
  expect(server.subjectAltName).toBe('DNS:classic.shop.test, DNS:page.pay.test')
  expect([authority.ca, server.ca]).toEqual([true, false])
  expect(server.checkIssued(authority) && server.verify(authority.publicKey)).toBe(true)
  expect(authority.verify(authority.publicKey)).toBe(true)
  expect(server.checkHost('laden.shop.test')).toBeUndefined()
  const spki = authority.publicKey.export({ type: 'spki', format: 'der' })
  expect(made.authority.keyPin).toBe(createHash('sha256').update(spki).digest('base64'))
  expect(new Date(server.validFrom) < new Date() && new Date(server.validTo) > new Date()).toBe(true)
})

test('the authority stays from start to start, in a file that is nobody else’s, and the server’s key does not', () => {
  const { folder, made } = identity()
  const again = makeServerIdentity(folder, names, new Date())
  expect(again.authority).toEqual(made.authority)
  expect(again.key).not.toBe(made.key)
  expect(statSync(join(folder, 'authority.pem')).mode & 0o777).toBe(0o600)
})

test.each([
  ['classic.shop.test', names, 'trust'],
  ['other.shop.test', names, 'ERR_TLS_CERT_ALTNAME_INVALID'],
  // Its own limit: a name outside of .test, even if somebody got it to sign one.
  ['bank.example', ['bank.example'], 'permitted subtree violation'],
])(
  'a client that trusts the authority and asks for %s where the server is for %j gets %s',
  async (servername, served, failure) => {
    const { folder } = identity()
    const { key, chain, authority } = makeServerIdentity(folder, served, new Date())
    const server = createServer({ key, cert: chain }, (socket) => socket.end())
    onTestFinished(() => void server.close())
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const address = server.address()
    const port = typeof address === 'object' ? (address?.port ?? 0) : 0
    const outcome = await new Promise((resolve) => {
      const socket = tlsConnect({ port, host: '127.0.0.1', servername, ca: authority.certificate }, () => {
        socket.end()
        resolve('trust')
      })
      socket.on('error', (error: NodeJS.ErrnoException) => resolve(`${error.code} ${error.message}`))
    })
    expect(outcome).toContain(failure)
  },
)

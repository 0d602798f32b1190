import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { expect, onTestFinished, test } from 'vitest'
import { patientMs } from '../../../test/gate/pace.ts'
import { resolveConfiguredName, resolveForeignName } from './resolve.ts'

const typeA = 1
const typeAaaa = 28
const v4 = Buffer.from([192, 0, 2, 7])
const v6 = Buffer.from('20010db8000000000000000000000007', 'hex')

test('both families are found, IPv4 first', async () => {
  const servers = await serveNames({ [typeA]: v4, [typeAaaa]: v6 })
  expect(await resolveForeignName('shop.example', servers)).toEqual(['192.0.2.7', '2001:db8::7'])
})

test('a server that drops questions about IPv6 does not hold up an IPv4 answer', async () => {
  const servers = await serveNames({ [typeA]: v4, [typeAaaa]: 'silence' })
  const startedAt = performance.now()
  expect(await resolveForeignName('shop.example', servers)).toEqual(['192.0.2.7'])
  expect(performance.now() - startedAt).toBeLessThan(patientMs(1_000))
})

test('a name with IPv6 alone resolves', async () => {
  const servers = await serveNames({ [typeAaaa]: v6 })
  expect(await resolveForeignName('shop.example', servers)).toEqual(['2001:db8::7'])
})

test('a name without addresses is an error', async () => {
  const servers = await serveNames({})
  await expect(resolveForeignName('shop.example', servers)).rejects.toMatchObject({ code: 'ENODATA' })
})

test('loopback names never reach a name server', async () => {
  expect(await resolveForeignName('shop.localhost', ['127.0.0.1:1'])).toEqual(['127.0.0.1', '::1'])
})

test('names of our own configuration resolve as the operating system says', async () => {
  expect(await resolveConfiguredName('127.0.0.1')).toEqual(['127.0.0.1'])
})

/** A name server with one answer for each record type, for every name. */
async function serveNames(answers: Record<number, Buffer | 'silence'>): Promise<string[]> {
  const server = createSocket('udp4')
  server.on('message', (query, client) => {
    // The question follows the 12-byte header: labels up to a zero byte, then two bytes each of type and class.
    const endOfName = query.indexOf(0, 12)
    const question = query.subarray(12, endOfName + 5)
    const type = query.readUInt16BE(endOfName + 1)
    const answer = answers[type]
    if (answer === 'silence') return
    const header = Buffer.from([0, 0, 0x81, 0x80, 0, 1, 0, answer === undefined ? 0 : 1, 0, 0, 0, 0])
    query.copy(header, 0, 0, 2)
    const parts: Uint8Array[] = [header, question]
    if (answer !== undefined) {
      // Name by pointer to the question, type, class IN, 60 s, length.
      parts.push(Buffer.from([0xc0, 12, 0, type, 0, 1, 0, 0, 0, 60, 0, answer.length]), answer)
    }
    server.send(Buffer.concat(parts), client.port, client.address)
  })
  server.bind(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => void server.close())
  return [`127.0.0.1:${server.address().port}`]
}

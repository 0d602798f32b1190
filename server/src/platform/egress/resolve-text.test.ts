import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { expect, onTestFinished, test } from 'vitest'
import { resolveForeignText } from './resolve-text.ts'

const typeTxt = 16

test('a record that comes in pieces is one text, and each record is its own', async () => {
  const servers = await serveTexts([['v=spf1 -all'], ['prokura-', 'verification=ab12']])
  const records = await resolveForeignText('shop.example', servers)
  expect(records.sort()).toEqual(['prokura-verification=ab12', 'v=spf1 -all'])
})

test('a name without records is an error that says so', async () => {
  const servers = await serveTexts([])
  await expect(resolveForeignText('shop.example', servers)).rejects.toMatchObject({ code: 'ENODATA' })
})

test('a server that does not answer is given up, and its questions are over by then', async () => {
  const servers = await serveTexts('silence')
  await expect(resolveForeignText('shop.example', servers)).rejects.toMatchObject({
    code: expect.stringMatching(/^(?:ETIMEOUT|ECANCELLED)$/),
  })
})

test('loopback names never reach a name server', async () => {
  expect(await resolveForeignText('shop.localhost', ['127.0.0.1:1'])).toEqual([])
})

/** A name server that knows the same TXT records of every name. */
async function serveTexts(records: readonly (readonly string[])[] | 'silence'): Promise<string[]> {
  const server = createSocket('udp4')
  server.on('message', (query, client) => {
    if (records === 'silence') return
    // The question follows the 12-byte header: labels up to a zero byte, then two bytes each of type and class.
    const question = query.subarray(12, query.indexOf(0, 12) + 5)
    const header = Buffer.from([0, 0, 0x81, 0x80, 0, 1, 0, records.length, 0, 0, 0, 0])
    query.copy(header, 0, 0, 2)
    server.send(Buffer.concat([header, question, ...records.map(recordOf)]), client.port, client.address)
  })
  server.bind(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => void server.close())
  return [`127.0.0.1:${server.address().port}`]
}

/** Name by pointer to the question, type, class IN, 60 s, length, and each piece with its own length. */
function recordOf(pieces: readonly string[]): Buffer {
  const data = Buffer.concat(pieces.map((piece) => Buffer.from([piece.length, ...Buffer.from(piece)])))
  return Buffer.concat([Buffer.from([0xc0, 12, 0, typeTxt, 0, 1, 0, 0, 0, 60, 0, data.length]), data])
}

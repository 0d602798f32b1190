import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type RequestListener, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Command } from 'commander'
import { afterAll, afterEach, beforeEach, expect, test } from 'vitest'
import { patientMs } from '../../../test/gate/pace.ts'
import { CommandFailure } from '../failure.ts'
import { defineCatalog } from './catalog.ts'

const folder = mkdtempSync(join(tmpdir(), 'prokura-catalog-'))
afterAll(() => rmSync(folder, { recursive: true }))

const good = join(folder, 'e.jsonl')
let server: Server
let answer: RequestListener

beforeEach(async () => {
  server = createServer((request, response) => answer(request, response))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  writeFileSync(good, '{"handle":"good"}\n')
})
afterEach(() => {
  server.closeAllConnections()
  server.close()
})

async function catalog(...args: string[]): Promise<string | null> {
  const command = new Command('catalog')
  defineCatalog(command)
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  try {
    await command.parseAsync([...args, '--url', url, '--key', 'x'], { from: 'user' })
    return null
  } catch (error) {
    if (error instanceof CommandFailure) return error.message
    throw error
  }
}

test('an export that breaks off leaves the earlier file as it was, and nothing beside it', async () => {
  answer = (_, response) => {
    response.writeHead(200, { 'content-type': 'application/x-ndjson', 'content-length': '1000' })
    response.write('{"handle":"half"}\n', () => response.destroy())
  }
  expect(await catalog('export', good)).toMatch(
    /^The export of http:\S+ broke off before its end: .*\. Try again\.$/,
  )
  expect(readFileSync(good, 'utf8')).toBe('{"handle":"good"}\n')
  expect(readdirSync(folder)).toEqual(['e.jsonl'])
})

test.each([
  ['a page', 'text/html', '<html></html>'],
  ['JSON of somebody else', 'application/json', '{}'],
])('%s is neither a catalog nor an import', async (_, type, body) => {
  answer = (_request, response) => response.writeHead(200, { 'content-type': type }).end(body)
  const words = /^http:\S+ answered .*, so it is probably not the API of Prokura\. Correct --url\.$/
  expect(await catalog('export', good)).toMatch(words)
  expect(await catalog('import', good)).toMatch(words)
  expect(readFileSync(good, 'utf8')).toBe('{"handle":"good"}\n')
})

test('an export goes by the name of the file, as an import does, and a format that is named wins', async () => {
  const asked: unknown[] = []
  answer = (request, response) => {
    asked.push(request.headers.accept)
    response.writeHead(200, { 'content-type': String(request.headers.accept) }).end('content')
  }
  for (const args of [['rt.csv'], ['RT.CSV'], ['rt.jsonl'], ['rt', '--format', 'csv']])
    expect(await catalog('export', join(folder, ...args.slice(0, 1)), ...args.slice(1))).toBeNull()
  expect(asked).toEqual(['text/csv', 'text/csv', 'application/x-ndjson', 'text/csv'])
  expect(readFileSync(join(folder, 'rt.csv'), 'utf8')).toBe('content')
  for (const name of ['rt.csv', 'RT.CSV', 'rt.jsonl', 'rt']) rmSync(join(folder, name), { force: true })
})

test('a server that takes the connection and says nothing is given up after five seconds', async () => {
  answer = () => undefined
  const startedAt = performance.now()
  expect(await catalog('import', good)).toMatch(
    /^http:\S+ cannot be reached: it did not answer within 5 seconds\. Check that the service runs/,
  )
  expect(performance.now() - startedAt).toBeLessThan(patientMs(7_000))
})

test('a file arrives byte for byte, with its length', async () => {
  const sent = 'x'.repeat(200_000)
  writeFileSync(good, sent)
  let got = ''
  let length: unknown
  answer = (request, response) => {
    length = request.headers['content-length']
    request.setEncoding('utf8').on('data', (text: string) => {
      got += text
    })
    const progress = { bytes: 1, rows: 1, created: 1, updated: 0, unchanged: 0, failed: 0 }
    const done = {
      object: 'catalog_import',
      id: 'imp_1',
      status: 'completed',
      bytes: 1,
      progress,
      errors: [],
    }
    request.on('end', () =>
      response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(done)),
    )
  }
  expect(await catalog('import', good, '--json')).toBeNull()
  expect([length, got === sent]).toEqual(['200000', true])
})

test.each([
  ['import', folder, /is not a file/],
  ['import', join(folder, 'none'), /There is no file/],
  ['export', folder, /is a folder/],
  ['export', join(folder, 'none', 'x.csv'), /There is no folder .*none\. Create it/],
])('%s of what is no file is a sentence', async (command, file, words) => {
  answer = (_, response) => response.writeHead(500).end()
  await expect(catalog(command, file).catch(String)).resolves.toMatch(words)
})

import { appendFileSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { temporaryFolder } from '../test/run-sandbox.ts'
import { openDurableLog } from './durable-log.ts'

let folder: ReturnType<typeof temporaryFolder>
let path: string

beforeEach(() => {
  folder = temporaryFolder()
  path = join(folder.path, 'state', 'log.jsonl')
})

afterEach(() => folder.remove())

async function openAndRead() {
  const entries: unknown[] = []
  const log = await openDurableLog<unknown>(path, (entry) => entries.push(entry))
  return { log, entries }
}

test('acknowledged lines are in the file, in the order of the calls', async () => {
  const { log } = await openAndRead()
  await Promise.all(Array.from({ length: 500 }, (_, index) => log.append({ index })))
  const written = readFileSync(path, 'utf8').trim().split('\n')
  expect(written.map((line) => JSON.parse(line).index)).toEqual(
    Array.from({ length: 500 }, (_, index) => index),
  )
  await log.close()
})

test('durable waits for everything that was appended before it', async () => {
  const { log } = await openAndRead()
  let isWritten = false
  void log.append('first').then(() => {
    isWritten = true
  })
  await log.durable()
  expect(isWritten).toBe(true)
  await log.close()
})

test('a torn last line is dropped and the next entry starts on a line of its own', async () => {
  const first = await openAndRead()
  await first.log.append({ n: 1 })
  await first.log.close()
  appendFileSync(path, '{"n":2,"cut')
  const second = await openAndRead()
  expect(second.entries).toEqual([{ n: 1 }])
  await second.log.append({ n: 3 })
  await second.log.close()
  const third = await openAndRead()
  expect(third.entries).toEqual([{ n: 1 }, { n: 3 }])
  await third.log.close()
})

test('damage before the end refuses to start instead of forgetting what follows', async () => {
  const { log } = await openAndRead()
  await log.close()
  writeFileSync(path, '{"n":1}\n{"n":2,"cut\n{"n":3}\n')
  await expect(openAndRead()).rejects.toThrow('damaged line after byte 8')
})

test('entries larger than a read chunk and characters of several bytes come back unchanged', async () => {
  const { log } = await openAndRead()
  const big = { text: '€ü漢'.repeat(200_000) }
  await log.append(big)
  await log.append({ after: true })
  await log.close()
  const second = await openAndRead()
  expect(second.entries).toEqual([big, { after: true }])
  await second.log.close()
})

test('only the owner may read the file, because secrets can be in it', async () => {
  const { log } = await openAndRead()
  expect(statSync(path).mode & 0o777).toBe(0o600)
  await log.close()
})

test.runIf(process.platform === 'linux')(
  'a second process waits until the first has released the file',
  async () => {
    const first = await openAndRead()
    const second = openAndRead()
    await first.log.append('mine')
    await first.log.close()
    const { log, entries } = await second
    expect(entries).toEqual(['mine'])
    await log.close()
  },
)

import { gunzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { createCompress } from './compress.ts'

const of = (length: number) => ({
  status: 200,
  headers: { 'retry-after': '1' },
  body: 'tea '.repeat(length / 4),
})
const list = of(30_000)
const large = of(1_000_000)

test('a packed answer is packed whole, and keeps its headers', async () => {
  for (const answer of [list, large]) {
    const packed = await createCompress()(answer, 'gzip')
    expect(packed?.headers).toEqual({
      'retry-after': '1',
      vary: 'Accept-Encoding',
      'content-encoding': 'gzip',
    })
    expect(gunzipSync(packed?.body ?? '').toString()).toBe(answer.body)
  }
})

test('a small answer is not even looked at', () => {
  expect(createCompress()({ ...large, body: 'x'.repeat(8191) }, 'gzip')).toBeNull()
})

test('when as many large answers as may be are being packed, the next ones go out as they are, and later ones are packed again', async () => {
  const compress = createCompress()
  const many = await Promise.all(Array.from({ length: 20 }, () => compress(large, 'gzip')))
  const codings = many.map((one) => one?.headers['content-encoding'] ?? 'identity')
  expect(codings).toEqual([...Array(8).fill('gzip'), ...Array(12).fill('identity')])
  for (const one of many.slice(8))
    expect([one?.body, one?.headers.vary]).toEqual([large.body, 'Accept-Encoding'])
  expect((await compress(large, 'gzip'))?.headers['content-encoding']).toBe('gzip')
})

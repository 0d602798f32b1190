import { gunzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { createCompress } from './compress.ts'

const large = { status: 200, headers: { 'retry-after': '1' }, body: JSON.stringify(Array(5000).fill('tea')) }

test('what is packed is packed whole, and keeps its headers', async () => {
  const packed = await createCompress()(large, 'gzip')
  expect(packed?.headers).toEqual({
    'retry-after': '1',
    vary: 'Accept-Encoding',
    'content-encoding': 'gzip',
  })
  expect(gunzipSync(packed?.body ?? '').toString()).toBe(large.body)
})

test('a small answer is not even looked at', () => {
  expect(createCompress()({ ...large, body: 'x'.repeat(8191) }, 'gzip')).toBeNull()
})

test('when as many as may be are being packed, the next ones go out as they are, and later ones are packed again', async () => {
  const compress = createCompress()
  const many = await Promise.all(Array.from({ length: 20 }, () => compress(large, 'gzip')))
  const codings = many.map((one) => one?.headers['content-encoding'] ?? 'identity')
  expect(codings).toEqual([...Array(8).fill('gzip'), ...Array(12).fill('identity')])
  for (const one of many.slice(8))
    expect([one?.body, one?.headers.vary]).toEqual([large.body, 'Accept-Encoding'])
  expect((await compress(large, 'gzip'))?.headers['content-encoding']).toBe('gzip')
})

import { afterEach, expect, test, vi } from 'vitest'
import type { PageMessage } from '../../messages/src/messages.ts'
import { createAuthorizing } from './authorizing.ts'

const origin = 'https://elements.example'
const url = `${origin}/elements/v1/ceremony#pr_ew_test_1`

afterEach(() => vi.unstubAllGlobals())

function authorizing(handle: object | null = {}) {
  const sent: PageMessage[] = []
  const opened: unknown[] = []
  vi.stubGlobal('open', (address: unknown) => {
    opened.push(address)
    return handle
  })
  return { sent, opened, ...createAuthorizing(origin, (message) => sent.push(message)) }
}

test('the window of the frame is opened while the click lasts, and once', async () => {
  const { authorize, hear, sent, opened } = authorizing()
  hear({ kind: 'window', url })
  const first = authorize()
  expect(authorize()).toBe(first)
  expect([sent, opened]).toEqual([[{ kind: 'authorize', id: '1', isOpened: true }], [url]])
  hear({ kind: 'authorized', id: '2', output: { forged: true } })
  hear({ kind: 'authorized', id: '1', output: { done: true } })
  hear({ kind: 'not_authorized', id: '1', code: 'closed', message: 'Late.' })
  expect(await first).toEqual({ done: true })
  const second = authorize()
  hear({ kind: 'not_authorized', id: '2', code: 'incomplete', message: 'Not yet.' })
  await expect(second).rejects.toMatchObject({ code: 'incomplete', message: 'Not yet.' })
  expect(opened).toHaveLength(1)
})

test('nothing of another origin is opened, and the frame hears what the browser has blocked', () => {
  const { authorize, hear, sent, opened, end } = authorizing(null)
  for (const other of [
    'javascript:alert(1)',
    'https://evil.example/',
    '//evil.example',
    `${origin}.evil.example/`,
  ]) {
    hear({ kind: 'window', url })
    hear({ kind: 'window', url: other })
    authorize().catch(() => undefined)
    end('closed', 'Gone.')
  }
  expect(opened).toEqual([])
  hear({ kind: 'window', url })
  authorize().catch(() => undefined)
  expect([opened, sent.at(-1)]).toEqual([[url], { kind: 'authorize', id: '5', isOpened: false }])
  // What was announced by a document that is gone is not opened either.
  end('frame_gone', 'Gone.')
  hear({ kind: 'window', url })
  end('frame_gone', 'Gone.')
  authorize().catch(() => undefined)
  expect(opened).toHaveLength(1)
})

test('what is under way ends with its frame', async () => {
  const { authorize, end } = authorizing()
  const promise = authorize()
  end('closed', 'Gone.')
  end('frame_gone', 'Gone again.')
  await expect(promise).rejects.toMatchObject({ name: 'ProkuraError', code: 'closed', message: 'Gone.' })
})

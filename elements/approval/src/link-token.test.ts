import { expect, test } from 'vitest'
import { takeLink } from './link-token.ts'
import { newSecret } from './random.ts'

function browserAt(hash: string, stored: Record<string, string> = {}) {
  const shown: string[] = []
  const storage = {
    getItem: (name: string) => stored[name] ?? null,
    setItem: (name: string, value: string) => {
      stored[name] = value
    },
  }
  const place = {
    location: { hash, pathname: '/elements/v1/approve' },
    history: {
      replaceState: (_state: unknown, _title: string, url?: string | URL | null) => shown.push(`${url}`),
    },
    storage: () => storage,
    secretFor: async () => newSecret(),
  }
  return { shown, stored, place }
}

test('the token leaves the address bar, and stays in this tab with a secret of this browser', async () => {
  const { shown, stored, place } = browserAt('#pr_al_test_one')
  const link = await takeLink(place)
  expect([link?.token, shown]).toEqual(['pr_al_test_one', ['/elements/v1/approve']])
  expect(link?.secret).toMatch(/^[0-9a-f]{48}$/)
  expect(await takeLink(browserAt('', stored).place)).toEqual(link)
  // The same link once more is the same; another one is another.
  expect(await takeLink(browserAt('#pr_al_test_one', stored).place)).toEqual(link)
  const other = await takeLink(browserAt('#pr_al_test_two', stored).place)
  expect([other?.token, other?.secret === link?.secret]).toEqual(['pr_al_test_two', false])
})

test('a browser that keeps nothing has the link until the page is loaded again', async () => {
  const refuses = () => {
    throw new Error('SecurityError')
  }
  const { place } = browserAt('#pr_al_test_one')
  expect((await takeLink({ ...place, storage: refuses }))?.token).toBe('pr_al_test_one')
  expect(await takeLink({ ...browserAt('').place, storage: refuses })).toBeNull()
  expect(await takeLink(browserAt('', { 'prokura-approval-link': '{"token":1}' }).place)).toBeNull()
})

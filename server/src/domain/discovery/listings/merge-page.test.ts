import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { mergePage } from './merge-page.ts'

type One = { name: string }

function candidates(...names: string[]) {
  return names.map((said) => {
    const [name = '', price = '0', url = null] = said.split(' ')
    return { product: { name }, price: Number(price), url }
  })
}

function queue(id: string, names: string[], from = 0) {
  const rank = id.startsWith('s') ? Number(id.slice(1)) : id.charCodeAt(0) - 'a'.charCodeAt(0)
  return { id, rank, candidates: candidates(...names), from }
}

function merged(input: Partial<Parameters<typeof mergePage<One, One>>[0]>) {
  const { page, publishedTaken, offsets, turn } = mergePage<One, One>({
    published: [],
    queues: [],
    sort: 'relevance',
    turn: { isOurs: true, source: 0 },
    limit: 10,
    ...input,
  })
  return { page: page.map(({ name }) => name).join(' '), publishedTaken, offsets: [...offsets], turn }
}

describe('by relevance', () => {
  test('published products alone are in their order', () => {
    expect(merged({ published: candidates('p1', 'p2', 'p3'), limit: 2 })).toEqual({
      page: 'p1 p2',
      publishedTaken: 2,
      offsets: [],
      turn: { isOurs: false, source: 0 },
    })
  })

  test('published products and those of sources take turns, and the sources among them', () => {
    const queues = [queue('a', ['a1', 'a2']), queue('b', ['b1']), queue('c', [])]
    const published = candidates('p1', 'p2', 'p3', 'p4', 'p5')
    expect(merged({ published, queues, limit: 8 })).toEqual({
      page: 'p1 a1 p2 b1 p3 a2 p4 p5',
      publishedTaken: 5,
      offsets: [
        ['a', 2],
        ['b', 1],
        ['c', 0],
      ],
      turn: { isOurs: false, source: 1 },
    })
  })

  test('a page goes on where the one before ended: behind what was shown, with the next turn', () => {
    const queues = [queue('a', ['a1', 'a2', 'a3'], 1), queue('b', ['b1', 'b2'])]
    expect(merged({ queues, turn: { isOurs: false, source: 1 }, limit: 3 })).toEqual({
      page: 'b1 a2 b2',
      publishedTaken: 0,
      offsets: [
        ['a', 2],
        ['b', 2],
      ],
      turn: { isOurs: true, source: 2 },
    })
  })

  test('where the page before ended with a published product, this one begins with another', () => {
    const given = { published: candidates('p1'), queues: [queue('a', ['a1'])] }
    expect(merged({ ...given, turn: { isOurs: false, source: 0 } }).page).toBe('a1 p1')
  })

  test('a turn of a source that is gone is the next one', () => {
    expect(merged({ queues: [queue('a', ['a1'])], turn: { isOurs: false, source: 7 }, limit: 1 }).page).toBe(
      'a1',
    )
  })
})

describe('by price', () => {
  const published = candidates('p1 100', 'p2 300', 'p3 500')
  const queues = [queue('a', ['a1 200', 'a2 400']), queue('b', ['b1 100', 'b2 600'])]

  test('whichever is cheapest is next; of equal ones the published, then the better source', () => {
    expect(merged({ published, queues, sort: 'price_asc' }).page).toBe('p1 b1 a1 p2 a2 p3 b2')
  })

  test('or whichever is dearest', () => {
    const falling = {
      published: candidates('p3 500', 'p2 300', 'p1 100'),
      queues: [queue('a', ['a2 400', 'a1 200']), queue('b', ['b2 600', 'b1 100'])],
    }
    expect(merged({ ...falling, sort: 'price_desc' }).page).toBe('b2 p3 a2 p2 a1 p1 b1')
  })

  test('what is not shown waits for the next page', () => {
    const { publishedTaken, offsets } = merged({ published, queues, sort: 'price_asc', limit: 3 })
    expect([publishedTaken, offsets]).toEqual([
      1,
      [
        ['a', 1],
        ['b', 1],
      ],
    ])
  })
})

describe('one address is shown once', () => {
  test('published goes first, also before it is shown; then what came first', () => {
    const published = candidates('p1 0 https://x.example/1', 'p2 0 https://x.example/2')
    const queues = [
      queue('a', ['a1 0 https://x.example/2?utm_source=a', 'a2 0 https://x.example/3', 'a3']),
      queue('b', ['b1 0 https://www.x.example/3/', 'b2', 'b3 0 https://x.example/1#top']),
    ]
    expect(merged({ published, queues })).toMatchObject({
      page: 'p1 a2 p2 b2 a3',
      // What is never shown is behind us all the same.
      offsets: [
        ['a', 3],
        ['b', 3],
      ],
    })
  })
})

const anyInput = fc.record({
  sort: fc.constantFrom('relevance' as const, 'price_asc' as const, 'price_desc' as const),
  prices: fc.array(fc.integer({ min: 0, max: 5 }), { maxLength: 6 }),
  sources: fc.array(
    fc.record({
      prices: fc.array(fc.integer({ min: 0, max: 5 }), { maxLength: 6 }),
      from: fc.integer({ min: 0, max: 3 }),
    }),
    { maxLength: 5 },
  ),
  turn: fc.record({ isOurs: fc.boolean(), source: fc.integer({ min: 0, max: 5 }) }),
  limit: fc.integer({ min: 1, max: 12 }),
})

test('whatever is given, each product is shown once, in its own order, until there are enough', () => {
  fc.assert(
    fc.property(anyInput, ({ prices, sources, ...given }) => {
      const published = candidates(...prices.map((price, at) => `p${at} ${price}`))
      const queues = sources.map((source, id) =>
        queue(
          `s${id}`,
          source.prices.map((price, at) => `s${id}.${at} ${price}`),
          source.from,
        ),
      )
      const { page, publishedTaken, offsets } = merged({ ...given, published, queues })
      const shown = page.split(' ').filter((name) => name !== '')
      expect(new Set(shown).size).toBe(shown.length)
      const left = queues.reduce((sum, one) => sum + Math.max(0, one.candidates.length - one.from), 0)
      expect(shown.length).toBe(Math.min(given.limit, published.length + left))
      const own = published.slice(0, publishedTaken).map(({ product }) => product.name)
      expect(shown.filter((name) => name.startsWith('p'))).toEqual(own)
      for (const [id, offset] of offsets) {
        const from = queues.find((one) => one.id === id)?.from ?? 0
        const names = Array.from({ length: Math.max(0, offset - from) }, (_, at) => `${id}.${from + at}`)
        expect(shown.filter((name) => name.startsWith(`${id}.`))).toEqual(names)
      }
    }),
    { numRuns: 1_000 },
  )
})

test('pages of any size show together what one page shows, in the same order', () => {
  fc.assert(
    fc.property(anyInput, fc.integer({ min: 1, max: 4 }), ({ prices, sources, sort }, limit) => {
      const ranked = (given: number[]) => given.toSorted((a, b) => (sort === 'price_desc' ? b - a : a - b))
      let published = candidates(...ranked(prices).map((price, at) => `p${at} ${price}`))
      let queues = sources.map((source, id) =>
        queue(
          `s${id}`,
          ranked(source.prices).map((price, at) => `s${id}.${at} ${price}`),
        ),
      )
      const whole = merged({ published, queues, sort, limit: 100 }).page
      const shown: string[] = []
      let turn = { isOurs: true, source: 0 }
      for (let pages = 0; pages < 100; pages++) {
        const page = merged({ published, queues, sort, limit, turn })
        if (page.page === '') break
        shown.push(page.page)
        published = published.slice(page.publishedTaken)
        const offsets = new Map(page.offsets)
        // Sources that have ended are not asked again.
        queues = queues
          .map((one) => ({ ...one, from: offsets.get(one.id) ?? 0 }))
          .filter((one) => one.from < one.candidates.length)
        turn = page.turn
      }
      expect(shown.join(' ')).toBe(whole)
    }),
    { numRuns: 1_000 },
  )
})

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { appendFile, chmod, copyFile, cp, mkdtemp, rename, rm } from 'node:fs/promises'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { unpackedChromium } from '../../src/browser/chromium/unpack.ts'
import type { Visit } from '../../src/browser/shopper/visit.ts'
import { createBrowserPort } from '../../src/channels/browser/browser-port.ts'
import { movesMax, type ReaderPage, readerBounds } from '../../src/channels/browser/page-reader.ts'
import { scriptedReader } from '../../src/channels/browser/scripted-reader.testing.ts'
import { writeLine } from '../../src/channels/browser/shopping-wire.ts'
import type { Offer, ShopPrice } from '../../src/channels/browser/shopping-words.ts'
import {
  type BrowserWorld,
  chromiumFolder,
  hasChromium,
  offered,
  shopRequest,
  someOffer,
  startBrowserWorld,
} from '../harness/browser.ts'
import { processesOfChromium } from '../harness/chromium-processes.ts'
import { type Sandbox, startSandbox } from '../harness/sandbox.ts'

const request = shopRequest('classic')

describe.skipIf(!hasChromium)('the browser process', () => {
  let world: BrowserWorld
  beforeAll(async () => {
    world = await startBrowserWorld()
  })
  afterAll(() => world?.stop())
  beforeEach(() => {
    world.script = () => Promise.resolve(offered)
    world.order = () => Promise.resolve({ kind: 'placed', orderId: 'order_1', orderUrl: null })
  })

  const call = (more: { signal?: AbortSignal } = {}) => ({
    mode: 'test' as const,
    share: 'buyer',
    signal: new AbortController().signal,
    onEvidence: () => undefined,
    grant: () => Promise.resolve(null),
    ...more,
  })
  const place = (session: string | null, more: { offer?: Offer; cart?: string } = {}) =>
    world.port.place(
      { ...request, cart: more.cart ?? request.cart },
      { ...(more.offer ?? someOffer), reference: session },
      call(),
    )
  const sessionOf = (price: Awaited<ReturnType<BrowserWorld['price']>>) =>
    price.kind === 'offer' ? price.offer.reference : null

  /** A visit that lasts until it is ended from outside. */
  function lasting() {
    const begun = Promise.withResolvers<Visit>()
    world.script = async (visit) => {
      await visit.page.goto('https://classic.shop.test/')
      begun.resolve(visit)
      await new Promise((resolve) => visit.signal.addEventListener('abort', resolve))
      return offered
    }
    return begun.promise
  }
  const ended = ({ signal }: Visit) => expect.poll(() => signal.aborted).toBe(true)
  const mainPid = async () =>
    (await processesOfChromium(join(world.folder, 'profiles'))).find(({ args }) =>
      args.includes('--remote-debugging-pipe\0'),
    )?.pid ?? 0

  test('amounts, dates and pictures arrive as they were said', async () => {
    const taken: unknown[] = []
    world.script = async ({ page, evidence }, asked) => {
      expect(asked).toEqual(request)
      await page.goto('https://classic.shop.test/')
      await evidence('cart', '$27.00')
      return { ...offered, offer: { ...someOffer, total: 9_007_199_254_740_993n } } as ShopPrice
    }
    const said = await world.port.price(request, { ...call(), onEvidence: (one) => taken.push(one) })
    expect(said).toMatchObject({ kind: 'offer', offer: { total: 9_007_199_254_740_993n } })
    expect(taken).toEqual([
      {
        stage: 'cart',
        at: expect.any(Date),
        urlHost: 'classic.shop.test',
        picture: expect.any(Buffer),
        totalText: '$27.00',
        hosts: ['classic.shop.test'],
      },
    ])
  })

  test('an order goes on in the page of its price, once, and only for the same request', async () => {
    const seen: Visit[] = []
    const prices: string[] = []
    world.script = (visit, { cart }) => {
      seen.push(visit)
      prices.push(cart)
      return Promise.resolve(offered)
    }
    world.order = (visit) => {
      seen.push(visit)
      return Promise.resolve({ kind: 'placed', orderId: String(visit.signal.aborted), orderUrl: null })
    }
    const session = sessionOf(await world.port.price(request, call()))
    expect(session).toMatch(/^bvs_/)
    expect(await place(session)).toMatchObject({ kind: 'placed', orderId: 'false' })
    expect([seen[0] === seen[1], prices]).toEqual([true, ['cart_1']])
    // The visit has ended with its order.
    expect(await place(session)).toMatchObject({ kind: 'placed' })
    expect(prices).toEqual(['cart_1', 'cart_1'])
    const other = sessionOf(await world.port.price(request, call()))
    expect(await place(other, { cart: 'cart_2' })).toMatchObject({ kind: 'placed' })
    expect(prices.at(-1)).toBe('cart_2')
  })

  test.each<[string, Partial<Offer>, 'placed' | 'refused']>([
    ['a higher total', { total: 2_701n }, 'refused'],
    ['another currency', { currency: 'EUR' }, 'refused'],
    [
      'another quantity',
      { lines: [{ itemId: 'item_1', quantity: 2, unitAmount: 1_000n, title: null }] },
      'refused',
    ],
    ['no goods', { lines: [] }, 'refused'],
    ['a lower total', { total: 2_699n }, 'placed'],
    [
      'another title',
      { lines: [{ itemId: 'item_1', quantity: 1, unitAmount: 2_000n, title: 'Pot' }] },
      'placed',
    ],
  ])('without its page an order is read again, and %s is %s', async (_, change, kind) => {
    let orders = 0
    world.script = () => Promise.resolve({ kind: 'offer', offer: { ...someOffer, ...change }, promo: null })
    world.order = () => {
      orders += 1
      return Promise.resolve({ kind: 'placed', orderId: null, orderUrl: null })
    }
    const said = await place(null)
    expect([said.kind, orders]).toEqual([kind, kind === 'placed' ? 1 : 0])
    if (said.kind === 'refused') expect(said).toMatchObject({ code: 'price_changed', isTyped: false })
  })

  test('what the shop says at the second look is the end of an order, and nothing was typed', async () => {
    world.script = () => Promise.resolve({ kind: 'refused', code: 'insufficient_stock', message: 'one left' })
    expect(await place(null)).toEqual({
      kind: 'refused',
      code: 'product_out_of_stock',
      message: 'one left',
      isTyped: false,
    })
  })

  test('a worker that hangs up, or is killed, ends its visit at once', async () => {
    const over = new AbortController()
    const visit = lasting()
    const said = world.price({}, { signal: over.signal })
    await visit
    over.abort()
    await ended(await visit)
    expect(await said).toEqual({ kind: 'lost' })

    const last = lasting()
    const child = spawn(process.execPath, ['--input-type=module', '-e', workerProgram, world.doors], {
      stdio: 'ignore',
    })
    await last
    child.kill('SIGKILL')
    await ended(await last)
  })

  const workerProgram = `
    import { createBrowserPort } from ${JSON.stringify(join(import.meta.dirname, '../../src/channels/browser/browser-port.ts'))}
    const request = JSON.parse(${JSON.stringify(writeLine({ ask: 'price', mode: 'test', share: 'buyer', has_reader: false, request }))}, (_, part) => part?.minor ? BigInt(part.minor) : part).request
    await createBrowserPort(process.argv[1]).price(request, { mode: 'test', share: 'buyer', signal: new AbortController().signal, onEvidence() {} })`

  test('a Chromium that dies makes a price unavailable and an order refused, and the next one is new', async () => {
    const visit = lasting()
    const said = world.price()
    await visit
    const pid = await mainPid()
    process.kill(pid, 'SIGKILL')
    expect(await said).toMatchObject({ kind: 'unavailable' })
    world.order = async () => {
      process.kill(await mainPid(), 'SIGKILL')
      return new Promise(() => undefined)
    }
    world.script = () => Promise.resolve(offered)
    const session = sessionOf(await world.port.price(request, call()))
    expect(await place(session)).toMatchObject({
      kind: 'refused',
      code: 'merchant_unavailable',
      isTyped: false,
    })
    expect((await world.port.price(request, call())).kind).toBe('offer')
    expect(await mainPid()).not.toBe(pid)
  })

  test('a Chromium serves its tenant visit after visit, while others last and when they have ended', async () => {
    world.script = async ({ page }) => {
      await page.goto('https://classic.shop.test/')
      // Long enough that its renderers are looked after.
      await page.evaluate('new Promise((resolve) => setTimeout(resolve, 2500))')
      return { kind: 'unavailable', why: 'over' }
    }
    const over = { kind: 'unavailable', why: 'over' }
    expect(await world.port.price(request, call())).toEqual(over)
    const pid = await mainPid()
    for (const _ of [2, 3])
      expect(
        await Promise.all([world.port.price(request, call()), world.port.price(request, call())]),
      ).toEqual([over, over])
    expect(await mainPid()).toBe(pid)
  })

  test('carts beyond the places wait, and those beyond the queue are told so', async () => {
    const visits: Visit[] = []
    const go = Promise.withResolvers<ShopPrice>()
    world.script = (visit) => {
      visits.push(visit)
      return go.promise
    }
    const carts = [1, 2].map(() => world.price())
    await expect.poll(() => visits.length).toBe(2)
    carts.push(...Array.from({ length: 25 }, () => world.price()))
    const turnedAway = await Promise.race(carts)
    expect(turnedAway).toEqual({ kind: 'no_room', why: 'too many carts wait for the browser' })
    expect(await world.browser.health()).toMatchObject({ visits: 2, kept: 0, waiting: 24 })
    go.resolve({ kind: 'unavailable', why: 'over' })
    const said = await Promise.all(carts)
    expect(said.filter((one) => one.kind === 'unavailable' && one.why === 'over')).toHaveLength(26)
  })

  test('a page that only stays open gives way to a cart that waits, and its order begins anew', async () => {
    const first = await world.port.price(request, call())
    await world.port.price(request, call())
    expect(await world.browser.health()).toMatchObject({ visits: 2, kept: 2 })
    let prices = 0
    world.script = () => {
      prices += 1
      return Promise.resolve(offered)
    }
    expect((await world.price()).kind).toBe('offer')
    expect(await place(sessionOf(first))).toMatchObject({ kind: 'placed' })
    expect(prices).toBe(2)
  })

  test('what nobody of ours would say is not answered, and the next question is', async () => {
    const odd = [
      'x',
      '[]',
      '{}',
      '{"ask":"price"}',
      writeLine({
        ask: 'price',
        mode: 'test',
        share: 'buyer',
        has_reader: false,
        request: { ...request, site: 'http://classic.shop.test' },
      }),
      writeLine({
        ask: 'price',
        mode: 'test',
        share: 'buyer',
        has_reader: false,
        request: { ...request, more: 1 } as typeof request,
      }),
      writeLine({ ask: 'price', mode: 'other' as 'test', share: 'buyer', has_reader: false, request }),
      'x'.repeat(300_000),
    ]
    for (const line of odd) {
      const socket = connect(join(world.doors, 'door')).on('error', () => undefined)
      socket.write(`${line.trim()}\n`)
      const heard: Buffer[] = []
      socket.on('data', (chunk: Buffer) => heard.push(chunk))
      await new Promise((resolve) => socket.once('close', resolve))
      expect([line.slice(0, 100), heard.length]).toEqual([line.slice(0, 100), 0])
    }
    expect((await world.price()).kind).toBe('offer')
  })

  test('a worker with a reader answers for pages, so often and no more; one without is shown none', async () => {
    const page: ReaderPage = { aim: 'put_into_cart', path: '/', title: '', text: '', elements: [] }
    const large = { ...page, text: 'x'.repeat(readerBounds.all) }
    const moves: unknown[] = []
    world.script = async (_visit, _request, { reader = null } = {}) => {
      if (reader === null) return { kind: 'unavailable', why: 'no reader' }
      moves.push(await reader.move(large))
      for (let count = 0; count < movesMax; count++) moves.push(await reader.move(page))
      return offered
    }
    expect(await world.price()).toEqual({ kind: 'unavailable', why: 'no reader' })
    const reader = scriptedReader((_page, count) =>
      count === 1 ? Promise.reject(new Error('no model')) : { move: 'click', ref: 1, count },
    )
    expect((await world.port.price(request, { ...call(), reader })).kind).toBe('offer')
    expect(reader.seen).toEqual(Array.from({ length: movesMax - 1 }, () => page))
    expect(moves.slice(0, 3)).toEqual([null, null, { move: 'click', ref: 1, count: 2 }])
    expect(moves.at(-1)).toBeNull()
    expect(moves).toHaveLength(movesMax + 1)
  })

  test('without a process there is nothing sent', async () => {
    const port = createBrowserPort(join(world.folder, 'nowhere'))
    expect(await port.price(request, call())).toEqual({ kind: 'not_sent' })
    expect(await port.place(request, someOffer, call())).toEqual({ kind: 'not_sent' })
    expect(await port.health()).toBeNull()
  })
})

describe.skipIf(!hasChromium)('its Chromium', () => {
  let outside: Sandbox
  beforeAll(async () => {
    outside = await startSandbox()
  })
  afterAll(() => outside?.stop())

  test('drops the cart of a worker that has fallen silent, though its connection is there', async () => {
    const world = await startBrowserWorld({ silenceMs: 1_000 }, outside)
    // Its first look at Chromium takes longer than that.
    await world.browser.health()
    const begun = Promise.withResolvers<Visit>()
    world.script = (visit) => {
      begun.resolve(visit)
      return new Promise(() => undefined)
    }
    const socket = connect(join(world.doors, 'door')).resume()
    socket.write(writeLine({ ask: 'price', mode: 'test', share: 'buyer', has_reader: false, request }))
    const beats = setInterval(() => socket.write(writeLine({ beat: true })), 50)
    const { signal } = await begun.promise
    clearInterval(beats)
    await once(socket, 'close')
    await expect.poll(() => signal.aborted).toBe(true)
    await world.stop()
  })

  test('stops when nobody has used it for a while, and so does a page that nobody ordered from', async () => {
    const world = await startBrowserWorld({ idleMs: 100, keptForMs: 100 }, outside)
    const running = async () => (await world.browser.health()).running
    expect((await world.price()).kind).toBe('offer')
    expect(await running()).toBe(1)
    await expect.poll(async () => (await world.browser.health()).kept).toBe(0)
    await expect.poll(running).toBe(0)
    await expect.poll(() => processesOfChromium(join(world.folder, 'profiles'))).toEqual([])
    expect((await world.price()).kind).toBe('offer')
    await world.stop()
  })

  test('is not started once its file is another', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'prokura-chromium-'))
    await chmod(folder, 0o755)
    await unpackedChromium(chromiumFolder)
    await cp(chromiumFolder, folder, { recursive: true })
    const world = await startBrowserWorld({ binary: () => unpackedChromium(folder), idleMs: 1 }, outside)
    const { path } = await unpackedChromium(folder)
    expect((await world.browser.health()).remedy).toBeNull()
    // As an update does it: a file that is being executed cannot be written to.
    await copyFile(path, `${path}.new`)
    await appendFile(`${path}.new`, 'x')
    await rename(`${path}.new`, path)
    expect(await world.price()).toMatchObject({
      kind: 'no_room',
      why: expect.stringContaining('is not the Chromium that was unpacked there'),
    })
    await world.stop()
    await rm(folder, { recursive: true })
  })

  test('has to have a sandbox of its own for live mode, and says what to do where it has none', async () => {
    const asRoot = process.geteuid?.() === 0
    if (!asRoot) return
    // Of root there is no sandbox in Chromium.
    for (const mayRunUnsandboxed of [true, false]) {
      const world = await startBrowserWorld({ user: null, mayRunUnsandboxed }, outside)
      const { sandbox, serves, remedy } = await world.browser.health()
      expect([sandbox, serves, remedy]).toEqual([
        'missing',
        mayRunUnsandboxed ? ['test'] : [],
        expect.stringContaining('unprivileged user namespaces'),
      ])
      expect((await world.price()).kind).toBe(mayRunUnsandboxed ? 'offer' : 'no_room')
      const live = {
        mode: 'live' as const,
        share: 'buyer',
        signal: new AbortController().signal,
        onEvidence: () => undefined,
      }
      expect(await world.port.price(request, live)).toEqual({ kind: 'no_room', why: remedy })
      await world.stop()
    }
  })
})

import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { request } from 'node:https'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { openStrangers } from '../../test/open-strangers.ts'
import { control, get, runSandbox, temporaryFolder } from '../../test/run-sandbox.ts'
import { cardTyped, goToPayment, openShopper } from '../../test/shopper.ts'
import { listen } from '../json-server.ts'
import { shops } from './shop-list.ts'

test('every shop of the list opens under its name, and a name that nobody has does not', async () => {
  const strangers = await openStrangers()
  expect(Object.keys(strangers.facts.shops)).toEqual(Object.keys(shops))
  for (const url of Object.values(strangers.facts.shops)) {
    const { status, body } = await strangers.shopper().open(`${url}/`)
    expect([url, status, body.startsWith('<!doctype html>')]).toEqual([url, 200, true])
  }
  for (const host of Object.keys(strangers.facts.addresses))
    expect((await strangers.shopper().open(`https://${host}/nothing/here`)).status).toBe(404)
  const [address = ''] = Object.values(strangers.facts.addresses)
  const status = await new Promise((resolve, reject) => {
    const headers = { host: 'other.shop.test' }
    request(`https://${address}/`, { rejectUnauthorized: false, headers }, (answer) =>
      resolve(answer.resume().statusCode),
    )
      .on('error', reject)
      .end()
  })
  expect(status).toBe(421)
  await strangers.close()
})

test('a shop that is no part of the sandbox answers under its own name with TLS, as behind a proxy; where nobody listens it is 502', async () => {
  const heard: unknown[] = []
  const shop = createServer((request, response) => {
    let body = ''
    request.on('data', (chunk) => {
      body += chunk
    })
    request.on('end', () => {
      const { host, 'x-forwarded-proto': proto, cookie } = request.headers
      heard.push([request.method, request.url, host, proto, cookie, body])
      response.writeHead(201, { 'set-cookie': 'sid=1; Path=/', 'content-type': 'text/plain' })
      response.end('theirs')
    })
  })
  const port = await listen(shop, 0)
  const strangers = await openStrangers({ shopsElsewhere: { mine: port, gone: 1 } })
  expect(strangers.facts.shops).toMatchObject({
    mine: 'https://mine.shop.test',
    gone: 'https://gone.shop.test',
  })
  const shopper = strangers.shopper()
  expect(await shopper.open('https://mine.shop.test/a?b=1')).toMatchObject({ status: 201, body: 'theirs' })
  await shopper.postJson('https://mine.shop.test/c', { d: 2 })
  expect(heard).toEqual([
    ['GET', '/a?b=1', 'mine.shop.test', 'https', '', ''],
    ['POST', '/c', 'mine.shop.test', 'https', 'sid=1', '{"d":2}'],
  ])
  expect((await shopper.open('https://gone.shop.test/')).status).toBe(502)
  expect((await get(`${strangers.url}/mine/log`)).status).toBe(404)
  await strangers.close()
  shop.close()
})

test('what is done to shops from outside needs the token, and a shop that is not there is 404', async () => {
  const strangers = await openStrangers()
  const days = { days: 1 }
  expect((await control(`${strangers.url}/authorizes/control/days`, days, 'guess')).status).toBe(401)
  expect((await get(`${strangers.url}/closed/mail?to=grace@example.com`)).status).toBe(401)
  expect((await strangers.passDays('classic', 1)).status).toBe(409)
  for (const name of ['nowhere', 'toString', '__proto__'])
    expect((await get(`${strangers.url}/${name}/log`)).status).toBe(404)
  await strangers.close()
})

test('a request that is too large or no form is refused, and the shop goes on', async () => {
  const strangers = await openStrangers()
  const shopper = strangers.shopper()
  const shop = 'https://app.shop.test'
  expect((await shopper.postJson(`${shop}/api/cart/lines`, { sku: 'x'.repeat(2 << 20) })).status).toBe(413)
  expect((await shopper.postJson(`${shop}/api/cart/lines`, [])).status).toBe(400)
  for (const quantity of ['-1', '1e9', 'NaN', '0.5', ''])
    expect(
      (await shopper.postJson(`${shop}/api/cart/lines`, { sku: 'socks', quantity })).status,
    ).toBeLessThan(500)
  expect((await shopper.open(`${shop}/api/cart`)).status).toBe(200)
  await strangers.close()
})

test('no card number is ever on a disk of the shops, whatever became of the order', async () => {
  const strangers = await openStrangers()
  for (const [name, handle] of [
    ['classic', 'kettle'],
    ['slow', 'error-after-order'],
    ['hostile', 'charges-more'],
    ['drift', 'price-at-button'],
  ] as const) {
    const shopper = strangers.shopper()
    await goToPayment(shopper, `https://${name}.shop.test/product/${handle}`)
    const card = await strangers.issueCard({ limit: 10_000, merchant: `${name}.shop.test` })
    await shopper.submit('/checkout/payment', cardTyped(card))
    const file = readFileSync(join(strangers.folder, 'strangers', `${name}.jsonl`), 'utf8')
    expect([file.length > 100, file.includes(card.number)]).toEqual([true, false])
  }
  expect(readdirSync(join(strangers.folder, 'strangers')).sort()).toEqual([
    'authority.pem',
    'classic.jsonl',
    'drift.jsonl',
    'hostile.jsonl',
    'slow.jsonl',
  ])
  await strangers.close()
})

test('an answer of the processor that is lost is asked for again: one order, one charge', async () => {
  const strangers = await openStrangers()
  for (const operation of ['authorize_card', 'capture'])
    await control(`${strangers.processorUrl}/control/faults`, { match: { operation }, fault: 'lose_answer' })
  const shopper = strangers.shopper()
  await goToPayment(shopper, 'https://classic.shop.test/product/kettle')
  const card = await strangers.issueCard({ limit: 100_000, merchant: 'classic.shop.test' })
  const done = await shopper.submit('/checkout/payment', cardTyped(card))
  expect([done.url.pathname, await strangers.totals(card)]).toEqual(['/order/100001', '0/5832/0'])
  await strangers.close()
})

test('a shop whose memory is damaged stays closed, and the others go on', async () => {
  const strangers = await openStrangers()
  await strangers.shopper().open('https://classic.shop.test/')
  await strangers.shopper().open('https://drift.shop.test/')
  writeFileSync(join(strangers.folder, 'strangers', 'drift.jsonl'), 'damaged\n{}\n')
  await strangers.restart()
  await expect(strangers.shopper().open('https://drift.shop.test/')).rejects.toThrow()
  expect((await strangers.shopper().open('https://classic.shop.test/')).status).toBe(200)
  expect((await get(`${strangers.url}/health`)).status).toBe(200)
  await strangers.close()
})

test('a shop that is killed before it asks the card closes the key at its next start: nothing is charged later', async () => {
  const state = temporaryFolder()
  const first = await runSandbox(['--state', state.path])
  await control(
    `${first.processor}/control/faults`,
    { match: { operation: 'authorize_card' }, fault: 'delay=60000' },
    first.controlToken,
  )
  const shopper = openShopper(first.facts)
  await goToPayment(shopper, 'https://classic.shop.test/product/kettle')
  const typed = { card_number: '4242424242424242', card_expiry: '12/40', card_cvc: '123' }
  const lost = shopper.submit('/checkout/payment', typed).catch(() => 'lost')
  const orders = async (url: string) =>
    (await (await fetch(`${url}/classic/orders`)).json()) as { state: string }[] // its book
  await expect.poll(() => orders(first.strangers)).toMatchObject([{ state: 'charging' }])
  await first.kill()
  expect(await lost).toBe('lost')
  const second = await runSandbox(['--state', state.path])
  await expect.poll(() => orders(second.strangers)).toMatchObject([{ state: 'declined' }])
  expect(await second.stop()).toEqual([0, null])
  state.remove()
})

import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { freePort } from '../../../src/cli/up/free-port.ts'
import { openChromium, openPage, press, there, until } from '../../elements/open-chromium.ts'
import { commandRunner } from '../../harness/command-runner.ts'
import type { Sandbox } from '../../harness/sandbox.ts'
import type { Service } from '../../harness/up.ts'
import { postTo } from './post-to.ts'

/** A live rail that moves nobody's money, with the pages on which its simulator takes cards. */
export async function rehearsedLiveRail({ stripeUrl }: Sandbox) {
  const port = await freePort()
  return {
    args: ['--port', String(port)],
    env: {
      PROKURA_LIVE_RAIL: 'stripe',
      PROKURA_LIVE_CAP_DAILY: '500.00 USD',
      PROKURA_STRIPE_URL: stripeUrl,
      PROKURA_STRIPE_SECRET_KEY: 'sk_live_sandbox',
      PROKURA_STRIPE_PUBLISHABLE_KEY: 'pk_live_sandbox',
      PROKURA_PUBLIC_URL: `http://127.0.0.1:${port}`,
      PROKURA_ELEMENTS_URL: `http://elements.localhost:${port}`,
      PROKURA_CARDS_URL: `http://cards.localhost:${port}`,
    },
  }
}

/**
 * Types these numbers into the processor's fields, in a page of an integrator. The processor knows none of them, and says so to the form:
 * each has gone all the way that the number of a card goes.
 */
export async function typeAtProcessor(
  { ready }: Service,
  state: string,
  numbers: readonly string[],
): Promise<void> {
  const site = createServer()
  await once(site.listen(0, '127.0.0.1'), 'listening')
  const { port } = site.address() as AddressInfo // of a TCP server
  const shop = `http://shop.localhost:${port}`
  const commands = commandRunner()
  const keyOf = async (...about: string[]): Promise<string> => {
    const create = ['keys', 'create', '--mode', 'live', ...about, '--state', state, '--json']
    return JSON.parse((await commands.run(create)).out).token
  }
  const secret = await keyOf()
  const key = await keyOf('--kind', 'publishable', '--capability', 'elements', '--origin', shop)
  commands.end()
  const buyer = { first_name: 'Ada', last_name: 'Lovelace', email: 'ada@example.com', country: 'AT' }
  const as = { authorization: `Bearer ${secret}` }
  const profile = await postTo(`${ready.base_url}/v1/profiles`, buyer, as)
  const { PROKURA_ELEMENTS_URL: elements } = JSON.parse(readFileSync(join(state, 'environment.json'), 'utf8'))
  site.on('request', (_, response) => {
    response.writeHead(200, { 'content-type': 'text/html' }).end(`<!doctype html><div id="card"></div>
<script src="${elements}/elements/v1/prokura.js"></script>
<script>new Prokura('${key}').create('AddPaymentMethod', { profileId: '${profile.body.id}' }).mount('#card')</script>`)
  })
  const chromium = await openChromium()
  try {
    const page = await openPage(chromium.browser)
    await page.goto(shop)
    const frame = await page.waitForFrame((each) => each.url().includes('/elements/v1/frames/'))
    const card = await page.waitForFrame((each) => each.url().includes('/card-frame'))
    for (const number of numbers) {
      await there(card, 'input[name=cvc]')
      await card.evaluate(`document.querySelector('form').reset()`)
      for (const [name, value] of Object.entries({ number, expiry: '1240', cvc: '123' }))
        await card.type(`input[name=${name}]`, value)
      await press(frame, 'form > .button')
      await until(frame, `document.querySelector('.notice')?.textContent.includes('number is incorrect')`)
    }
  } finally {
    await chromium.close()
    site.close()
  }
}

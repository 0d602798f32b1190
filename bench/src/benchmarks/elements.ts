import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { Agent, createServer, type IncomingMessage, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { json } from 'node:stream/consumers'
import { promisify } from 'node:util'
import { gzipSync } from 'node:zlib'
import type { Browser } from 'puppeteer-core'
import { buildElements } from '../../../elements/build.ts'
import { launchChromium } from '../../../server/src/browser/chromium/launch.ts'
import { unpackedChromium } from '../../../server/src/browser/chromium/unpack.ts'
import { chromiumIds, mayBecome } from '../../../server/src/platform/postgres/account.ts'
import { createVaultClient } from '../../../server/src/platform/vault-client/vault-client.ts'
import type { Benchmark, Contestant, Work } from '../benchmark.ts'
import { quantile } from '../statistics.ts'
import { makeBuyer } from '../world/buyer.ts'
import { startWorld, type World } from '../world/world.ts'

const run = promisify(execFile)
const root = join(import.meta.dirname, '../../..')

/** Beyond what a bench of some minutes enters. */
const unlimited = {
  PROKURA_LIMIT_PROFILE_CARDS: '10000',
  PROKURA_LIMIT_ADDRESS_CARDS: '100000',
  PROKURA_LIMIT_KEY_CARDS: '1000000',
  PROKURA_LIMIT_ELEMENTS: '100000',
}

const typed = {
  number: '4242424242424242',
  exp_month: 1,
  exp_year: 2030,
  cardholder_name: 'Ada Lovelace',
  cvc: '111',
}

/** What a component costs whoever shows it: until it can be used in a browser that has seen nothing of it, and at the vault. */
export const elementsBench: Benchmark = {
  name: 'elements',
  about:
    'shows a component to a browser that has nothing of it yet, leaves cards at the vault, and calls a rail through the vault and without it',
  unit: 'component, card, or call',
  seconds: 8,
  async prepare() {
    const world = await startWorld({ workers: 0, env: { ...process.env, ...unlimited } })
    const site = await openSite(world)
    const chromium = await openChromium()
    const { gzipped } = await sizes()
    const session = await site.openSession()
    const vaultPid = world.ready.pids.vault
    if (vaultPid === undefined) throw new Error('there is no vault, so nothing can be measured')
    const { PROKURA_VAULT_DOORS: doors = '', PROKURA_RAIL_URL: processor = '' } = environmentOf(world)
    const vault = createVaultClient(doors)
    const record = await leaveCard(session)
    const rail = `${processor}/v1/anything`
    const atVault = (name: string, work: () => Promise<void>): Contestant => ({
      name,
      processes: () => ({ node: [vaultPid] }),
      run: (seconds) => repeat(seconds, async () => timed(work)),
    })
    return {
      postgres: world.postgres,
      contestants: [
        {
          name: 'component, cold',
          processes: () => ({ node: world.roles().api ?? [] }),
          run: (seconds) => repeat(seconds, () => showOnce(chromium.browser, site.url)),
        },
        atVault('card at the vault', async () => void (await leaveCard(session))),
        atVault('rail through the vault', async () => {
          const field = (name: string) => ({ $vault: { record, field: name } })
          const answer = await vault.forward({
            tenant: session.tenant,
            method: 'POST',
            url: rail,
            headers: { 'content-type': 'application/json' },
            body: { number: field('number'), exp_month: field('exp_month') },
            timeoutMs: 5_000,
            seal: null,
          })
          if (answer.kind !== 'answer') throw new Error(`the vault did not forward: ${answer.kind}`)
        }),
        atVault('rail alone', async () => {
          const body = JSON.stringify({ number: typed.number, exp_month: 1 })
          const headers = { 'content-type': 'application/json' }
          await (await fetch(rail, { method: 'POST', headers, body })).arrayBuffer()
        }),
      ],
      budgets: [
        {
          about: 'from mount to ready, nothing in the cache, p50 ms',
          of: 'component, cold',
          measure: 'p50_ms',
          most: 500,
        },
        {
          about: 'CPU of the vault for a card, µs',
          of: 'card at the vault',
          measure: 'node_us',
          most: 3000,
        },
        {
          about: 'a call to a rail through the vault in all, p50 ms',
          of: 'rail through the vault',
          measure: 'p50_ms',
          most: 3,
          aim: 2,
        },
      ],
      facts: { 'loader, gzip bytes': gzipped.loader, 'frame, gzip bytes': gzipped.frame },
      async stop() {
        await chromium.close()
        site.close()
        await world.stop()
      },
    }
  },
}

async function sizes() {
  const { loader, frame } = await buildElements()
  const size = (bytes: Uint8Array) => gzipSync(bytes).length
  return { gzipped: { loader: size(loader), frame: size(frame.js) + size(frame.css) } }
}

async function timed(work: () => Promise<void>): Promise<number> {
  const startMs = performance.now()
  await work()
  return performance.now() - startMs
}

/** One after the other; `once` answers how long it took. */
async function repeat(seconds: number, once: () => Promise<number>): Promise<Work> {
  const startMs = performance.now()
  const took: number[] = []
  while (performance.now() - startMs < seconds * 1000) took.push(await once())
  took.sort((a, b) => a - b)
  return {
    operations: took.length,
    seconds: (performance.now() - startMs) / 1000,
    latencyMs: { p50: quantile(took, 0.5), p99: quantile(took, 0.99) },
  }
}

/** Milliseconds from `mount` to `ready`, in a browser context of its own: its cache is empty. */
async function showOnce(browser: Browser, url: string): Promise<number> {
  const context = await browser.createBrowserContext()
  try {
    const page = await context.newPage()
    await page.goto(url)
    await page.waitForFunction('window.tookMs !== undefined', { polling: 20 })
    const { tookMs, shifts } = (await page.evaluate('({ tookMs, shifts })')) as {
      tookMs: number
      shifts: number
    }
    if (shifts > 0) throw new Error(`the page moved by ${shifts} after the component was ready`)
    return tookMs
  } finally {
    await context.close()
  }
}

type Session = {
  readonly token: string
  readonly vaultUrl: string
  readonly tenant: { accountId: string; mode: 'test' }
}

async function leaveCard({ token, vaultUrl }: Session): Promise<string> {
  const { vault_token_id } = await postTo(`${vaultUrl}/cards`, typed, { authorization: `Bearer ${token}` })
  if (vault_token_id === undefined) throw new Error('the vault took no card')
  return vault_token_id
}

const agent = new Agent({ keepAlive: true })

/** The names below `localhost` are known to browsers, and not to every system. */
async function postTo(
  url: string,
  body: object,
  more: Readonly<Record<string, string>>,
): Promise<Readonly<Record<string, string>>> {
  const { host, port, pathname } = new URL(url)
  const headers = { host, 'content-type': 'application/json', ...more }
  const asked = request({ host: '127.0.0.1', port, path: pathname, method: 'POST', headers, agent })
  asked.end(JSON.stringify(body))
  const [answer] = (await once(asked, 'response')) as [IncomingMessage]
  return (await json(answer)) as Readonly<Record<string, string>> // texts, as far as they are read here
}

/** A page of an integrator on an origin of its own, which shows the component and times it. */
async function openSite(world: World) {
  const profileId = await makeBuyer(world)
  const server = createServer((_request, response) => {
    response.writeHead(200, { 'content-type': 'text/html' }).end(page())
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo // of a TCP server
  const origin = `http://shop.localhost:${port}`
  const { PROKURA_ELEMENTS_URL: elements = '' } = environmentOf(world)
  const key = await makePageKey(world, origin)
  const accountId = world.ready.account_id
  const page = () => `<!doctype html><div id="card"></div><p>below</p>
<script src="${elements}/elements/v1/prokura.js"></script>
<script>
  const element = new Prokura('${key}').create('AddPaymentMethod', { profileId: '${profileId}' })
  let began = 0
  window.shifts = 0
  element.on('ready', () => {
    const took = performance.now() - began
    // What moves when the form takes its place is over with the next picture.
    requestAnimationFrame(() => requestAnimationFrame(() => {
      new PerformanceObserver((list) => { for (const { value } of list.getEntries()) window.shifts += value }).observe({ type: 'layout-shift' })
      setTimeout(() => { window.tookMs = took }, 200)
    }))
  })
  began = performance.now()
  element.mount('#card')
</script>`
  const post = (path: string, body: object) => postTo(`${elements}${path}`, body, { origin })
  return {
    url: origin,
    close: () => server.close(),
    async openSession(): Promise<Session> {
      const about = { publishable_key: key, component: 'AddPaymentMethod' }
      const { bootstrap } = await post('/elements/v1/bootstraps', about)
      const { session, vault_url } = await post('/elements/v1/sessions', {
        ...about,
        bootstrap,
        profile_id: profileId,
      })
      if (session === undefined || vault_url === undefined) throw new Error('no session was opened')
      return { token: session, vaultUrl: vault_url, tenant: { accountId, mode: 'test' } }
    },
  }
}

/** What `up` tells other programs of this machine. */
function environmentOf({ state }: World): Readonly<Record<string, string>> {
  return JSON.parse(readFileSync(join(state, 'environment.json'), 'utf8'))
}

async function makePageKey({ state }: World, origin: string): Promise<string> {
  const page = ['--kind', 'publishable', '--capability', 'elements', '--origin', origin]
  const { stdout } = await run(join(root, 'prokura'), ['keys', 'create', ...page, '--state', state, '--json'])
  return JSON.parse(stdout).token
}

async function openChromium() {
  const profiles = mkdtempSync(join(tmpdir(), 'prokura-bench-elements-'))
  // It runs as another user.
  chmodSync(profiles, 0o711)
  const chromium = await launchChromium({
    binary: await unpackedChromium(join(tmpdir(), 'prokura-bench-chromium')),
    user: process.geteuid?.() === 0 && mayBecome(chromiumIds) ? { ...chromiumIds } : null,
    profiles,
    display: null,
    argumentsFor: (profile) => [
      '--headless',
      '--no-sandbox',
      '--disable-gpu',
      '--remote-debugging-pipe',
      `--user-data-dir=${profile}`,
      '--disable-background-networking',
      '--no-first-run',
      'about:blank',
    ],
  })
  return {
    browser: chromium.browser,
    async close() {
      await chromium.stop()
      rmSync(profiles, { recursive: true, force: true })
    },
  }
}

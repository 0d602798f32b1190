import { randomUUID } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import chromium from '@sparticuz/chromium'
import puppeteer, { type Browser, type BrowserContext, type HTTPRequest } from 'puppeteer-core'
import type { CardToType, Visit } from '../../src/browser/shopper/visit.ts'
import type { EvidenceStage } from '../../src/channels/browser/shopping-words.ts'
import { noFaults } from '../../src/platform/faults/faults.ts'
import type { Sandbox } from './sandbox.ts'

type IssuedCard = CardToType & { readonly id: string }

/** Where a card may be typed besides at the merchant, and where its bank may be met. */
const payHosts = ['fields.pay.test', 'page.pay.test']
const bankHosts = ['acs.bank.test']

/** The package is built for one platform. */
export const hasChromium = process.platform === 'linux' && process.arch === 'x64'

/** One Chromium that knows the names of the sandbox's shops and no others. */
export async function openShopBrowser({ names }: Pick<Sandbox, 'names'>, keyPin: string) {
  const folder = await mkdtemp(join(tmpdir(), 'prokura-shop-browser-'))
  const rules = Object.entries(names.addresses).map(([name, address]) => `MAP ${name}:443 ${address}`)
  const browser = await puppeteer.launch({
    executablePath: await chromium.executablePath(),
    pipe: true,
    headless: 'shell',
    defaultViewport: { width: 1100, height: 1600 },
    userDataDir: folder,
    args: [
      '--no-sandbox',
      '--no-zygote',
      '--disable-gpu',
      `--host-resolver-rules=${[...rules, 'MAP * ~NOTFOUND'].join(',')}`,
      `--ignore-certificate-errors-spki-list=${keyPin}`,
    ],
  })
  return {
    visit: (merchantHost: string) => openVisit(browser, merchantHost),
    async close(): Promise<void> {
      await browser.close()
      await rm(folder, { recursive: true, force: true })
    },
  }
}

export type ShopBrowser = Awaited<ReturnType<typeof openShopBrowser>>

/** A context of its own with a guard as the browser process has one: what it refuses is not asked for. */
async function openVisit(browser: Browser, merchantHost: string) {
  const context: BrowserContext = await browser.createBrowserContext()
  const page = await context.newPage()
  const ending = new AbortController()
  const contacted = new Set<string>()
  const refused: string[] = []
  const stages: { stage: EvidenceStage; totalText: string | null }[] = []
  let isClosed = false
  const allows = (request: HTTPRequest): boolean => {
    const { hostname, protocol } = new URL(request.url())
    if (protocol === 'data:' || protocol === 'blob:' || protocol === 'about:') return true
    if (protocol !== 'https:' || !hostname.endsWith('.test')) return false
    const isTop = request.isNavigationRequest() && request.frame() === page.mainFrame()
    if (isTop && ![merchantHost, ...payHosts, ...bankHosts].includes(hostname)) return false
    return !isClosed || contacted.has(hostname) || bankHosts.includes(hostname)
  }
  await page.setRequestInterception(true)
  page.on('request', (request) => {
    const { hostname } = new URL(request.url())
    if (allows(request)) {
      contacted.add(hostname)
      request.continue().catch(() => {})
      return
    }
    refused.push(`${request.isNavigationRequest() ? 'navigation' : request.resourceType()} to ${hostname}`)
    request.abort('blockedbyclient').catch(() => {})
  })
  const visit: Visit = {
    page,
    signal: ending.signal,
    at: noFaults.at,
    evidence: async (stage, totalText) => {
      stages.push({ stage, totalText })
    },
    mayTakeCard: (origin) => {
      const { hostname, protocol } = new URL(origin)
      return protocol === 'https:' && [merchantHost, ...payHosts].includes(hostname)
    },
    keepOutOfAddresses: () => undefined,
    mayTakePassword: (origin) => origin === `https://${merchantHost}`,
    closeHosts: () => {
      isClosed = true
    },
    refusals: () => refused,
  }
  return {
    visit,
    stages,
    contacted,
    end: () => ending.abort(),
    close: () => context.close(),
  }
}

/** A card of the sandbox's processor for one merchant, good for so much. */
export async function issueCard(
  { processorUrl }: Pick<Sandbox, 'processorUrl'>,
  fields: { limit: number; merchant: string; currency: string; card?: string },
): Promise<IssuedCard> {
  const body = {
    card: 'visa_auto_approved',
    reference: 'cart',
    expires_at: new Date(Date.now() + 3_600_000).toISOString(),
    ...fields,
  }
  const issued = await fetch(`${processorUrl}/v1/virtual_cards`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'idempotency-key': randomUUID() },
    body: JSON.stringify(body),
  })
  const { id } = JSON.parse(await issued.text())
  const secrets = await (await fetch(`${processorUrl}/v1/virtual_cards/${id}/number`)).text()
  const { number, exp_month, exp_year, security_code } = JSON.parse(secrets)
  return {
    id,
    number,
    expMonth: exp_month,
    expYear: exp_year,
    securityCode: security_code,
    holder: 'Ada Lovelace',
  }
}

/** What the card was asked for. */
export async function cardTotals(
  { processorUrl }: Pick<Sandbox, 'processorUrl'>,
  { id }: Pick<IssuedCard, 'id'>,
): Promise<{ authorized: number; captured: number; refunded: number }> {
  const response = await fetch(`${processorUrl}/v1/virtual_cards/${id}`)
  const { authorized, captured, refunded } = JSON.parse(await response.text())
  return { authorized, captured, refunded }
}

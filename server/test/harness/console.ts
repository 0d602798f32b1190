import type { Mode } from '../../src/contract/context.ts'
import type { Role } from '../../src/contract/scopes.ts'
import { consoleOrigin, invitePerson } from '../../src/domain/accounts/people/public.ts'
import { runAs } from '../../src/platform/calls/run-as.ts'
import type { Answer, TestAccount, TestApp } from './app.ts'
import { Authenticator } from './authenticator.ts'

type Asking = {
  account?: string
  mode?: Mode
  origin?: string
  headers?: Record<string, string>
  as?: string
}

/** A browser at the console: its cookie, and what its device signs. */
type ConsoleBrowser = {
  readonly device: Authenticator
  /** The cookie that it has, as it sends it; undefined: none. */
  cookie: string | undefined
  request(method: string, path: string, body?: unknown, asking?: Asking): Promise<Answer>
  /** What such a request shows once a passkey has confirmed it. */
  confirmation(method: string, path: string, body?: unknown, asking?: Asking): Promise<Asking>
  /** The same, and confirms it by a passkey where it is asked to. */
  confirm(method: string, path: string, body?: unknown, asking?: Asking): Promise<Answer>
  signInByLink(url: string): Promise<Answer>
  signInByPasskey(passkey: string): Promise<Answer>
  /** Makes a passkey and adds it; answers its id. */
  addPasskey(asking?: Asking): Promise<Answer>
}

export function openConsole(app: TestApp, device = new Authenticator()): ConsoleBrowser {
  const origin = consoleOrigin(app.parts.settings)
  function confirmedBy({ body }: Answer, asking: Asking): Asking {
    const { id, options } = body.detail.step_up
    const credential = device.get(options, { origin }, asking.as)
    return { ...asking, headers: { ...asking.headers, 'prokura-step-up': answerOf(id, credential) } }
  }

  const browser: ConsoleBrowser = {
    device,
    cookie: undefined,
    async request(method, path, body, asking = {}) {
      const answer = await app.request(method, path, {
        key: null,
        ...(body === undefined ? {} : { body }),
        headers: {
          origin: asking.origin ?? origin,
          'sec-fetch-site': 'same-origin',
          ...(browser.cookie === undefined ? {} : { cookie: browser.cookie }),
          ...(asking.account === undefined ? {} : { 'prokura-account': asking.account }),
          ...(asking.mode === undefined ? {} : { 'prokura-mode': asking.mode }),
          ...asking.headers,
        },
      })
      const set = answer.headers.get('set-cookie')
      if (set !== null) browser.cookie = set.split(';')[0]
      return answer
    },
    async confirmation(method, path, body, asking = {}) {
      const asked = await browser.request(method, path, body, asking)
      return confirmedBy(asked, asking)
    },
    async confirm(method, path, body, asking = {}) {
      const asked = await browser.request(method, path, body, asking)
      if (asked.body?.detail?.step_up === undefined) return asked
      return browser.request(method, path, body, confirmedBy(asked, asking))
    },
    signInByLink: (url) =>
      browser.request('POST', '/console/v1/sign_in/links', { token: new URL(url).hash.slice(1) }),
    async signInByPasskey(passkey) {
      const { body } = await browser.request('POST', '/console/v1/sign_in/passkeys/ask')
      const credential = device.get(body.options, { origin }, passkey)
      return browser.request('POST', '/console/v1/sign_in/passkeys', { id: body.id, credential })
    },
    async addPasskey(asking = {}) {
      const { body } = await browser.request('POST', '/console/v1/passkeys/ask')
      const credential = device.create(body.options, { origin })
      const made = { id: body.id, credential, name: 'laptop' }
      return browser.confirm('POST', '/console/v1/passkeys', made, asking)
    },
  }
  return browser
}

/** The header that confirms a call. */
export function answerOf(id: string, credential: object): string {
  return Buffer.from(JSON.stringify({ id, credential })).toString('base64url')
}

type Invited = { email: string; role: Role; kind?: 'invitation' | 'printed_link' }

/** Invites somebody as the operator does. */
export function inviteTo(app: TestApp, account: TestAccount, { email, role, kind = 'invitation' }: Invited) {
  const tenant = { accountId: account.accountId, mode: 'test' } as const
  const actor = { type: 'system', id: 'operator:test' } as const
  return runAs(app.parts, { tenant, actor }, (ctx) =>
    invitePerson(ctx, { email, name: email.split('@')[0] ?? email, role, kind, by: 'operator:test' }),
  )
}

/** Somebody who is a member with a passkey, signed in. */
export async function memberOf(
  app: TestApp,
  account: TestAccount,
  { email, role }: Pick<Invited, 'email' | 'role'>,
) {
  const { person, link } = await inviteTo(app, account, { email, role })
  const browser = openConsole(app)
  await browser.signInByLink(link.url)
  const { body, status } = await browser.addPasskey()
  if (status !== 201) throw new Error(`no passkey was added: ${JSON.stringify(body)}`)
  return { person, browser, passkey: String(body.id) }
}

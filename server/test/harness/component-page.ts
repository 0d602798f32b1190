import type { Mode } from '../../src/contract/context.ts'
import { issueKey } from '../../src/domain/accounts/api-keys/public.ts'
import { runAs } from '../../src/platform/calls/run-as.ts'
import type { Answer, TestAccount, TestApp } from './app.ts'

/** What `startTestApp` shows components at. */
export const elementsOfTests = {
  url: 'http://elements.localhost:4000',
  vaultUrl: 'http://vault.localhost:4001',
}

type Subject = { profile_id: string } | { purchase_intent_id: string }

/** A page of an integrator, with a publishable key of its own. */
export type ComponentPage = {
  readonly key: string
  readonly keyId: string
  readonly origin: string
  /** The session of a component that the page shows. */
  open(component: string, subject: Subject, more?: object): Promise<Component>
  /** The same, with a client secret of the integrator's server. */
  openVouched(component: string, subject: Subject): Promise<Component>
}

/** What a component's frame can call. */
export type Component = {
  readonly session: string
  get(path: string): Promise<Answer>
  post(path: string, body?: object, headers?: Record<string, string>): Promise<Answer>
}

export async function openComponentPage(
  app: TestApp,
  {
    account = app.account,
    origin = 'https://shop.example',
    clientSecrets = 'optional' as 'optional' | 'required',
    mode = 'test' as Mode,
  }: { account?: TestAccount; origin?: string; clientSecrets?: 'optional' | 'required'; mode?: Mode } = {},
): Promise<ComponentPage> {
  const tenant = { accountId: account.accountId, mode }
  const as = { tenant, actor: { type: 'system', id: 'test' } } as const
  const made = { kind: 'publishable', name: 'page', preset: 'full', clientSecrets, expiresAt: null } as const
  const {
    token: key,
    key: { id: keyId },
  } = await runAs(app.parts, as, async (ctx) =>
    issueKey(ctx, { ...made, capabilities: ['elements'], origins: [origin] }),
  )
  const page: ComponentPage = {
    key,
    keyId,
    origin,
    async openVouched(component, subject) {
      const { status, body } = await app.post(
        '/v1/elements/client_secrets',
        { ...subject, components: [component] },
        { key: account.keys[`secret_${mode}`] },
      )
      if (status !== 201) throw new Error(`no client secret: ${JSON.stringify(body)}`)
      return page.open(component, subject, { client_secret: body.client_secret })
    },
    async open(component, subject, more = {}) {
      const shown = { publishable_key: key, component }
      const begun = await app.request('POST', '/elements/v1/bootstraps', {
        key: null,
        headers: { origin },
        body: shown,
      })
      const opened = await app.request('POST', '/elements/v1/sessions', {
        key: null,
        body: { ...shown, bootstrap: begun.body.bootstrap, ...subject, ...more },
      })
      if (opened.status !== 201) throw new Error(`no session: ${JSON.stringify(opened.body)}`)
      const session: string = opened.body.session
      return {
        session,
        get: (path) => app.request('GET', `/elements/v1${path}`, { key: session }),
        post: (path, body = {}, headers = {}) =>
          app.request('POST', `/elements/v1${path}`, { key: session, body, headers }),
      }
    },
  }
  return page
}

/** The window of a proof that has begun, as its page asks. */
export function windowOf(app: TestApp, { body }: Answer) {
  const [address = '', token = ''] = String(body.window_url).split('#')
  if (address !== `${elementsOfTests.url}/elements/v1/ceremony`) throw new Error(`${address} is no window`)
  const ask = (path: string, more: object) =>
    app.request('POST', `/elements/v1/ceremonies/${path}`, { key: null, body: { window: token, ...more } })
  return {
    token,
    open: () => ask('open', {}),
    finish: (more: object) => ask('finish', { is_confirmed: true, ...more }),
  }
}

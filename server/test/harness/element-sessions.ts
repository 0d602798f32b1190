import type { Mode } from '../../src/contract/context.ts'
import { issueKey } from '../../src/domain/accounts/api-keys/public.ts'
import { runAs } from '../../src/platform/calls/run-as.ts'
import type { TestAccount, TestApp } from './app.ts'

/** Where components are shown, for an application whose components a test calls. */
export const elementsOfTests = {
  url: 'http://elements.localhost:4000',
  vaultUrl: 'http://vault.localhost:4001',
}

export const page = 'https://shop.example'

/** A key for pages of `https://shop.example`. */
export async function newPageKey(app: TestApp, account: TestAccount = app.account, mode: Mode = 'test') {
  const tenant = { accountId: account.accountId, mode }
  return runAs(app.parts, { tenant, actor: { type: 'system', id: 'test' } }, async (ctx) => {
    const { token } = issueKey(ctx, {
      kind: 'publishable',
      name: 'page',
      preset: 'full',
      capabilities: ['elements'],
      origins: [page],
      clientSecrets: 'optional',
    })
    return token
  })
}

/** Begins a component in a page and asks for its session, as its frame does. The answer of the latter. */
export async function askForSession(
  app: TestApp,
  publishable_key: string,
  {
    component,
    ...subject
  }: { component: string; profile_id?: string; purchase_intent_id?: string; client_secret?: string },
) {
  const begun = await app.request('POST', '/elements/v1/bootstraps', {
    key: null,
    headers: { origin: page },
    body: { publishable_key, component },
  })
  const body = { publishable_key, component, bootstrap: begun.body.bootstrap, ...subject }
  return app.request('POST', '/elements/v1/sessions', { key: null, body })
}

/** The token of a session of the component by which a person signs in for this purchase. */
export async function signInSession(
  app: TestApp,
  publishableKey: string,
  purchase_intent_id: string,
): Promise<string> {
  const subject = { component: 'MerchantAuthHandoff', purchase_intent_id }
  const { status, body } = await askForSession(app, publishableKey, subject)
  if (status !== 201) throw new Error(`no session was opened: ${JSON.stringify(body)}`)
  return body.session
}

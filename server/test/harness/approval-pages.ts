import { randomBytes } from 'node:crypto'
import type { Answer, RequestOptions, TestApp } from './app.ts'

export function makeLink(
  app: TestApp,
  intentId: string,
  body: Record<string, unknown> = {},
  as: RequestOptions = {},
): Promise<Answer> {
  return app.post(`/v1/purchase_intents/${intentId}/approval_links`, body, as)
}

export function tokenOf({ body }: Answer): string {
  return new URL(body.url).hash.slice(1)
}

export function newSecret(): string {
  return randomBytes(24).toString('base64url')
}

/** As the page does it when the person goes on. */
export function claim(app: TestApp, token: string, secret = newSecret()): Promise<Answer> {
  const body = { token, claim_secret: secret }
  return app.request('POST', '/elements/v1/approval_links/claim', { key: null, body })
}

/** As the page does it before that. */
export function look(app: TestApp, token: string, secret = newSecret()): Promise<Answer> {
  const body = { token, claim_secret: secret }
  return app.request('POST', '/elements/v1/approval_links/look', { key: null, body })
}

/** The session of a page that was opened by a new link. */
export async function openPage(app: TestApp, intentId: string): Promise<string> {
  return (await claim(app, tokenOf(await makeLink(app, intentId)))).body.session
}

export function answerOn(
  app: TestApp,
  session: string,
  body: Record<string, unknown>,
  headers: Record<string, string> = {},
): Promise<Answer> {
  return app.request('POST', '/elements/v1/purchase_intent/approve', { key: session, headers, body })
}

export const told = ({ status, body }: Answer) => (status < 300 ? status : [status, body?.detail?.code])

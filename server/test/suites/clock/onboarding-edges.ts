import { bodyOf } from '../model/real.ts'
import { day, type Edge, minute, type Stage, saidBy } from './stage.ts'

export const onboardingEdges: Readonly<Record<string, Edge>> = {
  async 'onboarding link'(stage) {
    const [early, late] = [await newLink(stage), await newLink(stage)]
    await stage.at(day - 1)
    await stage.work()
    stage.same('a millisecond before, a worker leaves it', await statusOf(stage, late.id), 'pending')
    stage.same('shown a millisecond before', (await page(stage, late.path)).status, 200)
    stage.same('opened a millisecond before', (await page(stage, early.path, {})).status, 303)
    await stage.at(day)
    stage.same('at its end, before any worker', await statusOf(stage, late.id), 'expired')
    stage.same('opened at its end', (await page(stage, late.path, {})).status, 410)
    stage.same('revoked at its end', saidBy(await revoke(stage, late.id)), 'onboarding_link_expired')
    await stage.work()
    stage.same('kept', await keptStatus(stage, [late.id, early.id]), ['expired', 'opened'])
  },

  async 'onboarding form'(stage) {
    const [early, late] = [await openForm(stage), await openForm(stage)]
    await stage.at(30 * minute - 1)
    await stage.work()
    stage.same('a millisecond before, a worker leaves it', await statusOf(stage, late.id), 'opened')
    stage.same('sent a millisecond before', (await send(stage, early)).status, 303)
    await stage.at(30 * minute)
    stage.same('at its end, before any worker', await statusOf(stage, late.id), 'expired')
    stage.same('shown at its end', (await page(stage, '/onboarding/session', null, late.cookie)).status, 410)
    stage.same('sent at its end', (await send(stage, late)).status, 410)
    await stage.work()
    stage.same('kept', await keptStatus(stage, [early.id, late.id]), ['completed', 'expired'])
  },
}

type Link = { id: string; path: string }
type OpenForm = Link & { cookie: string; token: string }

async function newLink(stage: Stage): Promise<Link> {
  const link = bodyOf(
    await stage.send('/v1/onboarding_links', { use_case: { type: 'account_onboarding' } }),
    [201],
  )
  return { id: String(link.id), path: new URL(String(link.url)).pathname }
}

async function openForm(stage: Stage): Promise<OpenForm> {
  const link = await newLink(stage)
  const opened = await page(stage, link.path, {})
  const cookie = opened.headers.getSetCookie()[0]?.split(';')[0] ?? ''
  const form = await page(stage, '/onboarding/session', null, cookie)
  return { ...link, cookie, token: /name="form_token" value="([^"]+)"/.exec(form.text)?.[1] ?? '' }
}

function send(stage: Stage, { cookie, token }: OpenForm) {
  const person = { first_name: 'Ada', last_name: 'Lovelace', email: 'ada@example.com', country: 'GB' }
  return page(stage, '/onboarding/session', { ...person, form_token: token }, cookie)
}

async function page(stage: Stage, path: string, form: Record<string, string> | null = null, cookie = '') {
  const response = await fetch(`${stage.lane.app.url}${path}`, {
    redirect: 'manual',
    headers: { cookie },
    ...(form === null ? {} : { method: 'POST', body: new URLSearchParams(form) }),
  })
  return { status: response.status, headers: response.headers, text: await response.text() }
}

async function statusOf(stage: Stage, id: string): Promise<string> {
  return String(bodyOf(await stage.read(`/v1/onboarding_links/${id}`), [200]).status)
}

function revoke(stage: Stage, id: string) {
  return stage.send(`/v1/onboarding_links/${id}/revoke`)
}

/** The stored status, as a worker has left it, and not the one that is shown. */
async function keptStatus(stage: Stage, ids: readonly string[]): Promise<string[]> {
  const rows = await stage.lane.sql<{ status: string }>(
    'select status from onboarding_links where id = any ($1) order by array_position($1, id)',
    [ids],
  )
  return rows.map(({ status }) => status)
}

import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestApp, type TestApp } from '../../../../test/harness/app.ts'
import { memberOf } from '../../../../test/harness/console.ts'
import { operations } from '../../../composition.ts'
import { standsOn } from '../../../contract/operation.ts'
import type { Role } from '../../../contract/scopes.ts'

let app: TestApp
beforeAll(async () => {
  app = await startTestApp({ limits: { requests: 1000 } })
})
afterAll(() => app.stop())

const looks = [
  'catalog:read',
  'chats:read',
  'event_destinations:read',
  'merchant:read',
  'merchant_orders:read',
  'orders:read',
  'payment_methods:read',
  'policies:read',
  'profiles:read',
  'purchase_intents:read',
  'quotes:read',
  'registry:read',
]

/** What each role may do, as the guide says it; `everything` is every scope that there is. */
const mayDo: Readonly<Record<Role, readonly string[] | 'everything'>> = {
  owner: 'everything',
  admin: 'everything',
  approver: [...looks, 'purchase_intents:approve', 'controls:write', 'evidence:read'],
  support: [...looks, 'purchase_intents:write', 'orders:write', 'controls:write', 'evidence:read'],
  developer: [
    ...looks,
    'chats:write',
    'event_destinations:write',
    'keys:write',
    'merchant:write',
    'purchase_intents:write',
    'quotes:write',
  ],
  merchant: [
    'catalog:read',
    'event_destinations:read',
    'event_destinations:write',
    'merchant:read',
    'merchant:write',
    'merchant_orders:read',
    'merchant_orders:respond',
    'quotes:read',
    'registry:read',
  ],
  viewer: looks,
}

test.each(Object.entries(mayDo))(
  'a person who is %s may call what the role says, and nothing else',
  async (role, allowed) => {
    const { browser } = await memberOf(app, app.account, {
      email: `${role}@example.com`,
      role: role as Role, // a key of the table
    })
    const wrong: string[] = []
    for (const { id, method, path, scope, auth, content = {} } of operations.filter((each) =>
      standsOn(each, 'v1'),
    )) {
      if (auth === 'none' || scope === null) continue
      const asked = path.replaceAll(/\{[a-z_]+\}/g, 'none_01kwzj0000e0000000000000d5')
      const [type = 'application/json'] = Object.keys(content)
      const asking = { headers: { 'content-type': type } }
      const { status, body } = await browser.request(method, asked, method === 'GET' ? undefined : {}, asking)
      const isBarred = status === 403 && body?.detail?.code === 'insufficient_scope'
      const isAllowed = allowed === 'everything' || allowed.includes(scope)
      if (isBarred === isAllowed || status === 401 || status >= 500)
        wrong.push(`${id} (${scope}): ${status} ${JSON.stringify(body).slice(0, 120)}`)
    }
    expect(wrong).toEqual([])
  },
)

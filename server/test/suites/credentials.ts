import type { Mode } from '../../src/contract/context.ts'
import { boundPresets, type ScopePreset } from '../../src/contract/scopes.ts'
import { issueBoundKey, issueKey, revokeKey } from '../../src/domain/accounts/api-keys/public.ts'
import { runAs } from '../../src/platform/calls/run-as.ts'
import type { TestAccount, TestApp } from '../harness/app.ts'
import { newBuyer } from '../harness/buyers.ts'
import type { Owner } from './fixtures.ts'

/** A way to call, and whose object is whose, seen from it. */
export type Credential = Place &
  (
    | { kind: 'none' | 'dead' }
    /** `origin`: that of the page that sends it; null: no page does. */
    | { kind: 'publishable'; origin: string | null }
    | { kind: 'secret'; preset: ScopePreset }
    /** Its agent acts for the owner's profile alone. `neighbour` is another profile of the same account. */
    | { kind: 'bound'; preset: ScopePreset; neighbour: Owner }
  )

type Place = { name: string; token: string | null; owner: Owner; stranger: Owner; otherMode: Owner }

/** Every kind of credential of one account, and the secret keys of a stranger. */
export async function issueCredentials(app: TestApp): Promise<Credential[]> {
  const { account, stranger } = app
  const own = (mode: Mode) => ownerOf(account, mode)
  const other = (mode: Mode) => ownerOf(stranger, mode)
  const seenFrom = (owner: Owner, others: Owner, otherMode: Owner) => ({ owner, stranger: others, otherMode })
  const test = seenFrom(own('test'), other('test'), own('live'))
  const live = seenFrom(own('live'), other('live'), own('test'))
  const presets = ['read_only', 'buyer_agent', 'merchant_backend', 'discovery'] as const
  const publishable = await pageKey(app, account)
  return [
    { name: 'no key', kind: 'none', token: null, ...test },
    { name: 'garbage', kind: 'dead', token: 'pr_sk_test_0123456789abcdefghijklmnopqrstuvw', ...test },
    { name: 'a revoked key', kind: 'dead', token: await deadKey(app, account, 'revoked'), ...test },
    { name: 'an expired key', kind: 'dead', token: await deadKey(app, account, 'expired'), ...test },
    { name: 'the own test key', kind: 'secret', preset: 'full', token: account.keys.secret_test, ...test },
    { name: 'the own live key', kind: 'secret', preset: 'full', token: account.keys.secret_live, ...live },
    {
      name: "a stranger's test key",
      kind: 'secret',
      preset: 'full',
      token: stranger.keys.secret_test,
      ...seenFrom(other('test'), own('test'), other('live')),
    },
    {
      name: "a stranger's live key",
      kind: 'secret',
      preset: 'full',
      token: stranger.keys.secret_live,
      ...seenFrom(other('live'), own('live'), other('test')),
    },
    { name: 'a publishable key', kind: 'publishable', origin: page, token: publishable, ...test },
    {
      name: 'a publishable key outside of its page',
      kind: 'publishable',
      origin: null,
      token: publishable,
      ...test,
    },
    ...(await Promise.all(boundPresets.map((preset) => boundCredential(app, preset, test)))),
    ...(await Promise.all(
      presets.map(async (preset): Promise<Credential> => {
        const { token } = await app.newKey(account, 'test', preset)
        return { name: `a ${preset} key`, kind: 'secret', preset, token, ...test }
      }),
    )),
  ]
}

export function ownerOf(account: TestAccount, mode: Mode): Owner {
  return { account, mode, key: mode === 'test' ? account.keys.secret_test : account.keys.secret_live }
}

async function boundCredential(
  app: TestApp,
  preset: (typeof boundPresets)[number],
  place: Omit<Place, 'name' | 'token'>,
): Promise<Credential> {
  const { account, key } = place.owner
  const [own, neighbour] = [await newBuyer(app, { key }), await newBuyer(app, { key })]
  const tenant = { accountId: account.accountId, mode: 'test' } as const
  const { token } = await runAs(app.parts, { tenant, actor: { type: 'system', id: 'suite' } }, (ctx) =>
    issueBoundKey(ctx, { kind: 'secret', name: preset, preset, profileId: own.profileId }),
  )
  return {
    ...place,
    name: `a ${preset} key of one profile`,
    kind: 'bound',
    preset,
    token,
    owner: { ...place.owner, profileId: own.profileId },
    neighbour: { ...place.owner, profileId: neighbour.profileId },
  }
}

const page = 'https://page.example'

async function pageKey(app: TestApp, { accountId }: TestAccount): Promise<string> {
  const as = { tenant: { accountId, mode: 'test' }, actor: { type: 'system', id: 'suite' } } as const
  const { token } = await runAs(app.parts, as, async (ctx) =>
    issueKey(ctx, { kind: 'publishable', name: 'page', preset: 'full', origins: [page] }),
  )
  return token
}

async function deadKey(app: TestApp, account: TestAccount, how: 'revoked' | 'expired'): Promise<string> {
  const as = {
    tenant: { accountId: account.accountId, mode: 'test' },
    actor: { type: 'system', id: 'suite' },
  } as const
  const { key, token } = await runAs(app.parts, as, async (ctx) =>
    issueKey(ctx, {
      kind: 'secret',
      name: how,
      preset: 'full',
      expiresAt: how === 'expired' ? new Date(ctx.now.getTime() - 1000) : null,
    }),
  )
  if (how === 'revoked') await runAs(app.parts, as, (ctx) => revokeKey(ctx, key.id))
  return token
}

import type { Limits } from '../../contract/limits.ts'
import type { Operation } from '../../contract/operation.ts'
import { Problem } from '../../contract/problem.ts'
import type { Scope } from '../../contract/scopes.ts'
import type { Principal } from '../../platform/calls/principal.ts'
import type {
  ElementDoor,
  ElementRight,
  ElementSession,
  ElementWindow,
  LinkedPage,
} from '../../platform/doors/element-door.ts'
import type { KeyDoor, KeyGrant } from '../../platform/doors/key-door.ts'
import { createGuesses } from '../../platform/limits/guesses.ts'

/** What a request shows of its caller. */
type Shown = {
  readonly address: string
  readonly authorization: string | undefined
  readonly origin: string | undefined
  /** Parsed, and not checked yet. */
  readonly body: unknown
}

/** Who calls, and what of the path its session says. */
type ElementCaller = { readonly principal: Principal; readonly path: Readonly<Record<string, string>> }

/** Finds out which component calls, or which page is about to show one. */
type ElementCallers = {
  callerOf(operation: Operation, shown: Shown): Promise<ElementCaller>
}

type CallersOptions = {
  keyDoor: KeyDoor
  elementDoor: ElementDoor
  now: () => Date | Promise<Date>
  limits: Pick<Limits, 'keyGuesses'>
}

const noScopes: ReadonlySet<Scope> = new Set()

export function createElementCallers({ keyDoor, elementDoor, now, limits }: CallersOptions): ElementCallers {
  const guesses = createGuesses(limits.keyGuesses)

  /** What nobody has issued costs a statement a moment from one address, and no more. */
  async function counted<T>(address: string, look: () => T | null | Promise<T | null>): Promise<T | null> {
    if (guesses.isSpent(address)) throw guesses.refusal(address)
    guesses.begin(address)
    const found = await look()
    if (found !== null) guesses.forgive(address)
    return found
  }

  async function pageOf({ address, body }: Shown): Promise<KeyGrant> {
    const token = tokenIn(body, 'publishable_key', publishableKey)
    const grant = token === null ? null : await counted(address, () => keyDoor.open(token))
    const isOver = grant?.expiresAt != null && grant.expiresAt <= (await now())
    if (grant === null || isOver || grant.kind !== 'publishable') throw new Problem('invalid_publishable_key')
    // guard key-for-components: a key that reads a catalog takes no cards
    if (!grant.capabilities.includes('elements'))
      throw new Problem('capability_missing', {
        message: `This publishable key shows no components: it lacks the capability \`elements\`. Allow it with \`prokura keys update ${grant.keyId} --capability ${[...grant.capabilities, 'elements'].join(' ')}\`.`,
      })
    return grant
  }

  async function sessionOf({ address, authorization }: Shown): Promise<ElementSession> {
    const token = /^bearer +(pr_es_[\x21-\x7e]{20,200})$/i.exec(authorization ?? '')?.[1]
    const session = token === undefined ? null : await counted(address, () => elementDoor.session(token))
    if (session === null) throw new Problem('session_expired')
    return session
  }

  async function windowOf({ address, body }: Shown): Promise<ElementWindow> {
    const token = tokenIn(body, 'window', windowToken)
    const window = token === null ? null : await counted(address, () => elementDoor.window(token))
    if (window === null) throw new Problem('session_expired')
    return window
  }

  async function linkOf({ address, body }: Shown): Promise<LinkedPage> {
    const token = tokenIn(body, 'token', linkToken)
    const link = token === null ? null : await counted(address, () => elementDoor.link(token))
    if (link === null) throw new Problem('link_over')
    return link
  }

  return {
    async callerOf(operation, shown) {
      if (operation.auth === 'link') return { principal: principalByToken(await linkOf(shown)), path: {} }
      if (operation.auth === 'window') return { principal: principalByToken(await windowOf(shown)), path: {} }
      if (operation.auth !== 'element') return callerOfSession(await sessionOf(shown))
      const grant = await pageOf(shown)
      // The frame asks from an origin of ours; its page was looked at when it began.
      if (operation.headers !== undefined) assertOrigin(grant, shown.origin)
      return { principal: principalOfPage(grant), path: {} }
    },
  }
}

const publishableKey = /^pr_pk_[\x21-\x7e]{20,200}$/
const linkToken = /^pr_al_[\x21-\x7e]{20,200}$/
const windowToken = /^pr_ew_[\x21-\x7e]{20,200}$/

/** A token of its form in a field of the body; null: there is none. */
function tokenIn(body: unknown, field: string, form: RegExp): string | null {
  const token = body !== null && typeof body === 'object' ? Reflect.get(body, field) : null
  return typeof token === 'string' && form.test(token) ? token : null
}

function assertOrigin({ origins, keyId }: KeyGrant, origin: string | undefined): void {
  // guard origin-of-a-component: a component appears in no page that its key was not made for
  if (origin !== undefined && origins.includes(origin)) return
  throw new Problem('origin_not_allowed', {
    message:
      origin === undefined
        ? 'The request has no `Origin` header, so it does not come from a page. Components are shown by the loader, in a browser.'
        : `Pages of ${origin} may not show components with this publishable key. Allow it with \`prokura keys update ${keyId} --origin ${[...origins, origin].join(' ')}\`.`,
  })
}

function principalOfPage({ accountId, mode, keyId, agentId }: KeyGrant): Principal {
  const principal: Principal = {
    kind: 'element',
    tenant: { accountId, mode },
    actor: { type: 'api_key', id: agentId },
    keyId,
    profileId: null,
    scopes: noScopes,
    renew: () => principal,
  }
  return principal
}

/** Whoever has the link, or the token of a window of ours, is taken for the person that it was made for. */
function principalByToken({ account_id, mode, key_id, profile_id }: LinkedPage | ElementWindow): Principal {
  const principal: Principal = {
    kind: 'element',
    tenant: { accountId: account_id, mode },
    actor: { type: 'cardholder', id: profile_id },
    keyId: key_id,
    profileId: null,
    scopes: noScopes,
    renew: () => principal,
  }
  return principal
}

const scopesOf: Readonly<Record<ElementRight, readonly Scope[]>> = {
  write: ['payment_methods:write'],
  read: ['payment_methods:read'],
  approve: ['purchase_intents:approve'],
}

/** What a component does for the purchase that it is shown for, beside seeing it. */
const purchaseScopes: Readonly<Record<string, readonly Scope[]>> = {
  MerchantAuthHandoff: ['purchase_intents:write'],
}

/** The person at the component acts, for the one profile, whatever the page asks for. Who is shown a purchase may see what it is. */
function callerOfSession(session: ElementSession): ElementCaller {
  const { profile_id, purchase_intent_id } = session
  const rights = session.may.flatMap((right) => scopesOf[right])
  const ofPurchase: readonly Scope[] =
    purchase_intent_id === null ? [] : ['purchase_intents:read', ...(purchaseScopes[session.component] ?? [])]
  const principal: Principal = {
    kind: 'element',
    tenant: { accountId: session.account_id, mode: session.mode },
    actor: { type: 'cardholder', id: profile_id },
    keyId: session.key_id,
    profileId: profile_id,
    component: {
      hash: session.hash,
      page: session.origin,
      isVouched: session.is_vouched,
      terms: session.terms,
    },
    scopes: new Set([...rights, ...ofPurchase]),
    renew: () => principal,
  }
  return { principal, path: { profile_id, ...(purchase_intent_id === null ? {} : { purchase_intent_id }) } }
}

import type { ActingComponent, ActingPerson, Actor, Tenant } from '../../contract/context.ts'
import type { ProfileId } from '../../contract/ids.ts'
import type { OperationAuth, OperationFacts } from '../../contract/operation.ts'
import { Problem } from '../../contract/problem.ts'
import type { Scope, ScopeCatalog } from '../../contract/scopes.ts'
import type { Id } from '../../core/id.ts'

type KindFacts = {
  /** The operations that it may call, by what they ask for. */
  readonly calls: readonly Exclude<OperationAuth, 'none'>[]
  /** It takes of what the account may have at once. A stranger takes nothing of it, nor does a page. */
  readonly actsForAccount: boolean
  /** It sees things of the account before they are published. */
  readonly seesUnpublished: boolean
}

/** Who can call. A new kind is a line here, and the surface that makes it. */
const kinds = {
  /** A program of the account, by a secret key. */
  key: { calls: ['secret', 'optional', 'signed'], actsForAccount: true, seesUnpublished: true },
  /** A web page, by a publishable key, which anybody can copy there. It gets no further than its scopes, which are few. */
  // guard viewer-of-a-page: a key that stands in a web page shows nothing private of its account
  page: { calls: ['secret', 'optional', 'signed'], actsForAccount: false, seesUnpublished: false },
  /** A destination of the account. Its signature stands for one request. */
  signature: { calls: ['signed'], actsForAccount: true, seesUnpublished: true },
  /** The agent of a chat, for the key that wrote the message which it answers, and for the chat's profile alone. */
  chat: { calls: ['secret', 'optional'], actsForAccount: true, seesUnpublished: true },
  /**
   * A component in a page: its session may do a few things for one profile. Before there is one, the publishable key of the page asks
   * for it, or the link by which the page was opened.
   */
  element: {
    calls: ['secret', 'element', 'link', 'window', 'session'],
    actsForAccount: false,
    seesUnpublished: false,
  },
  /** Somebody of the account, in the console. */
  person: { calls: ['secret', 'optional', 'signed', 'person'], actsForAccount: true, seesUnpublished: true },
  /** Callers of other protocols, who act at one merchant: an agent's platform over UCP, and who pays a request over MPP. */
  platform: { calls: ['platform'], actsForAccount: false, seesUnpublished: true },
  payer: { calls: ['payer'], actsForAccount: false, seesUnpublished: true },
  /** Somebody without credentials. */
  nobody: { calls: ['optional'], actsForAccount: false, seesUnpublished: false },
} as const satisfies Record<string, KindFacts>

export type PrincipalKind = keyof typeof kinds

const factsOf = (kind: PrincipalKind): KindFacts => kinds[kind]

type Of<Kind extends PrincipalKind, More> = {
  readonly kind: Kind
  readonly tenant: Tenant
  readonly actor: Actor
  readonly scopes: ReadonlySet<Scope>
  /** The principal of the same credentials at this moment; null once they have ended. Calls that last ask for it again: streams, waits. */
  renew(): Principal | null | Promise<Principal | null>
} & More

type Keyed = {
  readonly keyId: Id<'key'>
  /** The one profile that the caller acts for; null: every profile of the account. */
  readonly profileId: ProfileId | null
  /** Of an `element` that has a session. */
  readonly component?: ActingComponent
}

type Unkeyed = { readonly keyId: null; readonly profileId: null }

/** The party that a call is made for. A surface makes it from a key, a signature or a session. Nothing else tells callers apart. */
export type Principal =
  | Of<'key' | 'page' | 'element', Keyed>
  | Of<'chat', Pick<Keyed, 'keyId'> & { readonly profileId: ProfileId }>
  | Of<'person', Unkeyed & { readonly person: ActingPerson }>
  | Of<Exclude<PrincipalKind, 'key' | 'page' | 'element' | 'chat' | 'person'>, Unkeyed>

/** The account of callers that own nothing. */
const nobodysAccount: Id<'acct'> = 'acct_anonymous'

/** The account whose own things a caller sees before they are published. */
export function viewerOf({ kind, tenant }: Principal): Id<'acct'> {
  return factsOf(kind).seesUnpublished ? tenant.accountId : nobodysAccount
}

/** A caller without credentials: live mode, and an account that owns nothing. */
export function nobodyOf({ presets }: ScopeCatalog): Principal {
  const nobody: Principal = {
    kind: 'nobody',
    tenant: { accountId: nobodysAccount, mode: 'live' },
    actor: { type: 'anonymous', id: null },
    keyId: null,
    profileId: null,
    scopes: new Set<Scope>(presets.discovery),
    renew: () => nobody,
  }
  return nobody
}

/** Whether the caller acts for the account whose rows the call sees, and takes of what that account may have at once. */
export function actsForAccount({ kind }: Pick<Principal, 'kind'>): boolean {
  return factsOf(kind).actsForAccount
}

/** Why a caller may not use an operation; null: the caller may use it. */
export function barOf(principal: Principal, operation: OperationFacts): Problem | null {
  const { kind, scopes, profileId, keyId } = principal
  if (operation.auth === 'none') return null
  if (!factsOf(kind).calls.includes(operation.auth)) return new Problem('unauthorized')
  const caller = keyId !== null ? 'This key' : kind === 'person' ? 'Your role' : 'This caller'
  // guard scope: a key does what its scopes say
  if (operation.scope && !scopes.has(operation.scope)) {
    const instead = operation.withoutScope ?? 'Ask a person to do this, or for a key that has the scope.'
    return new Problem('insufficient_scope', {
      message: `${caller} lacks the scope ${operation.scope}. ${instead}`,
    })
  }
  // guard account-operations-refuse-bound-agents: an agent of one customer does nothing to the account
  if (profileId !== null && operation.forBound !== 'served')
    return new Problem('insufficient_scope', {
      message: `${caller} acts only for one profile, and the operation concerns the whole account. Ask a person to do this.`,
    })
  return null
}

import type { Actor, Tenant } from '../../contract/context.ts'
import type { Operation, OperationFacts, SignedRequest } from '../../contract/operation.ts'
import { Problem, type Refusal } from '../../contract/problem.ts'
import type { Scope } from '../../contract/scopes.ts'
import { barOf, nobodyOf, type Principal } from '../../platform/calls/principal.ts'
import { createDoorReads } from '../../platform/calls/reads.ts'
import { refusalOf } from '../../platform/calls/refusal.ts'
import type { ActingParts } from '../../platform/calls/run-as.ts'
import type { KeyDoor, KeyGrant } from '../../platform/doors/key-door.ts'

/** The credentials of a request. */
type Shown = {
  authorization: string | undefined
  /** The origin of the page that the request comes from; undefined: it names none. Null where no page can call: as a tool. */
  origin: string | undefined | null
  /** The bytes that a signature covers; null where none is possible: a tool has neither headers nor bytes that could be signed. */
  signed: Pick<SignedRequest, 'path' | 'headers' | 'rawBody'> | null
}

/** Whether a caller may call an operation. */
export type MayCall = (operation: OperationFacts) => boolean

/** Looks up API keys and signatures of destinations. */
export type Credentials = {
  /**
   * The principal for an operation, or why these credentials are refused. It returns at once for a key that is known, as for nearly every
   * call.
   */
  authenticate(operation: Operation, shown: Shown): Principal | Refusal | Promise<Principal | Refusal>
  /**
   * The operations that the sender of this `Authorization` header may call; null: the header opens nothing. The same rules decide about
   * calls, so that a list for a caller shows exactly what the caller may call.
   */
  openedBy(authorization: string | undefined): Promise<MayCall | null>
}

type CredentialsOptions = Pick<ActingParts, 'pools' | 'clock' | 'sealer' | 'scopeCatalog'> & {
  keyDoor: KeyDoor
  /** Whether operations with optional credentials accept anonymous calls. */
  anonymousDiscovery: boolean
  onBug: (error: unknown) => void
}

export function createCredentials(options: CredentialsOptions): Credentials {
  const { keyDoor, anonymousDiscovery, clock } = options
  const doors = createDoorReads(options.pools)
  const nobody = nobodyOf(options.scopeCatalog)
  // Exactly what callers without a key may do, whatever the key's row says.
  const ofPages: ReadonlySet<Scope> = new Set(options.scopeCatalog.presets.discovery)

  /** What the key of an `Authorization` header opens, or null when there is no such live key. */
  function open(authorization: string): KeyGrant | null | Promise<KeyGrant | null> {
    const token = tokenOf(authorization)
    const grant = token ? keyDoor.open(token) : null
    return grant instanceof Promise ? grant.then(unexpired) : unexpired(grant)
  }

  /** Few keys expire, and only these need a look at the clock. */
  function unexpired(grant: KeyGrant | null): KeyGrant | null | Promise<KeyGrant | null> {
    if (!grant?.expiresAt) return grant
    const { expiresAt } = grant
    // guard expired-key: an expired key opens nothing
    const liveAt = (now: Date) => (expiresAt <= now ? null : grant)
    const time = clock.now()
    return time instanceof Date ? liveAt(time) : time.then(liveAt)
  }

  function principalOf(grant: KeyGrant, authorization: string): Principal {
    return {
      kind: grant.kind === 'publishable' ? 'page' : 'key',
      // guard mode-of-a-key: a key of test mode moves nothing in live mode
      tenant: { accountId: grant.accountId, mode: grant.mode },
      actor: { type: 'api_key', id: grant.agentId },
      keyId: grant.keyId,
      profileId: grant.profileId,
      scopes: grant.kind === 'publishable' ? ofPages : grant.scopes,
      async renew() {
        const renewed = await open(authorization)
        return renewed && principalOf(renewed, authorization)
      },
    }
  }

  function byKey(
    grant: KeyGrant | null,
    { authorization, origin, auth }: { authorization: string } & Pick<Shown, 'origin'> & AuthOf,
  ): Principal | Refusal {
    // guard unknown-key: a key that nobody issued is refused
    if (!grant) return new Problem('unauthorized')
    const bar = grant.kind === 'publishable' ? barOfPage(grant, origin, auth) : null
    return bar ?? principalOf(grant, authorization)
  }

  async function bySignature(
    identify: NonNullable<Operation['identify']>,
    signed: NonNullable<Shown['signed']>,
  ): Promise<Principal | Refusal> {
    const request = { ...signed, wallNow: new Date(), reads: doors, sealerOf: options.sealer }
    try {
      return signer(await identify(request))
    } catch (error) {
      return refusalOf(error, options.onBug)
    }
  }

  return {
    authenticate({ auth, identify }, { authorization, origin, signed }) {
      if (auth === 'none') return nobody
      if (authorization === undefined) {
        if (auth === 'optional' && anonymousDiscovery) return nobody
        if (auth === 'signed' && identify && signed) return bySignature(identify, signed)
        return new Problem('unauthorized')
      }
      try {
        const grant = open(authorization)
        const how = { authorization, origin, auth }
        if (!(grant instanceof Promise)) return byKey(grant, how)
        return grant.then(
          (opened) => byKey(opened, how),
          (error: unknown) => refusalOf(error, options.onBug),
        )
      } catch (error) {
        return refusalOf(error, options.onBug)
      }
    },
    async openedBy(authorization) {
      if (authorization === undefined)
        return ({ auth }) => auth === 'none' || (auth === 'optional' && anonymousDiscovery)
      const grant = await open(authorization)
      if (!grant) return null
      if (grant.kind === 'publishable') return ({ auth }) => auth === 'none'
      const principal = principalOf(grant, authorization)
      return (operation) => barOf(principal, operation) === null
    },
  }
}

type AuthOf = Pick<OperationFacts, 'auth'>

/** Why a publishable key opens nothing for a request; null: it comes from a page that the key was made for. */
function barOfPage(
  { origins, capabilities }: Pick<KeyGrant, 'origins' | 'capabilities'>,
  origin: Shown['origin'],
  auth: OperationFacts['auth'],
): Problem | null {
  // guard publishable-key: a key that stands in a web page does nothing here
  if (auth !== 'optional') return new Problem('publishable_key_not_allowed')
  if (origin === null)
    return new Problem('publishable_key_not_allowed', {
      message: 'Tools are not for pages: send a secret key. A page sends its publishable key with REST.',
    })
  // guard capability-of-a-page: a key for components reads nothing
  if (!capabilities.includes('catalog:read'))
    return new Problem('capability_missing', {
      message:
        'This publishable key reads nothing: it lacks `catalog:read`. Allow it with `prokura keys update KEY_ID --capability`, which names all that the key is for.',
    })
  // guard origin-of-a-page: a key that stands in a web page works in no other page
  if (origin !== undefined && origins.includes(origin)) return null
  const seen = origin === undefined ? 'The request has no `Origin` header' : 'This page has another origin'
  return new Problem('origin_not_allowed', {
    message: `A publishable key works only in pages of the origins that it was made for. ${seen}. Make a key for the page with \`prokura keys create --kind publishable --origin ORIGIN\`, or send a secret key from your server.`,
  })
}

/** The token of an `Authorization` header; null: there is none. */
export function tokenOf(authorization: string): string | null {
  return /^bearer +([\x21-\x7e]{20,200})$/i.exec(authorization)?.[1] ?? null
}

const signerScopes: ReadonlySet<Scope> = new Set<Scope>(['merchant_orders:respond'])

/** It is good for as long as its request takes. */
function signer({ tenant, actor }: { tenant: Tenant; actor: Actor }): Principal {
  const principal: Principal = {
    kind: 'signature',
    tenant,
    actor,
    keyId: null,
    profileId: null,
    scopes: signerScopes,
    renew: () => principal,
  }
  return principal
}

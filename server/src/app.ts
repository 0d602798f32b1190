import { everyOperation, product, slices } from './composition.ts'
import type { Mode } from './contract/context.ts'
import { type DispatchOptions, openDispatch } from './dispatch.ts'
import { keyLookups } from './domain/accounts/api-keys/key-lookups.sql.ts'
import { consoleAddress, consoleOrigin } from './domain/accounts/people/public.ts'
import { personLookups } from './domain/accounts/people/sign-in/sign-ins.sql.ts'
import { elementLookups } from './domain/buyers/elements/elements.sql.ts'
import { openLinkDoor } from './domain/buying/approval-links/approval-links.sql.ts'
import { windowLookup } from './domain/buying/verifications/verifications.sql.ts'
import { type StripeWebhook, stripeAuthorizations, stripeEvents } from './inbound-options.ts'
import { mppOptions } from './mpp-options.ts'
import type { Parts } from './parts.ts'
import { nobodyOf } from './platform/calls/principal.ts'
import { readDatabaseTime } from './platform/clock/clock.ts'
import { createElementDoor } from './platform/doors/element-door.ts'
import { createKeyDoor } from './platform/doors/key-door.ts'
import { createPersonDoor } from './platform/doors/person-door.ts'
import { createEgress, type Egress, type SandboxNames } from './platform/egress/egress.ts'
import type { AuthorizationSecrets } from './rails/stripe/authorization-request.ts'
import { consoleSurface } from './surfaces/console/console.ts'
import { elementsSurface } from './surfaces/elements/elements.ts'
import { elementsHost } from './surfaces/elements/elements-host.ts'
import { hostNames } from './surfaces/http/businesses.ts'
import { healthSurface } from './surfaces/http/health.ts'
import { createPersonCallers } from './surfaces/http/person-callers.ts'
import type { RequestLine } from './surfaces/http/request-line.ts'
import { createHttpServer, type HttpServer } from './surfaces/http/server.ts'
import { mountSurfaces, type Surface } from './surfaces/http/surface.ts'
import { cardAuthorizationsSurface } from './surfaces/inbound/card-authorizations.ts'
import { railEventsSurface } from './surfaces/inbound/rail-events.ts'
import { keySetSurface } from './surfaces/key-set/key-set.ts'
import { mppSurface } from './surfaces/mpp/mpp.ts'
import { hostedPagesSurface } from './surfaces/pages/hosted-pages.ts'
import { createAdmission } from './surfaces/v1/admit.ts'
import { createCredentials } from './surfaces/v1/credentials.ts'
import { v1Dialect } from './surfaces/v1/dialect.ts'
import { docsSurface } from './surfaces/v1/docs.ts'
import { frontPage } from './surfaces/v1/front-page.ts'
import { mcpSurface } from './surfaces/v1/mcp/mcp.ts'
import { restSurface } from './surfaces/v1/rest.ts'
import { ucpSurfaceOf } from './ucp-surface.ts'

type ApiOptions = DispatchOptions & {
  /** Surfaces besides those of the product. */
  surfaces?: readonly Surface[]
  anonymousDiscovery: boolean
  /** Addresses and networks whose `X-Forwarded-For` is believed; by default none. */
  trustedProxies?: readonly string[]
  /** The name below which live merchants have hosts of their own over UCP. */
  ucpHost?: string | null
  /** Ports of this machine on which callers may name nothing. */
  ownPorts?: readonly number[]
  /** The shops of the sandbox; by default this process reaches none. */
  sandboxNames?: SandboxNames | null
  /** The largest body that is a file; by default 64 MiB. */
  contentBytesMax?: number
  /** For how long nothing must be under way on a connection before a stop closes it; by default a second. */
  quietMs?: number
  /** By mode, what proves that Stripe asks about charges of issued cards; by default nobody may ask. */
  authorizationSecrets?: AuthorizationSecrets
  /** What proves that Stripe tells of live mode; by default it tells nothing here. */
  stripeWebhook?: StripeWebhook | null
  onRequest: (line: RequestLine) => void
}

export type Api = {
  http: HttpServer
  /** Streams close with a hint to reconnect, requests under way finish, then the port closes. */
  stop(): Promise<void>
}

function openEgress({ settings }: Parts, { ownPorts = [], sandboxNames = null }: ApiOptions): Egress {
  const allowLoopback = (mode: Mode) => settings.allowLoopback && mode === 'test'
  return createEgress({ allowLoopback, trustedOrigins: [], ownPorts, sandboxNames })
}

function openPeople(parts: Parts) {
  const { publicUrl, limits } = parts.settings
  const personDoor = createPersonDoor(parts, personLookups)
  const origin = consoleOrigin(parts.settings)
  return createPersonCallers({ personDoor, scopeCatalog: product.scopes, publicUrl, origin, limits })
}

function elementsOf(parts: Parts) {
  const { cards = null, elements } = parts.settings
  return {
    elementDoor: createElementDoor(parts, { ...elementLookups, ...windowLookup, link: openLinkDoor }),
    cards,
    vaultUrl: elements?.vaultUrl ?? null,
    now: () => parts.clock.now(),
  }
}

/** The API role: every operation on the surfaces that it names. */
export function createApi(parts: Parts, options: ApiOptions): Api {
  const draining = new AbortController()
  const { anonymousDiscovery, onRequest, onBug, operations = everyOperation, sandboxNames = null } = options
  const { contentBytesMax = 64 * 1024 * 1024 } = options
  const { limits, publicUrl } = parts.settings
  const { problems, scopes: scopeCatalog } = product
  const dialect = v1Dialect(problems)
  const hosts = hostNames({ ucpHost: options.ucpHost ?? null, publicUrl })
  const frames = elementsHost(parts.settings.elements?.url ?? null, '/elements/')
  const cardsHost = elementsHost(parts.settings.cards?.url ?? null, '/cards/')
  const dispatch = openDispatch(parts, options)
  const http = createHttpServer({
    dialect: dialect.refusal,
    publicUrl,
    trustedProxies: options.trustedProxies ?? [],
    limits,
    quietMs: options.quietMs,
    pathOf: (host, url) => frames.pathOf(host, url) ?? cardsHost.pathOf(host, url) ?? hosts.pathOf(host, url),
    newRequestId: () => parts.newId('req', Date.now()),
    onRequest,
    onBug,
  })
  const egress = openEgress(parts, options)
  const keyDoor = createKeyDoor(parts, keyLookups)
  const people = openPeople(parts)
  const credentials = createCredentials({ ...parts, keyDoor, anonymousDiscovery, onBug })
  const admission = createAdmission({ keyDoor, anonymousDiscovery, limits, edge: http.edge, people })
  const surfaces: readonly Surface[] = [
    restSurface({ dialect, credentials, admission, people, contentBytesMax }),
    mcpSurface({ credentials, admission, problems, scopeCatalog }),
    elementsSurface({ ...elementsOf(parts), dialect, keyDoor, host: frames, cardsHost, limits }),
    consoleSurface({
      dialect,
      people,
      nobody: nobodyOf(scopeCatalog),
      limits,
      address: consoleAddress(parts.settings),
    }),
    hostedPagesSurface({
      pages: slices.flatMap((slice) => slice.pages?.(parts) ?? []),
      guessesMax: limits.onboardingGuesses,
    }),
    ucpSurfaceOf({ ...parts, problems, publicUrl, egress, hosts, sandboxNames }),
    keySetSurface(() => parts.signingKeys.lasting()),
    mppSurface(mppOptions({ ...parts, problems, hosts })),
    cardAuthorizationsSurface(stripeAuthorizations(parts, options.authorizationSecrets ?? {})),
    railEventsSurface(stripeEvents(parts, options.stripeWebhook ?? null)),
    docsSurface(operations, product),
    frontPage,
    healthSurface({
      // guard health-of-callers: health says when callers get nothing
      isServing: () => Promise.all([keyDoor.probe(), readDatabaseTime(parts.pools)]).then(() => true),
    }),
    ...(options.surfaces ?? []),
  ]
  mountSurfaces(http, surfaces, {
    operations,
    dispatch,
    publicUrl,
    onRequest,
    onBug,
    draining: draining.signal,
  })
  return {
    http,
    async stop() {
      draining.abort()
      await http.close()
      await Promise.all([keyDoor.close(), egress.close()])
    },
  }
}

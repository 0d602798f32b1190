import { operations as allOperations, boundAgents, product, slices } from './composition.ts'
import type { Operation } from './contract/operation.ts'
import { type Binding, bindPorts } from './contract/port.ts'
import { keyLookups } from './domain/accounts/api-keys/key-lookups.sql.ts'
import type { Parts } from './parts.ts'
import { createDispatch, type Dispatch } from './platform/calls/dispatch.ts'
import { readDatabaseTime } from './platform/clock/clock.ts'
import { createKeyDoor } from './platform/doors/key-door.ts'
import { healthSurface } from './surfaces/http/health.ts'
import type { RequestLine } from './surfaces/http/request-line.ts'
import { createHttpServer, type HttpServer } from './surfaces/http/server.ts'
import { mountSurfaces, type Surface } from './surfaces/http/surface.ts'
import { hostedPagesSurface } from './surfaces/pages/hosted-pages.ts'
import { createAdmission } from './surfaces/v1/admit.ts'
import { createCredentials } from './surfaces/v1/credentials.ts'
import { v1Refusal } from './surfaces/v1/dialect.ts'
import { docsSurface } from './surfaces/v1/docs.ts'
import { frontPage } from './surfaces/v1/front-page.ts'
import { mcpSurface } from './surfaces/v1/mcp/mcp.ts'
import { restSurface } from './surfaces/v1/rest.ts'

export type ApiOptions = {
  /** Other operations than those of the public interface: suites plant faults and must find them. */
  operations?: readonly Operation[]
  /** What operations ask of the outside, besides what slices do for each other. */
  ports?: readonly Binding[]
  /** Surfaces besides those of the product. */
  surfaces?: readonly Surface[]
  anonymousDiscovery: boolean
  /** Addresses and networks whose `X-Forwarded-For` is believed; none unless told otherwise. */
  trustedProxies?: readonly string[]
  /** The largest body that is a file; 64 MiB unless told otherwise. */
  contentBytesMax?: number
  onRequest: (line: RequestLine) => void
  onBug: (error: unknown) => void
  checkReply?: Parameters<typeof createDispatch>[0]['checkReply']
}

export type Api = {
  http: HttpServer
  dispatch: Dispatch
  /** Streams close with a hint to come back, requests under way finish, then the port closes. */
  stop(): Promise<void>
}

/** The API role: every operation on the surfaces that it stands on. */
export function createApi(parts: Parts, options: ApiOptions): Api {
  const draining = new AbortController()
  const { anonymousDiscovery, onRequest, onBug, operations = allOperations } = options
  const { limits, publicUrl } = parts.settings
  const dispatch = createDispatch({
    ...parts,
    operations,
    boundAgents,
    ports: bindPorts([...slices.flatMap((slice) => slice.binds ?? []), ...(options.ports ?? [])]),
    onBug,
    ...(options.checkReply ? { checkReply: options.checkReply } : {}),
  })
  const http = createHttpServer({
    dialect: v1Refusal,
    publicUrl,
    trustedProxies: options.trustedProxies ?? [],
    limits,
    newRequestId: () => parts.newId('req', Date.now()),
    onRequest,
    onBug,
  })
  const keyDoor = createKeyDoor(parts, keyLookups)
  const credentials = createCredentials({ ...parts, keyDoor, anonymousDiscovery, onBug })
  const admission = createAdmission({ keyDoor, anonymousDiscovery, limits, edge: http.edge })
  const surfaces: readonly Surface[] = [
    restSurface({ credentials, admission, contentBytesMax: options.contentBytesMax ?? 64 * 1024 * 1024 }),
    mcpSurface({ credentials, admission }),
    hostedPagesSurface({
      pages: slices.flatMap((slice) => slice.pages?.(parts) ?? []),
      guessesMax: limits.onboardingGuesses,
    }),
    docsSurface(operations, product),
    frontPage,
    healthSurface({
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
    dispatch,
    async stop() {
      draining.abort()
      await http.close()
      await keyDoor.close()
    },
  }
}

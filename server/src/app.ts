import type { FastifyInstance } from 'fastify'
import { operations as allOperations, boundAgents, events, slices } from './composition.ts'
import type { Operation } from './contract/operation.ts'
import { keyLookups } from './domain/accounts/api-keys/key-lookups.sql.ts'
import type { Parts } from './parts.ts'
import { createAdmission } from './platform/calls/admit.ts'
import { type Authenticator, openedBy } from './platform/calls/authenticate.ts'
import { createDispatch, type Dispatch } from './platform/calls/dispatch.ts'
import { readDatabaseTime } from './platform/clock/clock.ts'
import { createKeyDoor } from './platform/doors/key-door.ts'
import { registerDocuments } from './surfaces/http/documents.ts'
import { registerHealth } from './surfaces/http/health.ts'
import { lineOf, type RequestLine } from './surfaces/http/request-line.ts'
import { createHttpServer } from './surfaces/http/server.ts'
import { registerHostedPages } from './surfaces/pages/hosted-pages.ts'
import { registerDocs } from './surfaces/v1/docs.ts'
import { registerFrontPage } from './surfaces/v1/front-page.ts'
import { registerMcp } from './surfaces/v1/mcp/mcp.ts'

export type ApiOptions = {
  /** Other operations than those of the public interface: suites plant faults and must find them. */
  operations?: readonly Operation[]
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
  http: FastifyInstance
  dispatch: Dispatch
  /** Streams close with a hint to come back, requests under way finish, then the port closes. */
  stop(): Promise<void>
}

/** The API role: every operation over REST and as a tool. */
export function createApi(parts: Parts, options: ApiOptions): Api {
  const keyDoor = createKeyDoor(parts, keyLookups)
  const draining = new AbortController()
  const { anonymousDiscovery, operations = allOperations } = options
  const auth: Authenticator = { keyDoor, anonymousDiscovery }
  const dispatch = createDispatch({
    ...parts,
    operations,
    auth,
    boundAgents,
    onBug: options.onBug,
    ...(options.checkReply ? { checkReply: options.checkReply } : {}),
  })
  const { limits, publicUrl } = parts.settings
  const { http, edge } = createHttpServer({
    operations,
    dispatch,
    admit: createAdmission(auth, limits),
    publicUrl,
    trustedProxies: options.trustedProxies ?? [],
    limits,
    newRequestId: () => parts.newId('req', Date.now()),
    contentBytesMax: options.contentBytesMax ?? 64 * 1024 * 1024,
    onRequest: options.onRequest,
    onBug: options.onBug,
    draining: draining.signal,
  })
  registerMcp(http, {
    operations,
    dispatch,
    openedBy: async (authorization) => openedBy(auth, authorization, await parts.clock.now()),
    edge,
    publish: (path, document) =>
      registerDocuments(http, [
        {
          path,
          type: 'application/json; charset=utf-8',
          maxAgeSeconds: 300,
          headers: { 'access-control-allow-origin': '*' },
          make: () => document,
        },
      ]),
    publicUrl,
    onCall: (request, operation, answer) =>
      options.onRequest({ ...lineOf(request, operation, answer), route: '/mcp/v1' }),
    onBug: options.onBug,
    draining: draining.signal,
  })
  registerHealth(http, {
    isServing: () => Promise.all([keyDoor.probe(), readDatabaseTime(parts.pools)]).then(() => true),
    draining: draining.signal,
  })
  registerHostedPages(http, {
    pages: slices.flatMap((slice) => slice.pages?.(parts) ?? []),
    guessesMax: parts.settings.limits.onboardingGuesses,
    edge,
    onRequest: options.onRequest,
    onBug: options.onBug,
  })
  registerDocs(http, { operations, events })
  registerFrontPage(http, publicUrl)
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

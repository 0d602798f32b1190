import type { Operation } from '../../../contract/operation.ts'
import { Problem } from '../../../contract/problem.ts'
import type { ProblemCatalog } from '../../../contract/problem-codes.ts'
import {
  belongsTo,
  isToolset,
  type ScopeCatalog,
  type Toolset,
  toolsetNames,
} from '../../../contract/scopes.ts'
import { listedTool, splitArguments, type Tool, toolsOf } from '../../../contract/tools.ts'
import { callerSignalOnUse } from '../../../platform/calls/caller-signal.ts'
import { type Outcome, refusedWith } from '../../../platform/calls/outcome.ts'
import { countedAddress } from '../../http/client-address.ts'
import { registerDocuments } from '../../http/documents.ts'
import type { Exchange } from '../../http/exchange.ts'
import { lineOf } from '../../http/request-line.ts'
import type { Http, Surface, SurfaceContext } from '../../http/surface.ts'
import type { Admission } from '../admit.ts'
import type { Credentials, MayCall } from '../credentials.ts'
import { type V1Dialect, v1Dialect } from '../dialect.ts'
import { whyNoTools } from './empty-list.ts'
import { mountEndpoint } from './endpoint.ts'
import { serverInfo } from './introduction.ts'
import { createProtocol } from './protocol.ts'
import { protocolVersions } from './revisions.ts'
import { rpcRefusal } from './rpc-refusal.ts'
import type { CallTool } from './tool-caller.ts'
import { toolReply } from './tool-result.ts'

type McpOptions = {
  credentials: Credentials
  admission: Pick<Admission, 'receive'>
  problems: ProblemCatalog
  scopeCatalog: ScopeCatalog
}

const path = '/mcp/v1'

/** The MCP server, over Streamable HTTP without sessions, and its public manifest. */
export function mcpSurface(options: McpOptions): Surface {
  return {
    name: 'mcp',
    mount: (http, context) => mount(http, { ...context, ...options, dialect: v1Dialect(options.problems) }),
  }
}

type Mounted = McpOptions & SurfaceContext & { dialect: V1Dialect }

function mount(http: Http, options: Mounted): void {
  let made: ReadonlyMap<string, Callable> | undefined
  // For the first client: they take a tenth of a second, which a start does not wait for.
  const callables = () => {
    made ??= callablesOf(options.operations)
    return made
  }

  registerDocuments(http, [
    {
      path: `${path}/manifest.json`,
      type: 'application/json; charset=utf-8',
      maxAgeSeconds: 300,
      headers: { 'access-control-allow-origin': '*' },
      make: () =>
        JSON.stringify({
          name: serverInfo.name,
          version: serverInfo.version,
          protocol_versions: protocolVersions,
          tools: [...callables().values()].map(({ tool }) => tool.definition),
        }),
    },
  ])
  mountEndpoint(http, {
    path,
    dialect: rpcRefusal(options.problems),
    publicUrl: options.publicUrl,
    receive: options.admission.receive,
    async callerOf(exchange) {
      const { authorization } = exchange.request.headers
      const mayCall = await options.credentials.openedBy(authorization)
      if (!mayCall) throw new Problem('unauthorized')
      const toolset = toolsetOf(exchange)
      return {
        call: callAs(exchange, callables(), options),
        list: () => listFor(callables(), mayCall, isWithin(toolset, options)),
        whyNoTools: () =>
          whyNoTools({
            operations: [...callables().values()].map(({ operation }) => operation),
            mayCall,
            hasKey: authorization !== undefined,
            toolset,
            scopeCatalog: options.scopeCatalog,
          }),
      }
    },
    answer: createProtocol(options.onBug),
  })
}

/** `listed` is what `tools/list` shows of it, as JSON. */
type Callable = { tool: Tool; listed: string; operation: Operation }

function callablesOf(operations: readonly Operation[]): ReadonlyMap<string, Callable> {
  const byId = new Map(operations.map((operation) => [operation.id as string, operation]))
  return new Map(
    toolsOf(operations).flatMap((tool) => {
      const operation = byId.get(tool.definition.name)
      const listed = JSON.stringify(listedTool(tool.definition))
      return operation ? [[operation.id as string, { tool, listed, operation }] as const] : []
    }),
  )
}

/** What narrows the list of a client: `?toolset=`, which changes nothing about what it may call. */
function toolsetOf({ query: { toolset } }: Exchange): Toolset | null {
  if (toolset === undefined) return null
  if (isToolset(toolset)) return toolset
  throw new Problem('bad_request', {
    message: `There is no such toolset. Leave it out, or use one of: ${toolsetNames.join(', ')}.`,
    param: 'toolset',
  })
}

function isWithin(toolset: Toolset | null, { scopeCatalog }: Mounted): MayCall {
  return (operation) => toolset === null || belongsTo(toolset, operation, scopeCatalog)
}

/** The tools for a key, in the order of the interface. */
function listFor(byName: ReadonlyMap<string, Callable>, mayCall: MayCall, isNamed: MayCall): string[] {
  // guard lists-of-the-key: a list shows what the key may call
  return [...byName.values()]
    .filter(({ operation }) => mayCall(operation) && isNamed(operation))
    .map(({ listed }) => listed)
}

const noBytes = new Uint8Array()

/** Runs tools through the same pipeline as REST, as the caller of this HTTP request. */
function callAs(exchange: Exchange, byName: ReadonlyMap<string, Callable>, options: Mounted): CallTool {
  // guard gone-callers-of-tools: a client that has gone leaves the place of its tool call to others
  const signal = callerSignalOnUse(exchange.response, options.draining)
  return async (name, given) => {
    const callable = byName.get(name)
    if (!callable) return null
    const { tool, operation } = callable
    const { authorization } = exchange.request.headers
    const known = await options.credentials.authenticate(operation, {
      authorization,
      origin: null,
      // guard tools-carry-no-signature: arguments of a tool never pass for a signature
      signed: null,
    })
    const principal = known instanceof Error ? null : known
    const outcome: Outcome =
      known instanceof Error
        ? refusedWith(known, exchange.id)
        : await options.dispatch(known, operation, {
            ...splitArguments(tool, given),
            requestId: exchange.id,
            address: countedAddress(exchange.client),
            signal,
            acceptsStream: false,
            accepts: null,
            bodyError: null,
            rawBody: noBytes,
            coerce: false,
          })
    if (outcome.kind === 'stream' || outcome.kind === 'download')
      throw new Error(`${operation.id} answered a tool with a ${outcome.kind}`)
    const said = options.dialect.answer(outcome)
    const { status, code } = said
    const line = lineOf(exchange, operation, { status, code, principal, waitedMs: outcome.waitedMs })
    options.onRequest({ ...line, route: path })
    return toolReply(said)
  }
}

import { type OperationFacts, takesIdempotencyKey } from '../../../contract/operation.ts'
import type { Refusal } from '../../../contract/problem.ts'
import type { Scope } from '../../../contract/scopes.ts'
import { listedTool, splitArguments, type Tool, toolsOf } from '../../../contract/tools.ts'
import type { IdSource } from '../../../core/id.ts'
import type { Dispatch } from '../../../platform/calls/dispatch.ts'
import { innerCall } from '../../../platform/calls/inner-call.ts'
import type { Principal } from '../../../platform/calls/principal.ts'
import { isObject } from '../../../schema/schema-node.ts'
import type { ModelTool, ToolCall } from '../port.ts'

/**
 * What a chat has a use for. Nothing that raises a limit or changes an address, a profile, a policy or a destination is among them, whatever
 * a key may do.
 */
const names: ReadonlySet<string> = new Set([
  'v1_search_catalog',
  'v1_get_catalog_product',
  'v1_lookup_catalog',
  'v1_preview_purchase_intent',
  'v1_create_purchase_intent',
  'v1_get_purchase_intent',
  'v1_list_purchase_intents',
  'v1_cancel_purchase_intent',
  'v1_retry_purchase_intent',
  'v1_create_quote',
  'v1_get_quote',
  'v1_cancel_quote',
  'v1_get_profile',
  // For the pages on which people answer. Nobody who thinks is told of it: see `toolsFor`.
  'v1_create_approval_link',
])

const ofCode: ReadonlySet<string> = new Set(['v1_create_approval_link'])

export type ChatTools = ReadonlyMap<string, { readonly tool: Tool; readonly operation: OperationFacts }>

/** The tools of chats, from the same declarations as everybody's tools. */
export function chatToolsOf(operations: readonly OperationFacts[]): ChatTools {
  // guard tools-of-a-chat: a chat has no tool that raises a limit or says where goods go
  const chosen = operations.filter(({ id }) => names.has(id))
  const byName = new Map(chosen.map((operation) => [operation.id as string, operation]))
  const tools = toolsOf(chosen).map((tool) => {
    const operation = byName.get(tool.definition.name)
    if (!operation) throw new Error(`no operation for the tool ${tool.definition.name}`)
    return [tool.definition.name, { tool, operation }] as const
  })
  return new Map(tools)
}

/** Those that somebody may use, as a model is told of them. */
export function toolsFor(tools: ChatTools, scopes: ReadonlySet<Scope>): ModelTool[] {
  return [...tools.values()]
    .filter(({ operation: { id, scope } }) => !ofCode.has(id) && (scope === null || scopes.has(scope)))
    .map(({ tool }) => {
      const { name, description, inputSchema } = listedTool(tool.definition)
      return { name, description, inputSchema }
    })
}

export type ToolAnswer = { readonly isError: boolean; readonly result: unknown }

type Calling = {
  readonly tools: ChatTools
  readonly dispatch: Dispatch
  readonly newId: IdSource
  readonly signal: AbortSignal
  /** What REST says of a refusal. */
  readonly refusalBody: (refusal: Refusal, requestId: string) => unknown
  /** Code of ours makes the call, and not whoever thinks. */
  readonly isOurs?: boolean
  /** The same for the same call of the same step, however often it is done. */
  readonly key: string
}

/** Calls an operation as any caller would. What is wrong with a call is an answer, too. */
export async function callTool(
  principal: Principal,
  call: ToolCall,
  { tools, dispatch, newId, signal, refusalBody, isOurs = false, key }: Calling,
): Promise<ToolAnswer> {
  const found = tools.get(call.name)
  if (!found || (ofCode.has(call.name) && !isOurs))
    return wrong(`There is no tool ${JSON.stringify(call.name.slice(0, 80))} here.`)
  if (!isObject(call.args)) return wrong('The arguments must be one JSON object.')
  const { idempotency_key: _, ...given } = call.args
  const { path, query, body } = splitArguments(found.tool, given)
  const isKeyed = takesIdempotencyKey(found.operation)
  const asked = innerCall(newId, {
    path,
    query,
    body,
    signal,
    ...(isKeyed ? { idempotencyKey: key } : {}),
  })
  const outcome = await dispatch(principal, { id: found.operation.id }, asked)
  switch (outcome.kind) {
    case 'answered':
      return { isError: false, result: JSON.parse(outcome.body) }
    case 'refused':
      return { isError: true, result: refusalBody(outcome.refusal, outcome.requestId) }
    default:
      return wrong('This tool answers with a file or a stream, which a chat does not read.')
  }
}

function wrong(message: string): ToolAnswer {
  return { isError: true, result: { detail: { code: 'tool_misused', message } } }
}

import { isObject } from '../../../schema/schema-node.ts'
import { introductionFor, serverInfo } from './introduction.ts'
import type { RpcRequest } from './message.ts'
import type { RpcResult } from './protocol-answer.ts'
import { isImplementation, metaKeys } from './request-meta.ts'
import { greetedWith, versionsWithoutGreeting } from './revisions.ts'
import { shown, wrongParams } from './rpc-error.ts'
import type { ToolCaller } from './tool-caller.ts'
import { toolResult } from './tool-result.ts'

type Method = {
  /** Whether revisions with a greeting have it, or those without. Undefined: all of them. */
  hasGreeting?: boolean
  /** The member of its params that a header repeats in revisions without a greeting. */
  named?: string
  answer: (request: RpcRequest, caller: ToolCaller) => RpcResult | Promise<RpcResult>
}

/** Everything that a server of tools and nothing else is asked. */
export const methods: ReadonlyMap<string, Method> = new Map<string, Method>([
  ['initialize', { hasGreeting: true, answer: greet }],
  ['ping', { hasGreeting: true, answer: () => ({ body: '{}' }) }],
  ['server/discover', { hasGreeting: false, answer: discover }],
  ['subscriptions/listen', { hasGreeting: false, answer: listen }],
  ['tools/list', { answer: listTools }],
  ['tools/call', { named: 'name', answer: callTool }],
])

function greet({ params }: RpcRequest, caller: ToolCaller): RpcResult {
  const { protocolVersion, capabilities, clientInfo } = params
  if (typeof protocolVersion !== 'string')
    throw wrongParams('The protocolVersion in the params of initialize must be a string.')
  if (!isObject(capabilities))
    throw wrongParams('The capabilities in the params of initialize must be an object.')
  if (!isImplementation(clientInfo))
    throw wrongParams(
      'The clientInfo in the params of initialize must be an object with the strings "name" and "version".',
    )
  const offered = greetedWith(protocolVersion)
  return { body: JSON.stringify({ protocolVersion: offered, serverInfo, ...introductionFor(caller) }) }
}

function discover(_: RpcRequest, caller: ToolCaller): RpcResult {
  const found = { supportedVersions: versionsWithoutGreeting, ...introductionFor(caller) }
  // Whether there are tools, and why not, can change with the key at any time.
  return { body: JSON.stringify(found), freshMs: 0 }
}

const wishes = ['toolsListChanged', 'promptsListChanged', 'resourcesListChanged']

/** Who listens is told at once that nothing will be told: a list changes with a release, or with what a key may do. */
function listen({ id, params }: RpcRequest): RpcResult {
  const { notifications } = params
  if (!isObject(notifications) || !isWish(notifications))
    throw wrongParams(
      'The notifications in the params of subscriptions/listen must be an object, such as {"toolsListChanged": true}.',
    )
  const meta = { [metaKeys.subscriptionId]: id }
  const method = 'notifications/subscriptions/acknowledged'
  return { body: '{}', meta, notice: { method, params: { notifications: {}, _meta: meta } } }
}

function isWish({ resourceSubscriptions: uris = [], ...given }: Readonly<Record<string, unknown>>): boolean {
  if (!Array.isArray(uris) || !uris.every((uri) => typeof uri === 'string')) return false
  return wishes.every((name) => given[name] === undefined || typeof given[name] === 'boolean')
}

/** The list of a caller changes with a release, and with what its key may do. */
const listFreshMs = 300_000

/** Always the whole list, so that a cursor has nowhere to lead. */
function listTools({ params }: RpcRequest, { list }: ToolCaller): RpcResult {
  if (typeof (params.cursor ?? '') !== 'string')
    throw wrongParams(
      'The cursor in the params of tools/list must be a string. Leave it out: there is one page.',
    )
  return { body: `{"tools":[${list().join(',')}]}`, freshMs: listFreshMs }
}

async function callTool({ params }: RpcRequest, { call }: ToolCaller): Promise<RpcResult> {
  const { name } = params
  const args = params.arguments ?? {}
  if (typeof name !== 'string')
    throw wrongParams(
      'The name in the params of tools/call must be a string. tools/list shows the tools that this key may call.',
    )
  if (!isObject(args))
    throw wrongParams(
      `The arguments of ${shown(name)} must be an object, such as {"limit": 5}: send the object itself, not text that contains it. Leave them out to send none.`,
    )
  const reply = await call(name, args)
  if (!reply)
    throw wrongParams(`There is no tool ${shown(name)}. tools/list shows the tools that this key may call.`)
  return toolResult(reply)
}

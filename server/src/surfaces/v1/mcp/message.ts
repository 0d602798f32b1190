import { isObject } from '../../../schema/schema-node.ts'
import { RpcError } from './rpc-error.ts'

type Members = Readonly<Record<string, unknown>>

export type RpcId = string | number

export type RpcRequest = { kind: 'request'; id: RpcId; method: string; params: Members; meta: Members }
/** Says something, and is not answered. */
export type RpcNotification = { kind: 'notification'; method: string; params: Members; meta: Members }
/** To a question of ours. There are none. */
type RpcAnswer = { kind: 'answer' }

export type RpcMessage = RpcRequest | RpcNotification | RpcAnswer

/** Throws an `RpcError` for what is no message. */
export function readMessage(given: unknown): RpcMessage {
  if (!isObject(given) || given.jsonrpc !== '2.0') throw invalid(notAMessage)
  const { id, method } = given
  if (method === undefined) return readAnswer(given)
  if (typeof method !== 'string' || !hasOnly(given, sentMembers)) throw invalid(notAMessage)
  const params = objectAt(given, 'params', 'params')
  const meta = objectAt(params, '_meta', 'params._meta')
  const { progressToken } = meta
  if (progressToken !== undefined && !isId(progressToken))
    throw invalid('The progressToken in params._meta must be a string or an integer.')
  if (id === undefined) return { kind: 'notification', method, params, meta }
  if (!isId(id)) throw invalid('The id of a message must be a string or an integer.')
  return { kind: 'request', id, method, params, meta }
}

/** The id under which a message waits for its answer, even where it is wrong otherwise; null: it has none. */
export function idOf(given: unknown): RpcId | null {
  if (!isObject(given) || typeof given.method !== 'string') return null
  const { id } = given
  return typeof id === 'string' || typeof id === 'number' ? id : null
}

const notAMessage =
  'Send a JSON-RPC message: an object with "jsonrpc": "2.0", "method", and, where it is to be answered, "id".'

const sentMembers: ReadonlySet<string> = new Set(['jsonrpc', 'id', 'method', 'params'])
const resultMembers: ReadonlySet<string> = new Set(['jsonrpc', 'id', 'result'])
const errorMembers: ReadonlySet<string> = new Set(['jsonrpc', 'id', 'error'])
const none: Members = {}

function readAnswer(given: Members): RpcAnswer {
  const { id, result, error } = given
  if (isId(id) && isObject(result) && hasOnly(given, resultMembers)) {
    if (result._meta === null) throw invalid('The result._meta of a message must be an object.')
    objectAt(result, '_meta', 'result._meta')
    return { kind: 'answer' }
  }
  const isError = isObject(error) && Number.isSafeInteger(error.code) && typeof error.message === 'string'
  const isNamed = id === undefined || isId(id)
  if (isError && isNamed && hasOnly(given, errorMembers)) return { kind: 'answer' }
  throw invalid(notAMessage)
}

function isId(value: unknown): value is RpcId {
  return typeof value === 'string' || Number.isSafeInteger(value)
}

function hasOnly(given: Members, known: ReadonlySet<string>): boolean {
  for (const name in given) if (!known.has(name)) return false
  return true
}

function objectAt(given: Members, name: string, shownAs: string): Members {
  const value = given[name]
  // Some clients write null for parameters that they have not.
  if (value === undefined || value === null) return none
  if (isObject(value)) return value
  throw invalid(`The ${shownAs} of a message must be an object.`)
}

function invalid(message: string): RpcError {
  return new RpcError('invalidRequest', message)
}

import { ProtocolErrorCode } from '@modelcontextprotocol/server'
import { isObject } from '../../../schema/schema-node.ts'
import type { ProtocolAnswer } from './protocol-answer.ts'

/**
 * Refuses a tools/call with wrong parameters, in words that a model can act on: the package would answer with the output of its
 * validator. Null: the parameters are right, or the message is wrong in another way, which the package refuses.
 */
export function callFault(message: object): ProtocolAnswer | null {
  const { jsonrpc, id, method, params } = message as Record<string, unknown>
  if (jsonrpc !== '2.0' || method !== 'tools/call') return null
  if (typeof id !== 'string' && typeof id !== 'number') return null
  const fault = faultOf(params)
  if (fault === null) return null
  const error = { code: ProtocolErrorCode.InvalidParams, message: fault }
  return {
    status: 200,
    type: 'application/json',
    body: JSON.stringify({ jsonrpc: '2.0', id, error }),
  }
}

function faultOf(params: unknown): string | null {
  if (!isObject(params)) return 'The params of tools/call must be an object with "name" and "arguments".'
  const { name, arguments: args = {} } = params
  if (typeof name !== 'string')
    return 'The name in the params of tools/call must be a string. tools/list shows the tools that this key may call.'
  if (isObject(args)) return null
  return `The arguments of ${shown(name)} must be an object, such as {"limit": 5}. Leave them out to send none.`
}

export function noSuchTool(name: string): string {
  return `There is no tool ${shown(name)}. tools/list shows the tools that this key may call.`
}

/** The longest name that is repeated: somebody else may have written it. */
const nameLengthMax = 100

function shown(name: string): string {
  return JSON.stringify(name.length > nameLengthMax ? `${name.slice(0, nameLengthMax)}…` : name)
}

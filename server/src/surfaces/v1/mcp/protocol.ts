import { commonProblems } from '../../../contract/problem-codes.ts'
import { answerBatch } from './batch.ts'
import { idOf, type RpcRequest, readMessage } from './message.ts'
import { methods } from './methods.ts'
import { accepted, answered, type ProtocolAnswer, refused } from './protocol-answer.ts'
import { type McpHeaders, shouldRepeat } from './request-meta.ts'
import { type Revision, revisionOf } from './revisions.ts'
import { RpcError, shown } from './rpc-error.ts'
import type { ToolCaller } from './tool-caller.ts'

/** Answers whatever JSON was sent by a client that takes JSON and event streams, as its headers have to say. */
export type Protocol = (headers: McpHeaders, given: unknown, caller: ToolCaller) => Promise<ProtocolAnswer>

/** One message in, its answer out, in every revision. There are no sessions, so that any process answers any message. */
export function createProtocol(onBug: (error: unknown) => void): Protocol {
  async function answerOne(headers: McpHeaders, given: unknown, caller: ToolCaller): Promise<ProtocolAnswer> {
    try {
      const message = readMessage(given)
      const revision = revisionOf(headers, message)
      if (message.kind !== 'request') return accepted
      const result = await resultOf(headers, message, { revision, caller })
      return answered(message, revision, result)
    } catch (error) {
      return refused(idOf(given), error instanceof RpcError ? error : bugIn(error))
    }
  }

  function bugIn(error: unknown): RpcError {
    onBug(error)
    return new RpcError('internalError', commonProblems.internal_error.message, { status: 200 })
  }

  return (headers, given, caller) =>
    Array.isArray(given)
      ? answerBatch(headers, given, (each) => answerOne(headers, each, caller))
      : answerOne(headers, given, caller)
}

type Asking = { revision: Revision; caller: ToolCaller }

function resultOf(headers: McpHeaders, request: RpcRequest, { revision, caller }: Asking) {
  const { hasGreeting } = revision
  const method = methods.get(request.method)
  if (!method || (method.hasGreeting ?? hasGreeting) !== hasGreeting) {
    const message = `There is no method ${shown(request.method)} in revision ${revision.name} of the protocol, or it is not served here.`
    throw new RpcError('methodNotFound', message, { status: hasGreeting ? 200 : 404 })
  }
  const name = method.named === undefined ? undefined : request.params[method.named]
  // A name that is no text cannot be repeated; the method refuses it.
  if (!hasGreeting && typeof name === 'string') shouldRepeat(headers, 'mcp-name', name, { isRequired: true })
  return method.answer(request, caller)
}

import { definePort } from '../../../contract/port.ts'
import type { Refusal } from '../../../contract/problem.ts'
import type { Dispatch } from '../../../platform/calls/dispatch.ts'
import type { Thinker } from './thinker.ts'
import type { ChatTools } from './tools.ts'

/** What a run may use before it ends with a sentence. */
export type ChatLimits = {
  readonly stepsPerRun: number
  readonly secondsPerRun: number
  readonly tokensPerRun: number
  /** Of an account and mode. */
  readonly tokensPerDay: number
  /** Of an account and mode, in millionths of a minor unit; 0: no limit. */
  readonly costPerDay: number
}

export const chatLimits: ChatLimits = {
  stepsPerRun: 20,
  secondsPerRun: 300,
  tokensPerRun: 200_000,
  tokensPerDay: 5_000_000,
  costPerDay: 0,
}

/** What chats are answered with. */
export type ChatMeans = {
  readonly thinker: Thinker
  readonly tools: ChatTools
  readonly limits: ChatLimits
  /** What REST says of a refusal. */
  readonly refusalBody: (refusal: Refusal, requestId: string) => unknown
}

export const ChatMeans = definePort<ChatMeans>('what chats are answered with')

export type RunnerDeps = { readonly means: ChatMeans; readonly dispatch: Dispatch }

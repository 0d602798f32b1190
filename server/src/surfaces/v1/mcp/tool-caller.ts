/** What a tool answered: the body of REST as it was written, an object, and what is said beside it. */
export type ToolReply = {
  readonly body: string
  readonly isError: boolean
  readonly meta: Readonly<Record<string, unknown>>
}

/** Calls a tool on somebody's behalf; null when there is no such tool. */
export type CallTool = (name: string, args: Record<string, unknown>) => Promise<ToolReply | null>

/** On whose behalf messages are answered. */
export type ToolCaller = {
  call: CallTool
  /** The tools that this caller may call, each as JSON, in an order that stays. */
  list: () => readonly string[]
  /** Why the list is empty, and what to do about it; null: it is not. */
  whyNoTools: () => string | null
}

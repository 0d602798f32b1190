import { createInterface } from 'node:readline/promises'

/** Whether a person sits before this terminal, and its output is for people. */
export function isTalking({ json }: { json?: boolean }): boolean {
  return process.stdin.isTTY === true && process.stderr.isTTY === true && !json
}

/** What counts as an answer stands in the question. Ctrl-C and the end of input are a no. */
export async function asksYes(question: string): Promise<boolean> {
  return isYes(await asks(`${question} Type y or yes; anything else is a no: `))
}

/** `y` and `yes`, in any case. */
function isYes(answer: string): boolean {
  return ['y', 'yes'].includes(answer.trim().toLowerCase())
}

export async function asks(question: string): Promise<string> {
  const talk = createInterface({ input: process.stdin, output: process.stderr })
  const closed = new Promise<string>((resolve) => talk.once('close', () => resolve('')))
  const answer = await Promise.race([talk.question(question), closed])
  talk.close()
  return answer.trim()
}

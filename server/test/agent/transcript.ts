import { isObject } from '../../src/schema/schema-node.ts'
import type { Scenario } from './scenarios.ts'
import type { End } from './scripted-agent.ts'
import { type Members, membersOf, type Seen } from './tool-client.ts'

/** One thing that was said or done, as the page shows it. */
export type Line =
  | { kind: 'call'; name: string; args: Members; seen: Seen | null }
  | { kind: 'told'; text: string }
  | { kind: 'did'; text: string }

/** The page that shows what an agent went through, made by the test that goes through it. */
export function transcriptPage(
  runs: readonly { scenario: Scenario; lines: readonly Line[]; end: End }[],
): string {
  const parts = runs.map(({ scenario, lines, end }, index) => {
    const { name, wish, ends } = scenario
    const charged =
      ends.charged.length === 0
        ? 'Charged: nothing.'
        : `Charged: ${ends.charged.map(dollars).join(', ')}, once.`
    const said = [
      `**Person:** ${wish.say}`,
      ...withoutRepeats(lines).map(shown),
      `**Agent:** ${masked(end.lastWords)}`,
      charged,
    ]
    return [`## ${index + 1}. ${name}`, ...said].join('\n\n')
  })
  return `${intro(runs.length)}\n${parts.join('\n\n')}\n`
}

const intro = (count: number) => `# What an agent sees

${count} purchases, each by the same scripted agent: a program without a model that knows the list of tools, results and the words of errors,
and nothing else of this product. It holds a \`buyer_agent\` key. Written by \`server/test/agent/scripted-agent.test.ts\`, which goes through
all of this against the product and its sandbox and fails when this page is not what happened, or when anything is charged that is not
shown here. Ids and times are masked, results are cut to what the agent looks at, and of reads that wait only the last is shown.
`

/** Of reads that follow each other the last: how many there are depends on who is faster. */
function withoutRepeats(lines: readonly Line[]): Line[] {
  const kept: Line[] = []
  for (const line of lines) {
    const last = kept.at(-1)
    if (
      line.kind === 'call' &&
      last?.kind === 'call' &&
      last.name === line.name &&
      line.args.wait_seconds !== undefined
    )
      kept[kept.length - 1] = { ...line, args: last.args }
    else kept.push(line)
  }
  return kept
}

function shown(line: Line): string {
  if (line.kind === 'told') return `**Agent:** ${masked(line.text)}`
  if (line.kind === 'did') return `**Person** ${line.text}.`
  const { name, args, seen } = line
  const answer = seen === null ? '(no answer arrives)' : json(seen.isError ? seen.body : cut(seen.body))
  return `\`\`\`text\n${name} ${json(args)}\n${seen?.isError ? '✗' : '→'} ${answer}\n\`\`\``
}

const looked = ['id', 'status', 'summary', 'next_action', 'failure_reason', 'actual_amount', 'completed_at']

function cut(body: Members): Members {
  if (Array.isArray(body.data))
    return { object: body.object, data: body.data.map((each) => ({ id: membersOf(each).id })) }
  return Object.fromEntries(looked.filter((name) => name in body).map((name) => [name, body[name]]))
}

function json(value: unknown): string {
  return masked(JSON.stringify(value, withoutNulls))
}

function withoutNulls(_name: string, value: unknown): unknown {
  if (!isObject(value)) return value
  return Object.fromEntries(Object.entries(value).filter(([, each]) => each !== null))
}

function masked(text: string): string {
  return text
    .replaceAll(/\b([a-z]+)_[0-9a-z]{26}\b/g, '$1_…')
    .replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, '…')
    .replaceAll(/"idempotency_key":"[^"]+"/g, '"idempotency_key":"…"')
}

function dollars(amount: number): string {
  return `$${(amount / 100).toFixed(2)}`
}

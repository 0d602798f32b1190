import { replayed } from '../../harness/replay-chat.ts'
import { queryStored } from '../load/query-stored.ts'
import type { Talked } from './talk-once.ts'

// biome-ignore lint/suspicious/noExplicitAny: rows and answers
type Json = any

/** What is wrong with a chat that is at rest: in its answers, and by what was bought. */
export async function wrongIn(url: string, { chat, profile, asked }: Talked): Promise<string[]> {
  const intents = await queryStored<{ id: string; status: string }>(
    url,
    'select id, status from purchase_intents where profile_id = $1 order by created_at',
    [profile],
  )
  const bought = intents.map(({ status }) => status).join(', ')
  return [
    ...(await wrongInAnswers(url, { chat, asked })),
    ...(bought === 'cancelled, succeeded' ? [] : [`${chat}: its purchases are ${bought || 'none'}`]),
  ]
}

/** What is wrong with its answers, by its rows and events. */
export async function wrongInAnswers(
  url: string,
  { chat, asked }: Pick<Talked, 'chat' | 'asked'>,
): Promise<string[]> {
  const events = await queryStored<{ id: string; event: string; data: string }>(
    url,
    'select position::text as id, type as event, data from chat_events where chat_id = $1 order by position',
    [chat],
  )
  const { messages, broken } = replayed(events.map((row) => ({ ...row, data: JSON.parse(row.data) })))
  const runs = await queryStored<{ id: string; status: string; ended_because: string | null }>(
    url,
    'select id, status, ended_because from chat_runs where chat_id = $1',
    [chat],
  )
  return [
    ...broken,
    ...asked.flatMap((one) => wrongInTurn(one, runs, [...messages.values()])),
    ...(runs.length === asked.length ? [] : [`${asked.length} messages have ${runs.length} runs`]),
  ].map((wrong) => `${chat}: ${wrong}`)
}

function wrongInTurn(
  { text, run }: Talked['asked'][number],
  runs: readonly { id: string; status: string; ended_because: string | null }[],
  messages: readonly Json[],
): string[] {
  const row = runs.find(({ id }) => id === run)
  const answers = messages.filter((message) => message.role === 'assistant' && message.run_id === run)
  const parts: Json[] = answers.flatMap((answer) => answer.parts)
  const about = `"${text}" (${run})`
  const told = parts.flatMap(({ type, purchase_intent_id: id, status }) =>
    type === 'purchase_intent' ? [`${id} ${status}`] : [],
  )
  const called = parts.filter(({ type }) => type === 'tool_call')
  const answered = parts.filter(({ type }) => type === 'tool_result')
  return [
    ...(row?.status === 'completed' ? [] : [`${about} is ${row?.status}: ${row?.ended_because}`]),
    ...(answers.length > 0 ? [] : [`${about} has no answer`]),
    ...answers
      .filter(({ status }) => status !== 'completed')
      .map(({ id, status }) => `${about}: ${id} is ${status}`),
    ...repeated(told).map((what) => `${about} tells twice that ${what}`),
    ...repeated(called.map(({ id }) => id)).map((id) => `${about} has ${id} twice`),
    ...repeated(answered.map(({ id }) => id)).map((id) => `${about} has two results of ${id}`),
    ...repeated(parts.filter(({ type }) => type === 'text').map((part) => part.text)).map(
      (said) => `${about} says twice: ${said}`,
    ),
    ...(called.length === answered.length
      ? []
      : [`${about} has ${called.length} calls, ${answered.length} results`]),
  ]
}

function repeated(all: readonly string[]): string[] {
  return [...new Set(all.filter((one, index) => all.indexOf(one) !== index))]
}

import { isDeepStrictEqual } from 'node:util'

// biome-ignore lint/suspicious/noExplicitAny: what is streamed, as it was parsed
type Json = any

/** An event of a chat as its stream sends it. */
export type ChatEvent = { readonly id: string; readonly event: string; readonly data: Json }

/** What the events of a chat say that it holds, by replaying them, and what they do that none may. */
export function replayed(events: readonly ChatEvent[]): {
  messages: Map<string, Json>
  broken: string[]
} {
  const messages = new Map<string, Json>()
  const broken: string[] = []
  const completed = new Set<string>()
  const ended = new Set<string>()
  let position = 0
  for (const { id, event, data } of events) {
    if (Number(id) !== position + 1) broken.push(`event ${id} comes after ${position}`)
    position = Number(id)
    const message = messages.get(data.message_id)
    const place = `${data.message_id}/${data.index}`
    if (data.message_id !== undefined && ended.has(data.message_id))
      broken.push(`${event} ${id} is about a message that is complete`)
    if (event === 'message.created') {
      if (messages.has(data.message.id)) broken.push(`${data.message.id} is created twice`)
      messages.set(data.message.id, { ...data.message, parts: [...data.message.parts] })
    } else if (event === 'part.delta') {
      if (completed.has(place)) broken.push(`${place} goes on after it was complete`)
      const before = message.parts[data.index]
      message.parts[data.index] = { type: 'text', text: (before?.text ?? '') + data.delta }
    } else if (event === 'part.completed') {
      if (completed.has(place)) broken.push(`${place} is completed twice`)
      completed.add(place)
      const said = message.parts[data.index]
      if (said !== undefined && !isDeepStrictEqual(said, data.part))
        broken.push(
          `${place} was streamed as ${JSON.stringify(said)} and ends as ${JSON.stringify(data.part)}`,
        )
      message.parts[data.index] = data.part
    } else if (event === 'message.completed') {
      if (!isDeepStrictEqual(messages.get(data.message.id)?.parts, data.message.parts))
        broken.push(`${data.message.id} is complete with other parts than were streamed`)
      ended.add(data.message.id)
      messages.set(data.message.id, data.message)
    }
  }
  for (const [id, { role, parts }] of messages) {
    if (role !== 'assistant') continue
    if (!ended.has(id)) broken.push(`${id} is not complete`)
    for (const index of parts.keys())
      if (!completed.has(`${id}/${index}`)) broken.push(`${id}/${index} is not complete`)
  }
  return { messages, broken }
}

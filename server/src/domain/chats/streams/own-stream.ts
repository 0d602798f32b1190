import type { ServerSentEvent } from '../../../contract/operation.ts'
import type { Followed } from './follow-chat.ts'

/** The events as they are stored, each under its position. */
export async function* ownStream(followed: AsyncIterable<Followed>): AsyncGenerator<ServerSentEvent> {
  for await (const one of followed) {
    if (one.kind === 'beat') yield { comment: 'waiting' }
    else if (one.kind === 'expired')
      yield {
        event: 'cursor.expired',
        data: JSON.stringify({ message: 'The events after this cursor are deleted. Read the messages.' }),
      }
    else yield { id: String(one.row.position), event: one.row.type, data: one.row.data }
  }
}

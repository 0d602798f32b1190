import { type EventFacts, familyOf } from '../../contract/event.ts'
import { visibleJson } from '../../core/visible-text.ts'

/** The parts of an event that are fixed when it is written. The bytes of every delivery, at any time, follow from them. */
type WrittenEvent = {
  readonly id: string
  readonly type: string
  readonly mode: string
  readonly createdAt: Date
  readonly aggregateId: string
  /** JSON of the object, as its owner sees it. */
  readonly object: string
}

/** The body of a webhook whose `data` is known: for merchants, and for a test. It is stored with the event. */
export function bodyWith(event: Omit<WrittenEvent, 'aggregateId' | 'object'>, data: object): string {
  return bodyAround(event, visibleJson(JSON.stringify(data)))
}

/** The body that the owner of an event receives. It is made from the object that is stored with the event. */
export function buyerBody(event: WrittenEvent, { buyerData }: Pick<EventFacts, 'buyerData'>): string {
  if (!buyerData) return bodyAround(event, `{${JSON.stringify(familyOf(event.type))}:${event.object}}`)
  const object: never = JSON.parse(event.object) as never // as the slice that defined `buyerData` wrote it
  return bodyAround(event, JSON.stringify(buyerData(object, event.aggregateId)))
}

/** `{id, object, type, api_version, mode, created_at, data}`, for every audience. */
function bodyAround(
  { id, type, mode, createdAt }: Omit<WrittenEvent, 'aggregateId' | 'object'>,
  data: string,
): string {
  const head = JSON.stringify({
    id,
    object: 'event',
    type,
    api_version: 'v1',
    mode,
    created_at: createdAt.toISOString(),
  })
  return `${head.slice(0, -1)},"data":${data}}`
}

import { readFileSync, writeFileSync } from 'node:fs'
import { bodyWith } from '../src/platform/events/event-body.ts'

const answersPath = new URL('../src/example-answers.json', import.meta.url)
const dictionariesPath = new URL('../src/platform/events/dictionaries.json', import.meta.url)

// biome-ignore lint/suspicious/noExplicitAny: answers of the interface, whose shapes the document fixes
type Body = any

/** The answers that the document shows, by operation. */
export function examples(): (operation: string) => Body {
  const answers: Record<string, Record<string, Body>> = JSON.parse(readFileSync(answersPath, 'utf8'))
  return (operation) => {
    const [answer] = Object.values(answers[operation] ?? {})
    if (answer === undefined) throw new Error(`the document shows no answer of ${operation}`)
    return answer
  }
}

/**
 * What events are packed with: what they say most often, which are the objects of a purchase at its beginning and at its end, and what its
 * merchant receives. It is made of the examples of the document, and of no customer's data. What is near costs least: so the order, which has
 * the most events beside the purchase, stands last.
 */
export function eventDictionary(): string {
  const example = examples()
  const { data } = example('v1_list_purchase_intent_events')
  const order = example('v1_create_order_response')
  const { id, created_at } = data[0]
  const about = { id, mode: order.mode, createdAt: new Date(created_at) }
  const payment = {
    order_id: order.id,
    amount: order.total_amount,
    currency: order.currency,
    status: order.payment_status,
  }
  return [
    bodyWith({ ...about, type: 'payment.authorized' }, { payment }),
    JSON.stringify(data[0].data.purchase_intent),
    JSON.stringify(example('v1_get_purchase_intent')),
    bodyWith({ ...about, type: 'order.requested' }, { order }),
  ].join('')
}

if (import.meta.main) {
  const known: Record<string, string> = JSON.parse(readFileSync(dictionariesPath, 'utf8'))
  const made = eventDictionary()
  const isKnown = Object.values(known).includes(made)
  const number = Object.keys(known).length + 1
  if (!isKnown) writeFileSync(dictionariesPath, `${JSON.stringify({ ...known, [number]: made }, null, 2)}\n`)
  console.log(
    isKnown
      ? 'a dictionary is as the examples make it'
      : `wrote dictionary ${number}; a migration must put it into event_dictionary`,
  )
}

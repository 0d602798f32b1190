import type { EventCatalog, EventFacts } from './event.ts'

/** The reference page of events, in Markdown. */
export function eventReference({ types }: EventCatalog): string {
  const rows = [...types].map(([type, facts]) => `| \`${type}\` | ${facts.summary} | ${toldTo(facts)} |`)
  return `${intro}\n${rows.join('\n')}\n`
}

function toldTo({ merchant, buyer, oneDestination }: EventFacts): string {
  const told = [
    ...(merchant ? ['the merchant'] : []),
    ...(buyer ? ['the buyer'] : []),
    ...(oneDestination ? ['the destination that it is for'] : []),
  ]
  return told.join(', ') || 'the audit alone'
}

const intro = `# Events

Generated from the \`events.ts\` of the slices by \`prokura openapi\`.

Every change of state writes one event. [Destinations](webhooks.md) receive those of their side: a merchant about what concerns it, a buyer's account about its own purchases. A purchase
lists its own at \`GET /v1/purchase_intents/{intent_id}/events\`. The bodies are the \`webhooks\` of \`openapi.json\`. More types may be added: pass over those that you do not know.

| Type | What happened | Told to |
|---|---|---|`

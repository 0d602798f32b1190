import type { ServerResponse } from 'node:http'

let ready: { response: ServerResponse; body: string | Uint8Array }[] = []

/**
 * Sends head and body. Answers that become ready in one turn of the event loop leave one after the other at its end: the first packet
 * wakes the process that reads them, and the others find it awake. Waking that process costs the kernel as much as all of our own work
 * for a small request. An answer that is alone leaves as soon as before.
 */
export function writeInBatch(response: ServerResponse, body: string | Uint8Array): void {
  if (ready.push({ response, body }) === 1) setImmediate(endAll)
}

function endAll(): void {
  const ending = ready
  ready = []
  for (const { response, body } of ending) response.end(body)
}

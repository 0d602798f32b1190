import type { ServerResponse } from 'node:http'

/** Aborts when the caller has left or the server drains, and leaves no listener on the signal that lives as long as the process. */
function callerSignal(response: ServerResponse, draining: AbortSignal): AbortSignal {
  const ended = new AbortController()
  const end = () => ended.abort()
  if (draining.aborted || response.closed) {
    end()
    return ended.signal
  }
  draining.addEventListener('abort', end, { once: true })
  response.once('close', () => {
    draining.removeEventListener('abort', end)
    end()
  })
  return ended.signal
}

/** The same signal, made on its first use: most calls wait for nothing. */
export function callerSignalOnUse(response: ServerResponse, draining: AbortSignal): () => AbortSignal {
  let signal: AbortSignal | null = null
  return () => {
    signal ??= callerSignal(response, draining)
    return signal
  }
}

type Sent = { method: string; headers?: Record<string, string>; body?: object; timeoutMs?: number }

/** One request with a body of JSON, and the answer as it came. Never follows a redirect. Throws when no complete answer came. */
export async function exchange(
  url: string,
  { method, headers, body, timeoutMs = 15_000 }: Sent,
): Promise<{ status: number; text: string }> {
  const answer = await fetch(url, {
    method,
    headers: { ...(body ? { 'content-type': 'application/json' } : {}), ...headers },
    ...(body ? { body: JSON.stringify(body) } : {}),
    redirect: 'manual',
    signal: AbortSignal.timeout(timeoutMs),
  })
  return { status: answer.status, text: await answer.text() }
}

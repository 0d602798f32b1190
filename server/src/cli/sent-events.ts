type SentEvent = { readonly id: string; readonly event: string; readonly data: string }

/** Server-sent events, each once it is complete. Comments keep a connection open, and are no events. */
export async function* sentEvents(body: AsyncIterable<Uint8Array>): AsyncGenerator<SentEvent> {
  let held = ''
  const decoder = new TextDecoder()
  for await (const chunk of body) {
    held += decoder.decode(chunk, { stream: true })
    const blocks = held.split('\n\n')
    held = blocks.pop() ?? ''
    for (const block of blocks) {
      const lines = block.split('\n')
      const values = (name: string) =>
        lines.flatMap((line) => (line.startsWith(`${name}: `) ? [line.slice(name.length + 2)] : []))
      const data = values('data')
      if (data.length === 0) continue
      yield { id: values('id')[0] ?? '', event: values('event')[0] ?? 'message', data: data.join('\n') }
    }
  }
}

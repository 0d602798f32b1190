const endOfSentence = /[.!?…]["')\]»”’]*\s|[。！？]["」』）]*|\n/g

/** Text that has no end of a sentence is passed on after so many characters, at a space. */
const longestMax = 600

/** Passes on text that comes in pieces, sentence by sentence: what is checked before it is said must be whole. */
export function takeSentences(
  say: (sentence: string) => Promise<void>,
  onFailure: (error: unknown) => void,
): {
  push(piece: string): void
  /** Passes on the rest, and waits until everything is said. */
  end(): Promise<void>
} {
  let waiting = ''
  let saying: Promise<void> = Promise.resolve()
  const pass = (text: string) => {
    if (text === '') return
    saying = saying.then(() => say(text))
    // Whoever waits for the end gets the error; until then nobody does.
    saying.catch(onFailure)
  }
  return {
    push(piece) {
      waiting += piece
      const end = lastEnd(waiting)
      if (end === 0) return
      pass(waiting.slice(0, end))
      waiting = waiting.slice(end)
    },
    async end() {
      pass(waiting)
      waiting = ''
      await saying
    },
  }
}

/** Behind the last sentence that is complete; 0: none is. */
function lastEnd(text: string): number {
  let end = 0
  for (const { index, 0: found } of text.matchAll(endOfSentence)) end = index + found.length
  if (end > 0 || text.length < longestMax) return end
  return text.lastIndexOf(' ') + 1
}

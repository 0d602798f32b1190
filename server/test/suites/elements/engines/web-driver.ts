/** A session of a WebDriver (https://www.w3.org/TR/webdriver2/), as much of it as is used here. */
export type WebDriver = {
  readonly capabilities: Readonly<Record<string, unknown>>
  goTo(url: string): Promise<void>
  evaluate(script: string): Promise<unknown>
  /** What follows is about this frame; null: about the page. */
  enter(frame: string | null): Promise<void>
  click(selector: string): Promise<void>
  press(keys: readonly string[]): Promise<void>
  newWindow(): Promise<void>
  closeOthers(): Promise<void>
  end(): Promise<void>
}

const elementKey = 'element-6066-11e4-a52e-4f735466cecf'

export async function openWebDriver(url: string, capabilities: object): Promise<WebDriver> {
  const made = await ask(`${url}/session`, 'POST', { capabilities: { alwaysMatch: capabilities } })
  const { sessionId, capabilities: known } = made as {
    sessionId: string
    capabilities: Record<string, unknown>
  } // by the standard
  const base = `${url}/session/${sessionId}`
  const post = (path: string, body: object = {}) => ask(`${base}/${path}`, 'POST', body)
  const find = (selector: string) => post('element', { using: 'css selector', value: selector })
  return {
    capabilities: known,
    goTo: async (to) => void (await post('url', { url: to })),
    evaluate: (script) => post('execute/sync', { script: `return (${script})`, args: [] }),
    enter: async (frame) => void (await post('frame', { id: frame === null ? null : await find(frame) })),
    async click(selector) {
      const element = (await find(selector)) as Record<string, string> // by the standard
      await post(`element/${element[elementKey]}/click`)
    },
    async press(keys) {
      const actions = [
        ...keys.map((value) => ({ type: 'keyDown', value })),
        ...keys.toReversed().map((value) => ({ type: 'keyUp', value })),
      ]
      await post('actions', { actions: [{ type: 'key', id: 'keyboard', actions }] })
    },
    async newWindow() {
      const { handle } = (await post('window/new', { type: 'window' })) as { handle: string } // by the standard
      await post('window', { handle })
    },
    async closeOthers() {
      const own = await ask(`${base}/window`, 'GET')
      const all = (await ask(`${base}/window/handles`, 'GET')) as string[] // by the standard
      for (const handle of all.filter((each) => each !== own)) {
        await post('window', { handle })
        await ask(`${base}/window`, 'DELETE')
      }
      await post('window', { handle: own })
    },
    end: async () => void (await ask(base, 'DELETE')),
  }
}

async function ask(url: string, method: 'GET' | 'POST' | 'DELETE', body?: object): Promise<unknown> {
  const answer = await fetch(url, {
    method,
    headers: { 'content-type': 'application/json' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
  const { value } = (await answer.json()) as { value: unknown } // by the standard
  if (answer.ok) return value
  const { error, message } = value as { error: string; message: string } // by the standard
  throw new Error(`${error}: ${message}`)
}

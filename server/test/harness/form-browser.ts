type Page = { status: number; headers: Headers; text: string }

/** A browser without JavaScript: it keeps its cookies, and sends the form that it was shown. */
export function openFormBrowser(url: string) {
  let cookie: string | null = null
  async function visit(
    path: string,
    form?: Record<string, string>,
    headers: Record<string, string> = {},
  ): Promise<Page> {
    const response = await fetch(`${url}${path}`, {
      method: form ? 'POST' : 'GET',
      redirect: 'manual',
      headers: {
        ...(cookie ? { cookie } : {}),
        ...(form ? { origin: 'null', 'sec-fetch-site': 'same-origin' } : {}),
        ...headers,
      },
      ...(form ? { body: new URLSearchParams(form) } : {}),
    })
    const [set] = response.headers.getSetCookie()
    if (set) cookie = set.split(';')[0] ?? null
    return { status: response.status, headers: response.headers, text: await response.text() }
  }
  return {
    visit,
    /** Presses the button of the link's page and goes where it leads. */
    async begin(link: string): Promise<Page> {
      const sent = await visit(link, {})
      if (sent.status !== 303) return sent
      return visit(new URL(sent.headers.get('location') ?? '', `http://x${link}`).pathname)
    },
    async send(form: Page, values: Record<string, string>): Promise<Page> {
      return visit('/onboarding/session', { ...fieldsOf(form.text), ...values })
    },
  }
}

/** The fields of a form with what they hold, as a browser would send them. */
export function fieldsOf(text: string): Record<string, string> {
  const inputs = [...text.matchAll(/<input [^>]*name="([^"]*)"[^>]*value="([^"]*)"/g)]
  const selects = [...text.matchAll(/<select [^>]*name="([^"]*)"[^>]*>(.*?)<\/select>/gs)]
  return Object.fromEntries([
    ...inputs.map(([, name = '', value = '']) => [name, textOf(value)]),
    ...selects.map(([, name = '', options = '']) => [
      name,
      /value="([A-Z]*)" selected/.exec(options)?.[1] ?? '',
    ]),
  ])
}

/** The text that a browser shows for this markup. */
export function textOf(markup: string): string {
  return markup.replaceAll(/&#(\d+);/g, (_, code) => String.fromCharCode(Number(code)))
}

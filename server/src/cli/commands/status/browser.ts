import { createBrowserPort } from '../../../channels/browser/browser-port.ts'
import type { BrowserHealth } from '../../../channels/browser/shopping-wire.ts'
import type { Config } from '../../../platform/config/config.ts'
import { styled } from '../../terminal.ts'
import type { Section } from './section.ts'

/** Whether the browser process answers, and which modes it serves. Null, and no line, where this service has none. */
export function browserSection({ browser: { doors } }: Pick<Config, 'browser'>): Section {
  return async () => {
    if (doors === null) return { json: { browser: null }, lines: [] }
    const health = await createBrowserPort(doors).health()
    if (health === null) {
      const words = `Browser: it does not answer in ${doors}, or this user may not ask it. Nothing can be bought by way of pages.`
      return { json: { browser: { answers: false } }, lines: [styled('red', words)] }
    }
    const { chromium, sandbox, remedy, serves, running, visits, kept, waiting, payment_hosts } = health
    const modes = serves.length === 0 ? 'no mode' : serves.join(' and ')
    const line = `Browser: ${chromium ?? 'no Chromium'}, ${sandbox === 'on' ? 'sandboxed' : 'NOT sandboxed'}, for ${modes}; ${visits} visits, ${waiting} waiting.`
    return {
      json: {
        browser: {
          answers: true,
          chromium,
          sandbox,
          remedy,
          serves,
          running,
          visits,
          kept,
          waiting,
          payment_hosts,
        },
      },
      lines: [remedy === null ? line : styled('red', `${line} ${remedy}.`), ...addedWords(payment_hosts)],
    }
  }
}

/** Only what an operator has added: the others come with the program. */
function addedWords({ known, added }: BrowserHealth['payment_hosts']): string[] {
  if (added.length === 0) return []
  const hosts = added.map(({ host, roles }) => `${host} (${roles.join(', ')})`).join(', ')
  return [`Cards are typed at shops and at ${known} hosts of payment. Added here: ${hosts}.`]
}

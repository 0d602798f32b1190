import type { Page } from 'puppeteer-core'
import type { Visit } from '../../../src/browser/shopper/visit.ts'
import type { FormDocument } from './document.ts'

/** A page of Puppeteer as far as forms are read and filled in, around a document in memory. */
function pageOf(document: FormDocument): Page {
  let active: { ref: number; isFresh: boolean } | null = null
  const listeners = new Map<string, ((event: object) => void)[]>()
  /** Who waits for the network goes on: nothing is loaded here. */
  const nothingLoads = () => {
    for (const listen of listeners.get('Network.loadingFinished') ?? []) listen({ requestId: 'none' })
  }
  const leave = () => {
    if (active !== null) document.leave(active.ref)
    active = null
  }
  const elementOf = (ref: number) => ({
    focus: async () => {
      if (active?.ref !== ref) leave()
      active = { ref, isFresh: false }
    },
    // The only script that is run on a field takes all of it to be replaced.
    evaluate: async () => {
      active = { ref, isFresh: true }
    },
    select: async (value: string) => {
      leave()
      document.choose(ref, value)
    },
  })
  const world = {
    evaluate: async (script: string) => {
      const [, call = '', args = ''] = /inPage\.(\w+)\((.*)\)$/su.exec(script) ?? []
      if (call === 'quiet') setImmediate(nothingLoads)
      return document.answer(call, JSON.parse(`[${args}]`))
    },
    evaluateHandle: async (script: string) => {
      const ref = Number(/element\((\d+)\)/u.exec(script)?.[1])
      return { asElement: () => (document.field(ref) === undefined ? null : elementOf(ref)) }
    },
  }
  const frame = {
    isolatedRealm: () => world,
    parentFrame: () => null,
    url: () => document.url,
    detached: false,
  }
  const page = {
    mainFrame: () => frame,
    frames: () => [frame],
    url: () => document.url,
    on: () => page,
    mouse: {
      click: async (_: number, ref: number) => {
        leave()
        document.press(ref)
      },
    },
    keyboard: {
      type: async (text: string) => {
        if (active === null) return
        document.type(active.ref, text, active.isFresh)
        active.isFresh = false
      },
      press: async (key: string) => {
        if (key === 'Tab') leave()
      },
    },
    createCDPSession: async () => ({
      send: async () => ({ frameTree: { frame: { id: 'main' } } }),
      on: (name: string, listen: (event: object) => void) =>
        listeners.set(name, [...(listeners.get(name) ?? []), listen]),
    }),
  }
  return page as unknown as Page // what else a page has is never asked for here
}

/** A visit that nothing guards: there is nowhere to go. */
export function visitOf(document: FormDocument): Visit {
  return {
    page: pageOf(document),
    signal: new AbortController().signal,
    at: async () => undefined,
    evidence: async () => undefined,
    mayTakeCard: () => true,
    mayTakePassword: () => false,
    keepOutOfAddresses: () => undefined,
    closeHosts: () => undefined,
    refusals: () => [],
  }
}

import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Frame, JSHandle } from 'puppeteer-core'
import type { Control, PageSnapshot } from '../reading/page-snapshot.ts'
import { spokenOn } from '../reading/spoken-on.ts'

/** A world of scripts in a document: it shares the elements with the page, and nothing else. */
type World = {
  evaluate(script: string): Promise<unknown>
  evaluateHandle(script: string): Promise<JSHandle>
}

/** In the order in which they need each other: what they import and export is taken away, and they share one closure. */
const parts = ['seen-elements.js', 'describe-elements.js', 'page-of-world.js', 'values-of-world.js']

const source = `(() => {\n${parts.map(readPart).join('\n')}\n})()`

function readPart(name: string): string {
  const text = readFileSync(join(import.meta.dirname, 'in-page', name), 'utf8')
  return text.replaceAll(/^import [^']*'[^']*'$/gm, '').replaceAll(/^export /gm, '')
}

/** Whether something lies over an element, and where its middle is in the window of its frame. */
type Cover =
  | { readonly state: 'gone' | 'hidden' }
  | { readonly state: 'free' | 'covered'; readonly x: number; readonly y: number }

type Pressed = 'pressed' | 'gone' | 'disabled' | 'differs'

export async function takeSnapshot(frame: Frame): Promise<PageSnapshot> {
  return inItsLanguage(await call<PageSnapshot>(frame, 'snapshot()'))
}

function inItsLanguage(page: PageSnapshot): PageSnapshot {
  return { ...page, language: spokenOn(page) }
}

export function coverOf(frame: Frame, ref: number): Promise<Cover> {
  return call<Cover>(frame, `coverOf(${ref})`)
}

/** Resolves when nothing has changed in the document for so long, or when it changes for too long. */
export function quietOf(frame: Frame, { quietMs, maxMs }: { quietMs: number; maxMs: number }) {
  return call<DocumentReadyState>(frame, `quiet(${quietMs}, ${maxMs})`)
}

type DocumentReadyState = 'loading' | 'interactive' | 'complete'

/** A page, and what a buyer would agree to on it, of the same moment. */
export async function agreeableOf(frame: Frame): Promise<{ page: PageSnapshot; agreement: string }> {
  const { page, agreement } = await call<{ page: PageSnapshot; agreement: string }>(frame, 'agreeable()')
  return { page: inItsLanguage(page), agreement }
}

export function pressIfAgreed(frame: Frame, ref: number, agreement: string): Promise<Pressed> {
  return call<Pressed>(frame, `pressIfAgreed(${ref}, ${JSON.stringify(agreement)})`)
}

/** No field has the focus any more. */
export function leaveFields(frame: Frame): Promise<void> {
  return call(frame, 'leaveFields()')
}

/** Buttons that are written as a plus. */
export function plusRefs(frame: Frame): Promise<readonly number[]> {
  return call(frame, 'plusRefs()')
}

/** What a drawn list offers while it is open. Each option's value is the number of what is pressed. */
export function optionsOf(frame: Frame, ref: number): Promise<Control['options']> {
  return call(frame, `optionsOf(${ref})`)
}

/** What stands in the fields of a document, by their numbers in its last snapshot. */
export type Standing = { readonly document: string; readonly values: ReadonlyMap<number, string> }

/** Never asked for once a card has been typed. */
export async function standingIn(frame: Frame): Promise<Standing> {
  const { document, values } = await call<{ document: string; values: [number, string][] }>(
    frame,
    'standing()',
  )
  return { document, values: new Map(values) }
}

/** How many characters stand in each of these fields: of a card nothing else is read. */
export function lengthsIn(frame: Frame, refs: readonly number[]): Promise<readonly number[]> {
  return call(frame, `lengths(${JSON.stringify(refs)})`)
}

/** Remembers, in the page, what stands in its fields, and what is written at them. */
export function keepStanding(frame: Frame): Promise<void> {
  return call(frame, 'keep()')
}

/** Which fields hold something else than what was remembered, or are called otherwise, but for these. No value leaves the page. */
export function changedIn(frame: Frame, but: readonly number[]): Promise<readonly number[]> {
  return call(frame, `changed(${JSON.stringify(but)})`)
}

/** The element behind a number of the last snapshot; null where it is gone. */
export async function elementOf(frame: Frame, ref: number) {
  await call(frame, 'element(0)')
  const handle = await worldOf(frame).evaluateHandle(`inPage.element(${ref})`)
  return handle.asElement()
}

async function call<T>(frame: Frame, what: string): Promise<T> {
  const world = worldOf(frame)
  const script = `globalThis.inPage === undefined ? 'no script' : inPage.${what}`
  const answer = await world.evaluate(script)
  if (answer !== 'no script') return answer as T // what the script in the page answers to this call
  await world.evaluate(source)
  return (await world.evaluate(script)) as T // the same
}

function worldOf(frame: Frame): World {
  // Puppeteer keeps its isolated world out of its types; the version is pinned.
  return (frame as Frame & { isolatedRealm(): World }).isolatedRealm()
}

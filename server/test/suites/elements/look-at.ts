import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Frame, Page } from 'puppeteer-core'

const axe = readFileSync(join(import.meta.dirname, '../../../../node_modules/axe-core/axe.min.js'), 'utf8')

/** What is wrong with a document and the frame in it, by the rules of axe with those of touch. `seen`: of how many rules something in the innermost document passed. */
export async function faultsByRule(page: Page, inside: Frame): Promise<{ faults: string[]; seen: number }> {
  // The page's axe asks the frame's, which would answer no page of another origin.
  for (const place of new Set([page.mainFrame(), inside]))
    await place.evaluate(
      `if (!window.axe) { ${axe} }; axe.configure({ allowedOrigins: ['<unsafe_all_origins>'] })`,
    )
  const deep = inside === page.mainFrame() ? 0 : 1
  return (await page.evaluate(`axe.run({ rules: { 'target-size': { enabled: true } } }).then(({ violations, passes }) => ({
    faults: violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => id + ': ' + html.slice(0, 200))),
    seen: passes.filter(({ nodes }) => nodes.some(({ target }) => target.length > ${deep})).length }))`)) as {
    faults: string[]
    seen: number
  }
}

/** What is cut, hidden below something else, wider than its document, or too small for a finger. */
export async function faultsByMeasure(place: Frame): Promise<string[]> {
  return (await place.evaluate(measure)) as string[]
}

/** Text that a person reads or hears. What stands in the language of developers is left out, and what is no word. */
export async function textsOf(place: Frame): Promise<string[]> {
  return (await place.evaluate(readTexts)) as string[]
}

const measure = `(() => {
  const heard = [...document.querySelectorAll('.heard')]
  for (const each of heard) each.style.setProperty('display', 'none')
  const faults = []
  const say = (what, each) => faults.push(what + ': ' + each.outerHTML.slice(0, 200))
  const root = document.documentElement
  if (root.scrollWidth > innerWidth) say('wider than its document (' + root.scrollWidth + ' > ' + innerWidth + ')', document.body)
  if (getComputedStyle(root).overflow === 'hidden' && root.scrollHeight > innerHeight + 1)
    say('higher than its frame (' + root.scrollHeight + ' > ' + innerHeight + ')', document.body)
  for (const each of document.querySelectorAll('body *')) {
    const style = getComputedStyle(each)
    if (style.display === 'none' || style.display === 'inline') continue
    // A browser scrolls what is typed; what stands there before has to fit.
    const isTyped = each.matches('input') && each.value !== ''
    if (!isTyped && each.clientWidth > 0 && each.scrollWidth > each.clientWidth + 1) say('cut at its side', each)
    if (style.overflowY !== 'visible' && each.scrollHeight > each.clientHeight + 1 && !each.matches('input, html, body'))
      say('cut below', each)
  }
  // What covers what is typed.
  for (const each of document.querySelectorAll('input:not([type])')) {
    const cover = each.parentElement.querySelector('.brand')
    if (cover === null || getComputedStyle(cover).display === 'none') continue
    const canvas = document.createElement('canvas').getContext('2d')
    canvas.font = getComputedStyle(each).font
    const { left } = each.getBoundingClientRect()
    const end = left + parseFloat(getComputedStyle(each).paddingLeft) + canvas.measureText(each.value).width
    if (document.dir !== 'rtl' && end > cover.getBoundingClientRect().left + 1) say('covers what is typed', cover)
  }
  const boxOf = (each) => [each, ...(each.labels ?? [])].map((one) => one.getBoundingClientRect())
  for (const each of document.querySelectorAll('button, input, summary, a[href]')) {
    // A link in a sentence is as high as its line.
    if (each.matches('p a') || each.getBoundingClientRect().width === 0) continue
    const boxes = each.matches('[type=radio], [type=checkbox]') ? boxOf(each) : [each.getBoundingClientRect()]
    const height = Math.max(...boxes.map((box) => box.bottom)) - Math.min(...boxes.map((box) => box.top))
    const width = Math.max(...boxes.map((box) => box.right)) - Math.min(...boxes.map((box) => box.left))
    if (height < 23.9 || width < 23.9) say('smaller than a finger (' + width + ' × ' + height + ')', each)
  }
  for (const each of heard) each.style.removeProperty('display')
  return faults
})()`

const readTexts = `(() => {
  const found = new Set([document.title])
  const isForDevelopers = (each) => each.closest('script, style, noscript') || (each.closest('[lang]') !== document.documentElement && each.closest('[lang]') !== null)
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
  const parts = new Map()
  while (walker.nextNode()) {
    const { parentElement: parent, data } = walker.currentNode
    if (!isForDevelopers(parent)) parts.set(parent, (parts.get(parent) ?? '') + data)
  }
  for (const text of parts.values()) found.add(text.trim())
  for (const each of document.querySelectorAll('[aria-label], [placeholder], [title], [alt]')) {
    if (isForDevelopers(each)) continue
    for (const name of ['aria-label', 'placeholder', 'title', 'alt']) found.add((each.getAttribute(name) ?? '').trim())
  }
  return [...found].filter((text) => /\\p{L}{2}/u.test(text))
})()`

import type { CDPSession, Protocol } from 'puppeteer-core'
import { maskScript, sizeScript } from './mask-script.ts'

/** A picture may have this many bytes. */
const pictureBytesMax = 1_048_576
/** A page that changes while its picture is taken may show what was not masked, so it is taken again. */
const triesMax = 5
/** Each next one is tried where a picture is too large. The last is small enough whatever it shows. */
const scales = [1, 0.6, 0.35, 0.2]
const largest = { width: 1_280, height: 1_600 }

/** What the window shows, with inputs, frames of others and long numbers masked; null: the page never stood still. */
export async function takeMaskedPicture(session: CDPSession): Promise<Buffer | null> {
  for (let tries = 0; tries < triesMax; tries++) {
    const masks: string[] = []
    let picture: Buffer | null = null
    let shown = 1
    try {
      if (await maskAll(session, masks)) picture = await capture(session)
    } finally {
      shown = await unmaskAll(session, masks)
    }
    if (picture !== null && shown === 0) return picture
  }
  return null
}

/** Masks each document, and adds the function that takes its mask off again; false: a document went away meanwhile, and another came. */
async function maskAll(session: CDPSession, masks: string[]): Promise<boolean> {
  const { frameTree } = await session.send('Page.getFrameTree')
  const frames = framesOf(frameTree)
  const worlds = await worldsOf(session, frames)
  await assertSmall(session, [...worlds.values()])
  const closed = await closedRoots(session)
  for (const frameId of frames) {
    try {
      const world = worlds.get(frameId)
      if (world === undefined) throw new Error('its document has gone')
      masks.push(await maskDocument(session, world, closed))
    } catch (error) {
      if (frameId === frameTree.frame.id) throw error
      return false
    }
  }
  return true
}

/** A world of ours in each document; none for one that has gone, or is of another process. */
async function worldsOf(
  session: CDPSession,
  frames: readonly string[],
): Promise<ReadonlyMap<string, number>> {
  const worlds = new Map<string, number>()
  for (const frameId of frames.slice(0, framesMax)) {
    const world = await session
      .send('Page.createIsolatedWorld', { frameId, worldName: 'prokura' })
      .catch(() => null)
    if (world !== null) worlds.set(frameId, world.executionContextId)
  }
  return worlds
}

const framesMax = 100
/** What the documents of a page are told to us with must stay far below what a message may be. */
const sizeMax = 4_000_000

/** Throws where the page is too large to be masked. Each document counts no further than that. */
async function assertSmall(session: CDPSession, worlds: readonly number[]): Promise<void> {
  let size = 0
  for (const executionContextId of worlds) {
    const counted = await session.send('Runtime.callFunctionOn', {
      functionDeclaration: sizeScript,
      executionContextId,
      arguments: [{ value: sizeMax }],
      returnByValue: true,
    })
    size += typeof counted.result.value === 'number' ? counted.result.value : sizeMax
    if (size > sizeMax) throw new Error('the page is too large for a picture')
  }
}

async function maskDocument(
  session: CDPSession,
  executionContextId: number,
  closed: readonly ClosedRoot[],
): Promise<string> {
  const roots: Protocol.Runtime.CallArgument[] = []
  for (const backendNodeId of closed) {
    const found = await session
      .send('DOM.resolveNode', { backendNodeId, executionContextId })
      .catch(() => null)
    if (found?.object.objectId !== undefined) roots.push({ objectId: found.object.objectId })
  }
  const { result, exceptionDetails } = await session.send('Runtime.callFunctionOn', {
    functionDeclaration: maskScript,
    executionContextId,
    arguments: roots,
  })
  if (result.objectId === undefined)
    throw new Error(
      `a document could not be masked: ${exceptionDetails?.exception?.description ?? 'no reason'}`,
    )
  return result.objectId
}

async function unmaskAll(session: CDPSession, masks: readonly string[]): Promise<number> {
  let shown = 0
  for (const objectId of masks) {
    const answer = await session
      .send('Runtime.callFunctionOn', {
        functionDeclaration: 'function () { return this() }',
        objectId,
        returnByValue: true,
      })
      .catch(() => null)
    // The document has gone, and another one may have been in the picture.
    shown += typeof answer?.result.value === 'number' ? answer.result.value : 1
  }
  return shown
}

type ClosedRoot = Protocol.DOM.BackendNodeId

async function closedRoots(session: CDPSession): Promise<ClosedRoot[]> {
  const { root } = await session.send('DOM.getDocument', { depth: -1, pierce: true })
  // Otherwise all that the page changes from here on is told, too.
  await session.send('DOM.disable')
  const found: ClosedRoot[] = []
  const waiting: Protocol.DOM.Node[] = [root]
  for (let node = waiting.pop(); node !== undefined; node = waiting.pop()) {
    if (node.shadowRootType === 'closed') found.push(node.backendNodeId)
    waiting.push(...(node.children ?? []), ...(node.shadowRoots ?? []))
    if (node.contentDocument !== undefined) waiting.push(node.contentDocument)
  }
  return found
}

function framesOf({ frame, childFrames = [] }: Protocol.Page.FrameTree): string[] {
  return [frame.id, ...childFrames.flatMap(framesOf)]
}

async function capture(session: CDPSession): Promise<Buffer | null> {
  const { cssVisualViewport: seen } = await session.send('Page.getLayoutMetrics')
  const { pageX: x, pageY: y } = seen
  const width = Math.min(seen.clientWidth, largest.width)
  const height = Math.min(seen.clientHeight, largest.height)
  for (const scale of scales) {
    const { data } = await session.send('Page.captureScreenshot', {
      format: 'png',
      clip: { x, y, width, height, scale },
    })
    const picture = Buffer.from(data, 'base64')
    if (picture.length <= pictureBytesMax) return picture
  }
  return null
}

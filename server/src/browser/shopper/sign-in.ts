import type { ShopPrice, ShopSignIn } from '../../channels/browser/shopping-words.ts'
import type { TicketSecret } from '../../platform/vault-client/vault-words.ts'
import { rankActions } from '../reading/action-of.ts'
import { kindOf } from '../reading/page-kind.ts'
import type { Control, PageSnapshot } from '../reading/page-snapshot.ts'
import { pressThrough } from './clear-way.ts'
import { newLines } from './new-lines.ts'
import { refused, type ShopTask } from './shop-task.ts'
import { type SignInForm, signInFormOf } from './sign-in-form.ts'
import type { SignIn } from './visit.ts'

const codesMax = 5

/**
 * Signs in where a page bars the way, with what a person has sealed for it. Null: the way is free. A ticket is good for one try, so a
 * second wall is told as it is.
 */
export async function signIn(
  task: ShopTask,
  page: PageSnapshot,
  wall: ShopSignIn,
): Promise<ShopPrice | null> {
  const given = task.signIn
  if (given === null) return wall
  const at = await openForm(task, page)
  const origin = mayType(task, at)
  if (origin === null) return wall
  const form = signInFormOf(at)
  // A code that we have not caused is nobody's to type.
  if (form.code !== null) return wall
  const secret = await given.secret(origin)
  if (secret?.password == null) return wall
  // A customer who is known may have a card there that one press charges: from here on the rules are alone.
  task.help = null
  const { visit } = task.tab
  const refusals = visit.refusals().length
  const after = await typePassword(task, at, { origin, secret })
  if (
    visit
      .refusals()
      .slice(refusals)
      .some((one) => one.startsWith('navigation'))
  )
    return refused('merchant_unsupported', 'Its sign-in would send the password to where it may not go.')
  return after === null ? wall : judge(task, { before: at, after, wall, given, secret })
}

/** A page that only says so has a link to where one does. */
async function openForm(task: ShopTask, page: PageSnapshot): Promise<PageSnapshot> {
  const { username, password, code } = signInFormOf(page)
  if (password !== null || code !== null || username !== null) return page
  const [link] = rankActions(page, 'sign_in')
  if (link === undefined || !(await pressThrough(task, link.ref))) return page
  return task.tab.read()
}

/** The origin that is typed into; null: nothing may be typed there, or its form would send it elsewhere. */
function mayType({ tab }: ShopTask, page: PageSnapshot): string | null {
  const { button, username, password, code } = signInFormOf(page)
  if (username === null && password === null && code === null) return null
  const origin = new URL(page.url).origin
  const target = button === null || button.formAction === '' ? origin : URL.parse(button.formAction)?.origin
  if (target !== origin || new URL(tab.page.url()).origin !== origin) return null
  return tab.visit.mayTakePassword(origin) ? origin : null
}

/** The page after it; null: it never asked for the password. */
async function typePassword(
  task: ShopTask,
  page: PageSnapshot,
  { origin, secret }: { origin: string; secret: TicketSecret },
): Promise<PageSnapshot | null> {
  const { tab } = task
  let at = page
  let form = signInFormOf(at)
  if (form.username !== null && secret.username !== null) await tab.type(form.username.ref, secret.username)
  if (form.password === null) {
    // The name first, and the password on a page of its own.
    await send(task, form, form.username)
    at = await tab.read()
    form = signInFormOf(at)
  }
  if (form.password === null || secret.password === null || mayType(task, at) !== origin) return null
  tab.visit.keepOutOfAddresses(secret.password)
  await tab.type(form.password.ref, secret.password)
  await send(task, form, form.password)
  return tab.read()
}

async function send(task: ShopTask, { button }: SignInForm, field: Control | null): Promise<void> {
  const { tab } = task
  if (button !== null && (await pressThrough(task, button.ref))) return
  if (field === null) return
  await tab.page.keyboard.press('Enter')
  await tab.settled()
}

type Tried = {
  readonly before: PageSnapshot
  readonly after: PageSnapshot
  readonly wall: ShopSignIn
  readonly given: SignIn
  readonly secret: TicketSecret
}

/** What the shop has answered to the name and the password. */
async function judge(task: ShopTask, tried: Tried): Promise<ShopPrice | null> {
  const { before, after, wall } = tried
  if (kindOf(after).kind === 'captcha') return refused('captcha_blocked')
  const { password, code } = signInFormOf(after)
  if (code !== null) return typeCodes(task, tried)
  if (password === null || kindOf(after).kind !== 'sign_in') return null
  return { ...wall, isRefused: true, message: saidOf(before, after, tried.secret) }
}

/** The shop has sent a code: the page stays open until somebody passes it on. */
async function typeCodes(
  task: ShopTask,
  { wall, given, secret, ...tried }: Tried,
): Promise<ShopPrice | null> {
  const { tab } = task
  let { after } = tried
  let refusal: { isRefused: boolean; message: string | null } = { isRefused: false, message: null }
  for (let count = 0; count < codesMax; count++) {
    const origin = mayType(task, after)
    if (origin === null) return wall
    const code = await given.code(origin, refusal)
    if (code === null) return wall
    const before = await tab.read()
    const form = signInFormOf(before)
    if (form.code === null || mayType(task, before) !== origin) return wall
    await tab.type(form.code.ref, code)
    await send(task, form, form.code)
    after = await tab.read()
    const now = signInFormOf(after)
    // It begins anew: the code has expired, or was wrong too often.
    if (now.password !== null && kindOf(after).kind === 'sign_in')
      return { ...wall, isRefused: true, message: saidOf(before, after, { ...secret, code }) }
    if (now.code === null) return null
    refusal = { isRefused: true, message: saidOf(before, after, { ...secret, code }) }
  }
  return { ...wall, ...refusal }
}

/** The shop's own words about it, unless it repeats what was typed. */
function saidOf(before: PageSnapshot, after: PageSnapshot, secret: TicketSecret): string | null {
  const [line] = newLines(before, after)
  const typed = [secret.username, secret.password, secret.code]
  return line === undefined || typed.some((part) => part !== null && line.includes(part)) ? null : line
}

import type { ActingContext, Reads, Tenant } from '../../../contract/context.ts'
import type { HostedPage, HostedReply, HostedRequest } from '../../../contract/hosted-page.ts'
import { Problem, ValidationProblem } from '../../../contract/problem.ts'
import { next } from '../../../core/state-table.ts'
import { type ActingParts, runAs } from '../../../platform/calls/run-as.ts'
import { redirectTo } from '../../../platform/pages/layout.ts'
import { newToken } from '../../../platform/secrets/keyed-hash.ts'
import { compileSchema } from '../../../schema/validation.ts'
import type { ValidationIssue } from '../../../schema/value-faults.ts'
import { DateOfBirth, isoDateOfBirth, ProfileCreate, readProfile } from '../profiles/public.ts'
import { completeLink, type Session } from './complete-link.ts'
import { type Faults, faultsOf, typedProfile, valuesOf, valuesOfProfile } from './form-fields.ts'
import { cookieOf, formTokenOf, isFormToken, isFromElsewhere, sessionCookieOf } from './form-guard.ts'
import { formPage } from './form-page.ts'
import { formMinutes, type LinkRow, statusAt } from './link.ts'
import { type FoundLink, lockLink, openSessionDoor, openTokenDoor } from './links.sql.ts'
import { linkTable } from './machine.ts'
import {
  brokenPage,
  donePage,
  gonePage,
  profileGonePage,
  sessionOverPage,
  strangeFormPage,
  unknownPage,
  welcomePage,
} from './messages.ts'
import { writeLink } from './write-link.ts'

/** What the pages need: no key calls them. */
type OnboardingParts = ActingParts & { readonly hashToken: (token: string) => Buffer }

/**
 * The pages behind an onboarding link. Looking at the link changes nothing, since mail and chat programs look at links before people do.
 * The button exchanges its token, once, for a short session that leads to the form.
 */
export function onboardingPages(parts: OnboardingParts): HostedPage[] {
  const page = (
    method: HostedPage['method'],
    path: HostedPage['path'],
    handle: (parts: OnboardingParts, request: HostedRequest) => Promise<HostedReply>,
  ): HostedPage => ({ method, path, handle: (request) => handle(parts, request), broken: brokenPage })
  return [
    page('GET', '/onboarding/{token}', showLink),
    page('POST', '/onboarding/{token}', exchangeToken),
    page('GET', '/onboarding/session', showForm),
    page('POST', '/onboarding/session', takeForm),
    page('GET', '/onboarding/done', async () => donePage()),
  ]
}

async function showLink(parts: OnboardingParts, request: HostedRequest): Promise<HostedReply> {
  const link = await linkOfToken(parts, request)
  if (!link) return unknownPage()
  const status = statusAt(link, await parts.clock.now())
  return status === 'pending' ? welcomePage(link) : used(parts, request, link)
}

async function exchangeToken(parts: OnboardingParts, request: HostedRequest): Promise<HostedReply> {
  // guard link-opened-by-our-own-page: no other page makes a browser use up a link
  if (isFromElsewhere(request, parts.settings.publicUrl)) return strangeFormPage()
  const link = await linkOfToken(parts, request)
  if (!link) return unknownPage()
  const session = newToken('onbs_', parts.random)
  const opened = await runAs(parts, actingFor(link, request), async (ctx) => {
    const row = await lockAgain(ctx, link)
    // guard link-opens-once: a link is exchanged once, by the first browser
    const status = next(linkTable, statusAt(row, ctx.now), 'open')
    if (status === null) return row
    const until = new Date(ctx.now.getTime() + formMinutes * 60_000)
    const session_hash = parts.hashToken(session)
    const changes = { status, session_hash, session_expires_at: until, due_at: until }
    writeLink(ctx, row, { ...changes, opened_at: ctx.now }, 'onboarding_link.opened')
    return null
  })
  if (opened) return await used(parts, request, { ...link, ...opened })
  return redirectTo('session', cookieOf(parts.settings.publicUrl, session, formMinutes * 60))
}

/** A link that is used up still leads the person who used it, in the same browser, to the form. */
async function used(
  parts: OnboardingParts,
  { cookies }: HostedRequest,
  link: FoundLink,
): Promise<HostedReply> {
  const status = statusAt(link, await parts.clock.now())
  const session = cookies.get(sessionCookieOf(parts.settings.publicUrl))
  const isOwn = session !== undefined && link.session_hash?.equals(parts.hashToken(session))
  if (status === 'opened' && isOwn) return redirectTo('session', {})
  return status === 'pending' ? welcomePage(link) : gonePage(status)
}

async function showForm(parts: OnboardingParts, request: HostedRequest): Promise<HostedReply> {
  const found = await linkOfSession(parts, request)
  if (!found.isOpen) return found.over
  const { link, formToken } = found
  const profile = await currentProfile(parts, link)
  if (profile === 'gone') return profileGonePage()
  return formPage({
    link,
    values: valuesOfProfile(profile),
    faults: new Map(),
    formToken,
    hasDob: profile?.dob_sealed != null,
  })
}

const profileCheck = compileSchema(ProfileCreate, 'body')
const dobCheck = compileSchema(DateOfBirth, 'body')

/** Everything that is wrong at once: otherwise the date would be checked only when all else is right. */
function issuesOf(typed: Record<string, unknown>, now: Date): ValidationIssue[] {
  const issues = profileCheck.errors(typed)
  if (!dobCheck.check(typed.dob)) return issues
  try {
    isoDateOfBirth(typed.dob, now)
    return issues
  } catch (error) {
    if (!(error instanceof ValidationProblem)) throw error
    return [...issues, ...error.issues]
  }
}

async function takeForm(parts: OnboardingParts, request: HostedRequest): Promise<HostedReply> {
  const found = await linkOfSession(parts, request)
  if (!found.isOpen) return found.over
  const { link, hash, formToken } = found
  const isOurs = isFormToken(request.form.get('form_token'), formToken)
  // guard form-of-our-own-page: no other page makes a browser send the form of its session
  if (!isOurs || isFromElsewhere(request, parts.settings.publicUrl)) return strangeFormPage()
  const values = valuesOf(request.form)
  const typed = typedProfile(values)
  const issues = issuesOf(typed, await parts.clock.now())
  if (issues.length > 0 || !profileCheck.check(typed)) return await again(faultsOf(issues))
  const session: Session = { link, hash }
  try {
    const isTaken = await runAs(parts, actingFor(link, request), (ctx) => completeLink(ctx, session, typed))
    if (!isTaken) {
      const now = await linkOfSession(parts, request)
      return now.isOpen ? sessionOverPage() : now.over
    }
  } catch (error) {
    if (error instanceof ValidationProblem) return await again(faultsOf(error.issues))
    if (error instanceof Problem && (error.code === 'profile_archived' || error.code === 'not_found'))
      return profileGonePage()
    throw error
  }
  return redirectTo('done', cookieOf(parts.settings.publicUrl, '', 0))

  async function again(faults: Faults): Promise<HostedReply> {
    const profile = await currentProfile(parts, link)
    if (profile === 'gone') return profileGonePage()
    return formPage({ link, values, faults, formToken, hasDob: profile?.dob_sealed != null })
  }
}

async function linkOfToken(parts: OnboardingParts, { path }: HostedRequest): Promise<FoundLink | null> {
  const [link] = await parts.pools.door(openTokenDoor({ hash: parts.hashToken(path.token ?? '') }))
  return link ?? null
}

type FoundSession =
  | { readonly isOpen: true; readonly link: FoundLink; readonly hash: Buffer; readonly formToken: string }
  | { readonly isOpen: false; readonly over: HostedReply }

async function linkOfSession(parts: OnboardingParts, { cookies }: HostedRequest): Promise<FoundSession> {
  const session = cookies.get(sessionCookieOf(parts.settings.publicUrl))
  if (session === undefined || session === '') return { isOpen: false, over: sessionOverPage() }
  const hash = parts.hashToken(session)
  const [link] = await parts.pools.door(openSessionDoor({ hash }))
  const status = link ? statusAt(link, await parts.clock.now()) : 'expired'
  if (!link || status !== 'opened') return { isOpen: false, over: overReply(status) }
  return { isOpen: true, link, hash, formToken: formTokenOf(parts.hashToken, session) }
}

/** The reply to a person who still had the form open. Of two clicks on its button the browser shows the answer to the second. */
function overReply(status: LinkRow['status']): HostedReply {
  if (status === 'completed') return redirectTo('done', {})
  return status === 'revoked' ? gonePage(status) : sessionOverPage()
}

/** The profile that the link changes; null where it makes one. */
async function currentProfile(parts: OnboardingParts, link: LinkRow) {
  if (link.use_case === 'account_onboarding') return null
  const { account_id, mode, profile_id } = link
  const reads: Pick<Reads, 'maybe'> = {
    maybe: async (statement) => (await parts.pools.read(statement))[0] ?? null,
  }
  const profile = await readProfile(reads, { accountId: account_id, mode }, profile_id)
  return profile && profile.status !== 'archived' ? profile : 'gone'
}

/** A person who fills in the form has no key: the link is recorded as the actor. */
function actingFor(link: LinkRow, { requestId }: HostedRequest) {
  const tenant: Tenant = { accountId: link.account_id, mode: link.mode }
  return { tenant, actor: { type: 'system', id: link.id } as const, requestId }
}

async function lockAgain(ctx: ActingContext, { id }: LinkRow): Promise<LinkRow> {
  const { accountId, mode } = ctx.tenant
  const row = await ctx.tx.maybe(lockLink({ account_id: accountId, mode, id }))
  if (!row) throw new Error('an onboarding link vanished')
  return row
}

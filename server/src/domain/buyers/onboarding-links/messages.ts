import type { HostedReply } from '../../../contract/hosted-page.ts'
import { type Html, html } from '../../../platform/pages/html.ts'
import { pageOf } from '../../../platform/pages/layout.ts'
import type { FoundLink } from './links.sql.ts'
import type { LinkStatus } from './machine.ts'

/** The first page of a link. Only its button uses the link up: programs that look at links to preview them press no buttons. */
export function welcomePage(link: FoundLink): HostedReply {
  const isUpdate = link.use_case === 'account_update'
  const title = isUpdate ? 'Update your details' : 'Enter your details'
  const body = html`<h1>${title}</h1>
<p><strong>${link.account_name}</strong> asks you to ${isUpdate ? 'check and update' : 'enter'} the details for purchases on your behalf: your name, your contact details and your address.</p>
<p>The form takes about two minutes. After you continue, you have 30 minutes. The link works only once.</p>
<form method="post">
<button type="submit">Continue</button>
</form>`
  return pageOf({ status: 200, title, isTest: link.mode === 'test', body })
}

export function donePage(): HostedReply {
  return message(200, 'Thank you', html`<p>Your details are saved. You can close this page.</p>`)
}

const gone: Readonly<Record<Exclude<LinkStatus, 'pending'>, { title: string; why: string }>> = {
  opened: {
    title: 'This link has already been used',
    why: 'A link can be opened only once. If the form is still open in another tab of this browser, continue there.',
  },
  completed: {
    title: 'This link has already been used',
    why: 'The form was sent, and your details are saved.',
  },
  expired: { title: 'This link has expired', why: 'Nobody used it in time.' },
  revoked: {
    title: 'This link was withdrawn',
    why: 'The sender has withdrawn it. Nothing was saved.',
  },
}

/** A link that opens nothing any more, in plain words. */
export function gonePage(status: Exclude<LinkStatus, 'pending'>): HostedReply {
  const { title, why } = gone[status]
  return message(
    410,
    title,
    html`<p>${why}</p>
<p>If you still need to enter or change your details, ask the sender of the link for a new one.</p>`,
  )
}

export function sessionOverPage(): HostedReply {
  return message(
    410,
    'This form is no longer open',
    html`<p>The form stays open for 30 minutes, and only in the browser in which the link was opened. Nothing was saved.</p>
<p>Ask the sender of the link for a new one.</p>`,
  )
}

export function unknownPage(): HostedReply {
  return message(
    404,
    'There is nothing here',
    html`<p>Check that you opened the complete link, as it was sent to you.</p>`,
  )
}

/** A form that was not sent from our own page. */
export function strangeFormPage(): HostedReply {
  return message(
    403,
    'The form was not sent from this page',
    html`<p>Nothing was saved. Open the link that was sent to you, and continue from there.</p>`,
  )
}

export function profileGonePage(): HostedReply {
  return message(
    410,
    'These details can no longer be changed',
    html`<p>The profile was closed in the meantime. Nothing was saved.</p>`,
  )
}

export function brokenPage(status: number): HostedReply {
  if (status === 429)
    return message(
      status,
      'Too many links were tried',
      html`<p>Wait a minute, then open the link as it was sent to you.</p>`,
    )
  if (status < 500) return message(400, 'The form could not be read', html`<p>Go back and send it again.</p>`)
  return message(
    status,
    'Something failed on our side',
    html`<p>Your details were saved completely or not at all. Wait a moment, then try again.</p>`,
  )
}

function message(status: number, title: string, text: Html): HostedReply {
  return pageOf({
    status,
    title,
    body: html`<h1>${title}</h1>
${text}`,
  })
}

import { confirmedPath } from '../../../contract/confirmed-path.ts'
import type { HostedPage } from '../../../contract/hosted-page.ts'
import { html } from '../../../platform/pages/html.ts'
import { pageOf } from '../../../platform/pages/layout.ts'

/**
 * Where the page of a bank leads its customer back to. What they said there the bank tells the payment rail, so nothing of the address is
 * read here, and whoever opens the page changes nothing.
 */
export const confirmedPage: HostedPage = {
  method: 'GET',
  path: confirmedPath,
  handle: async () =>
    pageOf({
      status: 200,
      title: 'Back from your bank',
      body: html`<h1>Your bank knows your answer</h1>
<p>If you confirmed the payment, the purchase goes on by itself. If not, nothing is charged for it.</p>
<p class="foot">You can close this page.</p>`,
    }),
  broken: (status) =>
    pageOf({
      status,
      title: 'Later, please',
      body: html`<h1>This page cannot be shown now</h1>
<p>Your bank has your answer all the same. You can close this page.</p>`,
    }),
}

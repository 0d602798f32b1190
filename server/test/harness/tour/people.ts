import type { Answer, TestApp } from '../app.ts'
import { memberOf } from '../console.ts'
import type { Stop } from './stop.ts'

/** An owner invites somebody and gives them another role: what is visited is the call that a passkey has confirmed. */
export async function tourPeople(app: TestApp, visit: (stop: Stop) => Promise<Answer>): Promise<void> {
  const email = () => `${crypto.randomUUID()}@example.com`
  const { browser } = await memberOf(app, app.account, { email: email(), role: 'owner' })
  const go = async (operation: string, method: string, path: string, body?: unknown) => {
    const asking = body === undefined ? {} : await browser.confirmation(method, path, body)
    return visit({ operation, call: () => browser.request(method, path, body, asking) })
  }
  await go('v1_list_people', 'GET', '/v1/people')
  const invited = await go('v1_create_person', 'POST', '/v1/people', {
    email: email(),
    name: 'Grace Hopper',
    role: 'viewer',
  })
  await go('v1_update_person', 'POST', `/v1/people/${invited.body.person.id}`, { role: 'approver' })
}

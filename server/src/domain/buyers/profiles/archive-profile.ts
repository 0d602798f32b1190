import { defineOperation, reply } from '../../../contract/operation.ts'
import { Closed, IdParam } from '../../../contract/schemas.ts'
import { Profile } from './profile.ts'
import { changeProfile } from './write-profile.ts'

export const archiveProfile = defineOperation({
  id: 'v1_archive_profile',
  method: 'POST',
  path: '/v1/profiles/{profile_id}/archive',
  auth: 'secret',
  scope: 'profiles:write',
  tag: 'Profiles',
  summary: 'Archive a profile',
  description:
    'Nothing new can be bought for it; purchases in progress go on. Archiving it again changes nothing.',
  destructive: true,
  params: Closed({ profile_id: IdParam('The profile.', 'prof') }),
  responses: { 200: Profile },
  problems: ['not_found'],
  async handle(ctx, { path }) {
    const profile = await changeProfile(ctx, path.profile_id, 'profile.archived', (row) =>
      row.status === 'archived' ? {} : { status: 'archived', archived_at: ctx.now },
    )
    return reply(200, profile)
  },
})

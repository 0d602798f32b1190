import { defineSlice } from '../../../platform/slices/slice.ts'
import { createElementBootstrap } from './create-bootstrap.ts'
import { createElementSession } from './create-session.ts'
import { elementSweeps } from './elements.sql.ts'

export const elements = defineSlice({
  name: 'buyers/elements',
  about: 'Lets components in pages of integrators act for a profile, for some minutes.',
  needs: ['buyers/profiles'],
  tables: ['element_bootstraps', 'element_sessions', 'card_sessions'],
  tags: { Elements: 'Sessions of components in pages.' },
  operations: [createElementBootstrap, createElementSession],
  sweeps: elementSweeps,
})

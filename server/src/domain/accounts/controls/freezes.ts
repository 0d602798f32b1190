/** What is frozen in an account and mode. */
export type Freezes = {
  frozen: boolean
  frozen_profile_ids: string[]
  frozen_agent_ids: string[]
}

/** Whether any part of a purchase is frozen: its account, its profile, or the agent that created it. */
export function isFrozen(control: Freezes, of: { profileId: string; agentId: string | null }): boolean {
  // guard frozen-account: in a frozen account nothing is released
  // guard frozen-profile: for a frozen profile nothing is released
  return (
    control.frozen ||
    control.frozen_profile_ids.includes(of.profileId) ||
    (of.agentId !== null && control.frozen_agent_ids.includes(of.agentId))
  )
}

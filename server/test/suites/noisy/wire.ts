/** The things that the neighbor makes noise with. */
export type Neighbour = {
  baseUrl: string
  keys: { secret: string; agent: string }
  profile: string
  /** A purchase of its own, whose events can be listened to. */
  intent: string
  /** A quoting merchant of its own that never answers. */
  silentItem: string
  /** A destination of its own at an endpoint that answers. */
  destination: string
}

export const noiseNames = ['calculations', 'simulations', 'connections', 'waits', 'queues', 'cannon'] as const
export type NoiseName = (typeof noiseNames)[number]

/** How one noise is made: for how long, and how many purchases are queued by a noise that queues any. */
export type NoiseOrder = { name: NoiseName; ms: number; queued: number; seed: number }

export type Order =
  | { do: 'open' }
  | { do: 'hang' }
  | { do: 'noise'; noise: NoiseOrder; neighbour: Neighbour }
  | { do: 'count' }

/** The answers that the neighbor got. */
export type Report = {
  asked: number
  /** How often each status came back, and each limit by its scope. */
  answers: Record<string, number>
  /** Requests whose connection the server closed. */
  cutOff: number
  /** Answers that are faults under any load. */
  faults: string[]
}

export type Told = {
  ports?: Record<EndpointName, number>
  /** The self-signed certificate of the cannon's endpoint. */
  certificate?: string
  report?: Report
  posts?: number
}

const endpointNames = ['answers', 'hangs', 'cannon', 'names'] as const
export type EndpointName = (typeof endpointNames)[number]

/** A name without a confirmed endpoint. The neighbor's name server resolves it to this machine. */
export const cannonHost = 'cannon.example'

/** The placeholder that a reader replaces by the key, where we must not show one. */
export const keyPlaceholder = 'YOUR_AGENT_KEY'

/** The configuration of an MCP server, as the hosts of agents read it; `origin` is the public address of the API. */
export function mcpConfiguration(origin: string, key: string) {
  const url = `${origin.replace(/\/$/, '')}/mcp/v1`
  return { mcpServers: { prokura: { type: 'http', url, headers: { Authorization: `Bearer ${key}` } } } }
}

/** What a reader puts in for the key, where it is not ours to show. */
export const keyPlaceholder = 'YOUR_AGENT_KEY'

/** What the hosts of agents take as the configuration of an MCP server; `origin` is where the API is reached. */
export function mcpConfiguration(origin: string, key: string) {
  const url = `${origin.replace(/\/$/, '')}/mcp/v1`
  return { mcpServers: { prokura: { type: 'http', url, headers: { Authorization: `Bearer ${key}` } } } }
}

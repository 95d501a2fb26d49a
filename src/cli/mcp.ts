/** The MCP server as a program of its own: the same as `session-tree mcp`. */
process.argv.splice(2, 0, 'mcp');
void import('./cli');

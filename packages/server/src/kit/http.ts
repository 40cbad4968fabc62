/**
 * Functions of Node's HTTP module. `import … from 'node:http'` would read all names of the module, and its WebSocket loads
 * a second client: 30 ms of each start of a process or thread.
 */
export const { Agent, createServer, request, STATUS_CODES } = process.getBuiltinModule('node:http')

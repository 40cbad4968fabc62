/**
 * Preload of nodes: leads connections to a port of the loopback interface through the link of this node. All nodes of
 * a cluster are configured with the same addresses. REDIRECTED_PORTS has pairs of ports: 5432=40001,6379=40002
 */
import { Socket } from 'node:net'

const ports = new Map((process.env.REDIRECTED_PORTS ?? '').split(',').map(pair => pair.split('=').map(Number)))
const { connect } = Socket.prototype

Socket.prototype.connect = function (...args) {
  const [first] = args
  // `net.connect` passes its arguments as a list.
  const options = Array.isArray(first) ? first[0] : first
  if (typeof options === 'object' && ports.has(Number(options.port))) options.port = ports.get(Number(options.port))
  else if (ports.has(Number(first))) args[0] = ports.get(Number(first))
  return connect.apply(this, args)
}

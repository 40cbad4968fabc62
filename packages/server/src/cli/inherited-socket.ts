/**
 * Returns the listening socket that systemd or a compatible supervisor passes to this process (sd_listen_fds(3));
 * undefined without one. The socket stays open during a restart, so that connections wait instead of being refused.
 */
export function inheritedSocket(
  env: Readonly<Record<string, string | undefined>>,
  pid: number,
): { readonly fd: number } | undefined {
  if (env.LISTEN_PID !== String(pid) || !(Number(env.LISTEN_FDS) >= 1)) return undefined
  return { fd: firstInherited }
}

/** SD_LISTEN_FDS_START */
const firstInherited = 3

/**
 * The listening socket that systemd, or who speaks as it does, hands to this process (sd_listen_fds(3)): it stays open
 * over a restart, and connections wait in it instead of being refused. Undefined where there is none for this process.
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

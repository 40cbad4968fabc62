import { listenEarly } from './early-listening.ts'

// Started through an older Node (bin/periplus.js): end when that process does.
if (process.env.PERIPLUS_LAUNCHED) {
  process.on('disconnect', () => process.exit(1))
  process.channel?.unref()
}

// A reader of our output may stop early (`| head`); that is not an error.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error
  process.exit(0)
})

const args = process.argv.slice(2)
await listenEarly(args, process.env)
const { runProgram } = await import('./program.ts')
process.exitCode = await runProgram(args)

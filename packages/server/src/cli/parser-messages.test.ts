import { Command, Option } from 'commander'
import { expect, test } from 'vitest'
import { toSentences } from './parser-messages.ts'

/** Runs a command with wrong usage and returns its message as sentences. */
function messageOf(args: readonly string[]): string {
  let message = ''
  const program = new Command('periplus').exitOverride().configureOutput({
    writeErr: () => {},
    outputError: text => {
      message = toSentences(text)
    },
  })
  program
    .command('list')
    .argument('<id>')
    .addOption(new Option('--kind <kind>').choices(['a', 'b']))
    .requiredOption('--reason <text>')
    .addOption(new Option('--all').conflicts('kind'))
    .action(() => {})
  expect(() => program.parse(args, { from: 'user' })).toThrow()
  return message
}

test.each([
  [['lst'], "There is no command 'lst'. Did you mean list?"],
  [['list', '1', '--reason', 'x', '--kynd'], "There is no option '--kynd'. Did you mean --kind?"],
  [['list', '1', '--kind', 'c'], "The value 'c' of --kind <kind> is invalid. Allowed choices are a, b."],
  [['list', '1', '--kind'], 'The option --kind <kind> requires a value.'],
  [['list', '1'], 'The option --reason <text> is required.'],
  [['list', '--reason', 'x'], 'The argument <id> is required.'],
  [
    ['list', '1', '--reason', 'x', '--all', '--kind', 'a'],
    'The options --all and --kind <kind> cannot be used together.',
  ],
])('wrong usage %j is explained in sentences', (args, message) => {
  expect(messageOf(args)).toBe(message)
})

test('a message that is not known begins with a capital', () => {
  expect(messageOf(['list', '1', '2', '--reason', 'x'])).toMatch(/^Too many arguments for 'list'\. Expected 1 argument/)
})

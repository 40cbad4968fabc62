import type { Sample } from './parts/code.ts'

/** A request to the partner API. The samples read the key from the environment variable PERIPLUS_KEY. */
export interface SampleCall {
  /** Public URL of the service, without a trailing slash. */
  readonly publicUrl: string
  /** Path below the public URL, percent-encoded: `/locations/1`. */
  readonly path: string
  /** Parameters in their order, not encoded. */
  readonly query?: Readonly<Record<string, string>>
  /** JSON body of a POST: lists and objects of texts and numbers, which all languages write alike. */
  readonly body?: unknown
  /** Name of the file that the body is written to; without it, the body is JSON and printed. */
  readonly file?: string
}

/** Returns the samples of a call in curl, TypeScript, Python and Go. Each is complete and runs as it is. */
export const callSamples = (call: SampleCall): readonly Sample[] => [
  { label: 'curl', code: curlSample(call) },
  { label: 'TypeScript', code: typescriptSample(call) },
  { label: 'Python', code: pythonSample(call) },
  { label: 'Go', code: goSample(call) },
]

/** Returns the address of a call. Commas and colons stay readable. */
export function callUrl({ publicUrl, path, query = {} }: SampleCall): string {
  const encoded = new URLSearchParams(query).toString().replaceAll('%2C', ',').replaceAll('%3A', ':')
  return `${publicUrl}${path}${encoded === '' ? '' : `?${encoded}`}`
}

/** Longest curl command on one line. */
const lineLength = 64

/** Returns the call as a curl command, on two lines if it is long. */
export function curlSample(call: SampleCall): string {
  const start = `curl ${call.file === undefined ? '' : `-o ${shellWord(call.file)} `}-H "X-API-Key: $PERIPLUS_KEY"`
  const address = `"${callUrl(call)}"`
  if (call.body !== undefined) {
    const data = `-d ${shellWord(JSON.stringify(call.body))}`
    return [start, '-H "Content-Type: application/json"', data, address].join(' \\\n  ')
  }
  return `${start}${start.length + address.length < lineLength ? ' ' : ' \\\n  '}${address}`
}

const shellWord = (text: string): string => (/^[\w.-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`)

const singleQuoted = (text: string): string =>
  `'${doubleQuoted(text).slice(1, -1).replaceAll('\\"', '"').replaceAll("'", "\\'")}'`

// The escapes of JSON mean the same in TypeScript, Python and Go.
const doubleQuoted = (text: string): string => JSON.stringify(text)

function typescriptSample(call: SampleCall): string {
  const { publicUrl, path, query = {}, body, file } = call
  const parameters = Object.entries(query).map(
    ([name, value]) => `  ${/^[a-z_]\w*$/i.test(name) ? name : singleQuoted(name)}: ${singleQuoted(value)},\n`,
  )
  const address = singleQuoted(`${publicUrl}${path}`)
  return [
    file !== undefined && "import { writeFile } from 'node:fs/promises'\n",
    parameters.length === 0
      ? `const url = ${address}`
      : [
          `const parameters = new URLSearchParams({\n${parameters.join('')}})`,
          `const url = \`${publicUrl}${path}?\${parameters}\``,
        ].join('\n'),
    body === undefined
      ? "const response = await fetch(url, { headers: { 'X-API-Key': process.env.PERIPLUS_KEY! } })"
      : typescriptPost(body),
    // biome-ignore lint/suspicious/noTemplateCurlyInString: the template is part of the sample.
    'if (!response.ok) throw new Error(`${response.status}: ${await response.text()}`)',
    file === undefined
      ? 'console.log(await response.json())'
      : `await writeFile(${singleQuoted(file)}, await response.bytes())`,
  ]
    .filter(line => line !== false)
    .join('\n')
}

const typescriptPost = (body: unknown): string =>
  [
    `const body = ${indented(body, '  ')}`,
    'const response = await fetch(url, {',
    "  method: 'POST',",
    "  headers: { 'X-API-Key': process.env.PERIPLUS_KEY!, 'Content-Type': 'application/json' },",
    '  body: JSON.stringify(body),',
    '})',
  ].join('\n')

/** Returns a value as a literal, on several lines; the lines behind the first begin with `indent`. */
const indented = (value: unknown, space: string, indent = ''): string =>
  JSON.stringify(value, null, space).replaceAll('\n', `\n${indent}`)

function pythonSample({ publicUrl, path, query = {}, body, file }: SampleCall): string {
  const parameters = Object.entries(query).map(
    ([name, value]) => `        ${doubleQuoted(name)}: ${doubleQuoted(value)},\n`,
  )
  return [
    'import os\nimport requests\n',
    `response = requests.${body === undefined ? 'get' : 'post'}(`,
    `    ${doubleQuoted(`${publicUrl}${path}`)},`,
    parameters.length > 0 && `    params={\n${parameters.join('')}    },`,
    body !== undefined && `    json=${indented(body, '    ', '    ')},`,
    '    headers={"X-API-Key": os.environ["PERIPLUS_KEY"]},',
    '    timeout=30,',
    ')',
    'response.raise_for_status()',
    file === undefined
      ? 'print(response.json())'
      : `with open(${doubleQuoted(file)}, "wb") as file:\n    file.write(response.content)`,
  ]
    .filter(line => line !== false)
    .join('\n')
}

function goSample({ publicUrl, path, query = {}, body, file }: SampleCall): string {
  const parameters = Object.entries(query).map(
    ([name, value]) => `\t\t${doubleQuoted(name)}: {${doubleQuoted(value)}},\n`,
  )
  const address = doubleQuoted(`${publicUrl}${path}`)
  const imports = [
    'io',
    'log',
    'net/http',
    ...(parameters.length > 0 ? ['net/url'] : []),
    'os',
    ...(body === undefined ? [] : ['strings']),
  ]
  const [method, reader] = body === undefined ? ['GET', 'nil'] : ['POST', 'body']
  return [
    `package main\n\nimport (\n${imports.map(name => `\t"${name}"\n`).join('')})\n\nfunc main() {`,
    parameters.length > 0 && `\tquery := url.Values{\n${alignGo(parameters)}\t}`,
    body !== undefined && `\tbody := strings.NewReader(${doubleQuoted(JSON.stringify(body))})`,
    `\trequest, err := http.NewRequest("${method}", ${address}${parameters.length > 0 ? '+"?"+query.Encode()' : ''}, ${reader})`,
    failGo('err != nil', 'err'),
    '\trequest.Header.Set("X-API-Key", os.Getenv("PERIPLUS_KEY"))',
    body !== undefined && '\trequest.Header.Set("Content-Type", "application/json")',
    '',
    '\tresponse, err := http.DefaultClient.Do(request)',
    failGo('err != nil', 'err'),
    '\tdefer response.Body.Close()',
    failGo('response.StatusCode != http.StatusOK', 'response.Status'),
    file === undefined
      ? '\tio.Copy(os.Stdout, response.Body)'
      : [
          `\tfile, err := os.Create(${doubleQuoted(file)})`,
          failGo('err != nil', 'err'),
          '\tdefer file.Close()',
          '\tio.Copy(file, response.Body)',
        ].join('\n'),
    '}',
  ]
    .filter(line => line !== false)
    .join('\n')
}

const failGo = (condition: string, value: string): string => `\tif ${condition} {\n\t\tlog.Fatal(${value})\n\t}`

/** Aligns the values of a composite literal as gofmt does. */
function alignGo(lines: readonly string[]): string {
  const width = Math.max(...lines.map(line => line.indexOf(': {')))
  return lines.map(line => line.replace(': {', `:${' '.repeat(width - line.indexOf(': {') + 1)}{`)).join('')
}

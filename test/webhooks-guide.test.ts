// The examples of docs/webhooks.md, run as they stand there.

import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import test, { describe, type TestContext } from 'node:test'
import { root, temporaryFolder } from './support/folders.ts'

const guide = readFileSync(join(root, 'docs/webhooks.md'), 'utf8')

function example(language: string): string {
  const found = new RegExp(`\`\`\`${language}\\n([\\s\\S]*?)\`\`\``).exec(guide)?.[1]
  assert.ok(found, `docs/webhooks.md has no example in ${language}`)
  return found
}

/** What each example is asked, as arguments: a genuine delivery, then one fault after the other. */
const vectors: {
  secret: string
  webhook_id: string
  webhook_timestamp: number
  body: string
  webhook_signature: string
}[] = JSON.parse(readFileSync(join(root, 'test/vectors/webhook-vectors.json'), 'utf8')).vectors

const questions = vectors.flatMap(vector => {
  const asked = {
    id: vector.webhook_id,
    timestamp: String(vector.webhook_timestamp),
    signature: vector.webhook_signature,
    body: vector.body,
    secret: vector.secret,
    now: vector.webhook_timestamp + 299,
    genuine: true,
  }
  return [
    asked,
    { ...asked, signature: `v1,AAAA ${asked.signature}` },
    { ...asked, now: asked.now + 2, genuine: false },
    { ...asked, now: asked.now - 600, genuine: false },
    { ...asked, body: `${asked.body} `, genuine: false },
    { ...asked, id: 'msg_other', genuine: false },
    { ...asked, secret: 'another', genuine: false },
    { ...asked, signature: '', genuine: false },
    { ...asked, timestamp: 'x', genuine: false },
  ]
})

/** Runs a program that answers a question a line, and holds its answers ("true" or "false" a line). */
function hold(command: string, args: string[], lines: string[]): void {
  const { stdout, stderr, status } = spawnSync(command, args, { input: `${lines.join('\n')}\n`, encoding: 'utf8' })
  assert.equal(status, 0, stderr)
  assert.deepEqual(
    stdout.trim().split('\n'),
    questions.map(({ genuine }) => String(genuine)),
  )
}

/** A question on one line that needs no parser: fields in base64, separated by commas. */
const lines = questions.map(({ id, timestamp, signature, body, secret, now }) =>
  [id, timestamp, signature, body, secret, String(now)].map(text => Buffer.from(text).toString('base64')).join(','),
)

const lacks = (command: string, flag: string) =>
  spawnSync(command, [flag]).status === 0 ? false : `${command} is not on this machine`

describe('the guide’s examples tell genuine deliveries from forged ones', () => {
  test('Node.js', (t: TestContext) => {
    const folder = temporaryFolder(t)
    writeFileSync(join(folder, 'webhooks.mjs'), example('js'))
    const program = join(folder, 'main.mjs')
    writeFileSync(
      program,
      `import { readFileSync } from 'node:fs'
       import { isGenuine } from './webhooks.mjs'
       for (const line of readFileSync(0, 'utf8').trim().split('\\n')) {
         const [id, timestamp, signature, body, secret, now] = line.split(',').map(text => Buffer.from(text, 'base64'))
         const headers = { 'webhook-id': \`\${id}\`, 'webhook-timestamp': \`\${timestamp}\`, 'webhook-signature': \`\${signature}\` }
         console.log(isGenuine(headers, body, \`\${secret}\`, Number(now)))
       }`,
    )
    hold(process.execPath, [program], lines)
  })

  test('Python', { skip: lacks('python3', '--version') }, t => {
    const program = join(temporaryFolder(t), 'main.py')
    writeFileSync(
      program,
      `${example('python')}
import sys
for line in sys.stdin:
    id, timestamp, signature, body, secret, now = [base64.b64decode(text) for text in line.strip().split(",")]
    headers = {"webhook-id": id.decode(), "webhook-timestamp": timestamp.decode(), "webhook-signature": signature.decode()}
    print("true" if is_genuine(headers, body, secret.decode(), int(now)) else "false")
`,
    )
    hold('python3', [program], lines)
  })

  test('Java', { skip: lacks('java', '-version') }, t => {
    const program = join(temporaryFolder(t), 'Main.java')
    const [imports = '', ...rest] = example('java').split(/(?=class Webhooks)/)
    writeFileSync(
      program,
      `${imports}
public class Main {
    public static void main(String[] args) throws Exception {
        var lines = new java.io.BufferedReader(new java.io.InputStreamReader(System.in, StandardCharsets.US_ASCII));
        for (String line = lines.readLine(); line != null; line = lines.readLine()) {
            var fields = new java.util.ArrayList<byte[]>();
            for (String text : line.split(",", -1)) fields.add(Base64.getDecoder().decode(text));
            var texts = fields.stream().map(bytes -> new String(bytes, StandardCharsets.UTF_8)).toList();
            var headers = Map.of("webhook-id", texts.get(0), "webhook-timestamp", texts.get(1), "webhook-signature", texts.get(2));
            System.out.println(Webhooks.isGenuine(headers, fields.get(3), texts.get(4), Long.parseLong(texts.get(5))));
        }
    }
}
${rest.join('')}`,
    )
    hold('java', [program], lines)
  })
})

import assert from 'node:assert/strict'
import { join } from 'node:path'
import type { TestContext } from 'node:test'
import type { Outcome } from '../../../commands/command.ts'
import { webhooks } from '../../../commands/webhooks.ts'
import { readConfiguration } from '../../../configuration.ts'
import { openStore } from '../../../store/store.ts'
import { systemClock } from '../../../store/terms/clock.ts'
import { temporaryFolder } from '../../support/folders.ts'
import { holdsForAll } from '../../support/property.ts'
import { endpointUrl } from '../endpoint-urls.ts'

/** `webhooks add` takes a text or says why not; what it takes has one spelling and can be reached by https alone. */
export async function endpoints(t: TestContext): Promise<void> {
  const file = join(temporaryFolder(t), 'test.db')
  const store = openStore(file, { clock: systemClock, create: true, busyMs: 1000 })
  t.after(store.close)
  const { configuration } = readConfiguration({})
  const input = async () => Buffer.alloc(0)
  async function command(...args: string[]): Promise<Outcome> {
    return webhooks.run({
      args,
      options: {},
      configuration,
      clock: systemClock,
      store: () => store,
      input,
    })
  }
  let accepted = 0

  const runs = await holdsForAll(endpointUrl(), 300, async text => {
    const added = await command('add', text)
    const listed = store.webhooks.endpoints.list()
    assert.equal(listed.length, added.code === 0 ? 1 : 0)
    assert.doesNotMatch(added.text.replace(text, ''), /undefined|NaN|\[object/)
    const [endpoint] = listed
    if (!endpoint) return
    accepted++
    const url = new URL(endpoint.url)
    assert.equal(url.href, endpoint.url, 'it has one spelling')
    assert.deepEqual([url.protocol, url.username, url.password, url.hash], ['https:', '', '', ''])
    assert.notEqual(url.hostname, '')
    assert.equal((await command('add', endpoint.url)).code, 1, 'it is an endpoint already')
    assert.ok((await command('endpoints')).text.includes(endpoint.url))
    assert.equal((await command('remove', String(endpoint.id))).code, 0)
  })
  t.diagnostic(`${runs} texts: ${accepted} became endpoints, ${runs - accepted} were refused`)
  assert.ok(accepted > runs / 20)
}

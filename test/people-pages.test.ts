import assert from 'node:assert/strict'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import test, { type TestContext } from 'node:test'
import type { Page } from 'playwright-core'
import { parseDraft } from '../store/ordering/draft.ts'
import { assertUsableEverywhere, openWindow, withoutBrowser } from './support/browser.ts'
import { logIn, pairDevice } from './support/log-in.ts'
import { orderOf, pizzeria, salad } from './support/pizzeria.ts'
import { accepted } from './support/refusals.ts'
import { openShop, type Shop } from './support/shop.ts'

const options = withoutBrowser === false ? {} : { skip: withoutBrowser }

const PASSWORD = 'a long password'

/** A shop whose owner has just made herself one, in a window. */
async function openAsOwner(t: TestContext): Promise<{ shop: Shop; page: Page; site: string }> {
  const shop = await openShop(t, { restaurant: pizzeria() })
  const { page, site } = await openWindow(t, shop.port)
  await page.goto(`${site}/`)
  await assertUsableEverywhere(page, 'setup')
  await page.getByLabel('Code from the start').fill(shop.setupCode)
  await page.getByLabel('Your name').fill('Ana')
  await page.getByLabel('New password').fill('too short')
  await page.getByRole('button', { name: 'Become the owner' }).click()
  await page.getByText('must have at least 10 characters').waitFor()
  await page.getByLabel('New password').fill(PASSWORD)
  await page.getByRole('button', { name: 'Become the owner' }).click()
  await page.waitForURL(`${site}/office`)
  return { shop, page, site }
}

test('from the first start to a person at the till: owner, staff with a PIN, a paired tablet', options, async t => {
  const { shop, page, site } = await openAsOwner(t)

  await page.goto(`${site}/office/staff`)
  await page.getByLabel('Name').fill('Ben')
  await page.getByRole('button', { name: 'Add' }).click()
  await page.getByRole('heading', { name: 'Ben' }).waitFor()
  await assertUsableEverywhere(page, 'person')
  await page.getByRole('button', { name: 'Set the PIN' }).click()
  const pin = (await page.locator('.code').textContent()) ?? ''
  assert.match(pin, /^\d{6}$/)
  await page.getByRole('link', { name: 'Done' }).click()
  await assertUsableEverywhere(page, 'staff')

  await page.goto(`${site}/office/devices`)
  await page.getByLabel('Name of the device').fill('Bar <1>')
  await page.getByRole('button', { name: 'Make a code' }).click()
  await assertUsableEverywhere(page, 'code')
  const address = (await page.locator('code').textContent()) ?? ''
  assert.match(address, new RegExp(`^${site}/pair\\?code=[2-9A-Z]{8}$`))

  const tablet = await openWindow(t, shop.port, { width: 820, height: 1180 })
  await tablet.page.goto(address)
  await assertUsableEverywhere(tablet.page, 'pair')
  await tablet.page.getByRole('button', { name: 'Pair' }).click()
  await tablet.page.getByText('This device is now “Bar <1>”.').waitFor()
  await tablet.page.getByRole('link', { name: 'Go on' }).click()
  await assertUsableEverywhere(tablet.page, 'pin')
  await tablet.page.getByText('Ben').click()
  await tablet.page.getByLabel('PIN').pressSequentially('000000')
  await tablet.page.getByText('The PIN is wrong.').waitFor()
  // The name is still chosen, and the sixth digit sends the form.
  await tablet.page.getByLabel('PIN').pressSequentially(pin)
  await tablet.page.waitForURL(/\/office/)

  await page.goto(`${site}/office/sessions`)
  await assertUsableEverywhere(page, 'sessions')
  await page.getByRole('button', { name: 'End the session of Ben' }).click()
  await tablet.page.reload()
  await tablet.page.getByRole('heading', { name: 'Who are you?' }).waitFor()

  await page.goto(`${site}/office/devices`)
  await assertUsableEverywhere(page, 'devices')
  await page.getByRole('button', { name: 'Revoke Bar <1>' }).click()
  await tablet.page.reload()
  await tablet.page.getByRole('heading', { name: 'Pair this device' }).waitFor()
})

test('people change their own password, which ends their sessions elsewhere', options, async t => {
  const { shop, page, site } = await openAsOwner(t)
  const elsewhere = await openWindow(t, shop.port)
  await elsewhere.page.goto(`${site}/office/account`)
  await assertUsableEverywhere(elsewhere.page, 'login')
  await elsewhere.page.getByLabel('Name').fill('ana')
  await elsewhere.page.getByLabel('Password').fill(PASSWORD)
  await elsewhere.page.getByRole('button', { name: 'Log in' }).click()
  await elsewhere.page.waitForURL(`${site}/office/account`)

  await page.goto(`${site}/office/account`)
  await assertUsableEverywhere(page, 'account')
  await page.getByLabel('Current password').first().fill('not this one')
  await page.getByLabel('New password').fill('another password')
  await page.getByRole('button', { name: 'Change' }).first().click()
  await page.getByText('This is not your password.').waitFor()
  await page.getByLabel('Current password').first().fill(PASSWORD)
  await page.getByLabel('New password').fill('another password')
  await page.getByRole('button', { name: 'Change' }).first().click()
  await page.getByText('Your password is changed.').waitFor()
  await elsewhere.page.reload()
  await elsewhere.page.getByRole('heading', { name: 'Log in' }).waitFor()
})

test('what a form held when the session ended is sent after the log-in, without script', options, async t => {
  const { shop, site } = await openAsOwner(t)
  const { page } = await openWindow(t, shop.port, { javaScriptEnabled: false, cookie: logIn(shop, 'owner').cookie })
  await page.goto(`${site}/office/staff`)
  await page.getByLabel('Name').fill('Zoë & "Co"')
  shop.execute('DELETE FROM session')
  await page.getByRole('button', { name: 'Add' }).click()
  await page.getByText('What you have entered is kept').waitFor()
  await page.getByLabel('Name').fill('Ana')
  await page.getByLabel('Password').fill(PASSWORD)
  await page.getByRole('button', { name: 'Log in' }).click()
  assert.deepEqual(shop.rows(`SELECT 1 FROM staff WHERE name LIKE 'Zo%'`), [], 'nothing is sent without a press')
  await page.getByRole('button', { name: 'Send again' }).click()
  await page.getByRole('heading', { name: 'Zoë & "Co"' }).waitFor()
})

test('a manager allows one act of staff by a PIN, and it is recorded under the manager', options, async t => {
  const { shop, page, site } = await openAsOwner(t)
  await page.goto(`${site}/office/account`)
  await page.getByLabel('Current password').nth(1).fill(PASSWORD)
  await page.getByLabel('New PIN').fill('271828')
  await page.getByRole('button', { name: 'Change' }).nth(1).click()
  await page.getByText('Your PIN is changed.').waitFor()

  const till = pairDevice(shop, 'till')
  const { page: tablet } = await openWindow(t, shop.port, { cookie: logIn(shop, 'staff', 'Ben', till).cookie })
  const endTill = async () => {
    await tablet.goto(`${site}/office`)
    await tablet.evaluate(id => {
      const form = document.createElement('form')
      form.method = 'post'
      form.action = `/office/devices/${id}/end`
      document.body.append(form)
      form.submit()
    }, other.id)
  }
  const other = pairDevice(shop, 'kiosk')
  await endTill()
  await tablet.getByRole('heading', { name: 'A manager can allow this' }).waitFor()
  await assertUsableEverywhere(tablet, 'approve')
  assert.equal(shop.store.devices.list().find(({ id }) => id === other.id)?.endedAt, null)
  await tablet.getByLabel('PIN').pressSequentially('271828')
  await tablet.getByText('This is done.').waitFor()
  assert.notEqual(shop.store.devices.list().find(({ id }) => id === other.id)?.endedAt, null)
  assert.deepEqual(shop.rows(`SELECT actor FROM activity WHERE what = 'device ended'`), [{ actor: 'Ana' }])
  await endTill()
  await tablet.getByRole('heading', { name: 'A manager can allow this' }).waitFor()

  const { id } = accepted(shop.store.orders.place(accepted(parseDraft(orderOf(salad))), 'pos'))
  accepted(shop.store.payments.pay(id, { amount: 500, method: 'cash' }))
  await tablet.goto(`${site}/office/orders/${id}`)
  await tablet.getByText('Give money back…').click()
  await tablet.locator('#refund-amount').fill('2.5')
  await tablet.locator('#refund-reason').fill('cold <soup>')
  await tablet.getByRole('button', { name: 'Give back' }).click()
  await tablet.getByRole('heading', { name: 'A manager can allow this' }).waitFor()
  const facts = await tablet.locator('dl.facts > *').allInnerTexts()
  assert.deepEqual(facts, [
    ...['Act', 'Give money back', 'Order', 'ORD-000001', 'Amount', '€2.50'],
    ...['Method', 'cash', 'Reason', 'cold <soup>'],
  ])
  await assertUsableEverywhere(tablet, 'approve-refund')
  assert.equal(shop.store.payments.standing(id).paid, 500)
  await tablet.getByLabel('PIN').pressSequentially('271828')
  await tablet.waitForURL(`${site}/office/orders/${id}?done=refund`)
  assert.equal(shop.store.payments.standing(id).paid, 250)
})

test(
  'another site can neither send a form, nor show a page in a frame, nor read one under a name of its own',
  options,
  async t => {
    const { shop, site } = await openAsOwner(t)
    const { context } = await openWindow(t, shop.port, { cookie: logIn(shop, 'owner').cookie })
    const evil = createServer((_, response) => {
      response.setHeader('Content-Type', 'text/html')
      response.end(`<iframe name="frame" src="${site}/office/staff"></iframe>
      <form method="post" action="${site}/office/staff"><input name="name" value="Mallory"><input name="role" value="owner"></form>`)
    })
    await new Promise<void>(resolve => evil.listen(0, '127.0.0.1', resolve))
    t.after(() => evil.close())
    const page = await context.newPage()
    await page.goto(`http://127.0.0.1:${(evil.address() as AddressInfo).port}/`)
    assert.doesNotMatch((await page.frame('frame')?.locator('body').innerText()) ?? 'Log in', /Log in|Add somebody/)
    const answer = page.waitForResponse(`${site}/office/staff`)
    await page.evaluate(() => document.querySelector('form')?.submit())
    assert.equal((await answer).status(), 403)
    await page.getByRole('heading', { name: 'This form came from another site' }).waitFor()
    assert.deepEqual(shop.rows(`SELECT 1 FROM staff WHERE name = 'Mallory'`), [])

    // A browser finds this name on the machine itself, as it would after the name was resolved anew.
    const rebound = await page.goto(`http://evil.localhost:${shop.port}/login`)
    assert.equal(rebound?.status(), 421)
  },
)

test('after the log-out the back button shows nothing of the office', options, async t => {
  const { page, site } = await openAsOwner(t)
  await page.goto(`${site}/office/staff`)
  await page.getByRole('button', { name: 'Log out' }).click()
  await page.getByRole('heading', { name: 'Log in' }).waitFor()
  await page.goBack()
  await page.getByRole('heading', { name: 'Log in' }).waitFor()
  assert.doesNotMatch(await page.locator('body').innerText(), /Add somebody/)
})

test('the name and the role of a person change together or not at all', async t => {
  const shop = await openShop(t)
  const { id, name, headers } = logIn(shop, 'owner')
  const body = new URLSearchParams({ name: 'Renamed', role: 'staff' })
  const refused = await fetch(`${shop.url}/office/staff/${id}`, { method: 'POST', headers, body })
  assert.equal(refused.status, 422, 'the last owner stays one')
  assert.deepEqual(
    shop.store.staff.list().map(person => [person.name, person.role]),
    [[name, 'owner']],
  )
})
